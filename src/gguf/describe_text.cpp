// A model file's summary as lines for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "gguf/describe.h"

namespace minfer {
namespace {

constexpr size_t kMaxElementBytes = 40;
constexpr size_t kMaxTextBytes = 120;

std::string with_separators(uint64_t n) {
  std::string digits = fmt::format("{}", n);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string size_text(uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < std::size(kUnits)) {
    value /= 1024.0;
    ++unit;
  }
  return fmt::format("{:.2f} {} ({} bytes)", value, kUnits[unit], with_separators(bytes));
}

std::string parameters_text(uint64_t n) {
  if (n >= 1000000000) return fmt::format("{:.2f} B ({})", static_cast<double>(n) / 1e9, with_separators(n));
  if (n >= 1000000) return fmt::format("{:.1f} M ({})", static_cast<double>(n) / 1e6, with_separators(n));
  return with_separators(n);
}

std::string scalar_text(const GgufScalar& scalar, size_t max_bytes) {
  return std::visit(
      [max_bytes](const auto& value) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>) {
          return fmt::format("\"{}\"", printable(value, max_bytes));
        } else {
          return fmt::format("{}", value);
        }
      },
      scalar);
}

std::string value_text(const GgufValue& value) {
  const ValuePreview shown = preview(value);
  if (!value.is_array()) return scalar_text(shown.first.front(), kMaxTextBytes);
  std::string out = fmt::format("{} × {} [", with_separators(value.count), gguf_type_name(value.element_type));
  const char* separator = "";
  for (const GgufScalar& scalar : shown.first) {
    out += separator + scalar_text(scalar, kMaxElementBytes);
    separator = ", ";
  }
  if (!shown.last.empty()) out += ", …";
  for (const GgufScalar& scalar : shown.last) out += ", " + scalar_text(scalar, kMaxElementBytes);
  return out + "]";
}

void add_line(std::string& out, std::string_view label, std::string_view text) {
  out += fmt::format("{:<16} {}\n", label, text);
}

void add_line(std::string& out, std::string_view label, const std::optional<uint64_t>& number) {
  if (number) add_line(out, label, with_separators(*number));
}

void add_text_line(std::string& out, std::string_view label, const std::optional<std::string>& text) {
  if (text) add_line(out, label, printable(*text));
}

void add_files(std::string& out, const ModelSummary& summary) {
  for (const FileSummary& file : summary.files) {
    add_line(out, "file", fmt::format("{}  {}", printable(file.path, 4096), size_text(file.size_bytes)));
  }
  if (summary.files.size() > 1) {
    add_line(out, "total", fmt::format("{} parts, {}", summary.files.size(), size_text(summary.file_bytes)));
  }
  add_line(out, "format",
           fmt::format("GGUF version {}, alignment {}", summary.files.front().version, summary.alignment));
}

void add_model(std::string& out, const ModelSummary& summary) {
  add_text_line(out, "name", summary.name);
  add_line(out, "architecture", printable(summary.architecture.value_or("(not stated)")));
  add_text_line(out, "license", summary.license);
  add_text_line(out, "file type", summary.file_type);
  add_line(out, "parameters", parameters_text(summary.n_parameters));
  add_line(out, "layers", summary.n_layers);
  add_line(out, "context length", summary.context_length);
  add_line(out, "embedding", summary.n_embd);
  add_line(out, "feed forward", summary.n_ff);
  if (summary.n_heads) {
    std::string heads = fmt::format("{} query", *summary.n_heads);
    if (summary.n_kv_heads) heads += fmt::format(", {} key/value", *summary.n_kv_heads);
    if (summary.head_dim) heads += fmt::format(", of size {}", *summary.head_dim);
    add_line(out, "heads", heads);
  }
  if (summary.rope_freq_base) add_line(out, "rope base", fmt::format("{}", *summary.rope_freq_base));
}

void add_tokenizer(std::string& out, const ModelSummary& summary) {
  if (summary.tokenizer_model) {
    std::string text = printable(*summary.tokenizer_model);
    if (summary.tokenizer_pre) text += fmt::format(", pre-tokenizer {}", printable(*summary.tokenizer_pre));
    add_line(out, "tokenizer", text);
  }
  add_line(out, "vocabulary", summary.n_vocab);
  add_line(out, "chat template",
           summary.chat_template_bytes ? fmt::format("{} bytes", *summary.chat_template_bytes) : std::string("none"));
}

void add_types(std::string& out, const ModelSummary& summary) {
  uint64_t n_tensors = 0;
  for (const TypeSummary& type : summary.types) n_tensors += type.n_tensors;
  add_line(out, "tensors",
           fmt::format("{}, {}, {:.2f} bits per weight", n_tensors, size_text(summary.tensor_bytes),
                       summary.bits_per_weight()));
  for (const TypeSummary& type : summary.types) {
    const double share = 100.0 * static_cast<double>(type.size_bytes) / static_cast<double>(summary.tensor_bytes);
    out += fmt::format("  {:<8} {:>6} tensors {:>18} bytes {:>5.1f} %\n", dtype_name(type.dtype), type.n_tensors,
                       with_separators(type.size_bytes), share);
  }
}

void add_metadata(std::string& out, const GgufModel& model) {
  out += fmt::format("\nmetadata ({} keys)\n", model.metadata().entries().size());
  for (const GgufMetadata::Entry& entry : model.metadata().entries()) {
    out += fmt::format("  {} = {}\n", printable(entry.key), value_text(entry.value));
  }
}

void add_tensors(std::string& out, const GgufModel& model) {
  out += "\ntensors\n";
  for (const GgufTensor& tensor : model.tensors()) {
    out +=
        fmt::format("  {:<40} {:<8} {:<20} {:>16} bytes at {}", printable(tensor.name), dtype_name(tensor.desc.dtype),
                    tensor.desc.shape.to_string(), with_separators(tensor.size_bytes()), tensor.file_offset);
    if (model.parts().size() > 1) out += fmt::format(" of part {}", tensor.part + 1);
    out += '\n';
  }
}

}  // namespace

std::string describe_text(const GgufModel& model, const DescribeOptions& options) {
  const ModelSummary summary = summarize(model);
  std::string out;
  add_files(out, summary);
  add_model(out, summary);
  add_tokenizer(out, summary);
  add_types(out, summary);
  if (options.metadata) add_metadata(out, model);
  if (options.tensors) add_tensors(out, model);
  return out;
}

}  // namespace minfer
