#include "apps/minfer/bench_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace minfer::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kRateWidth = 18;  // "12345.67 ± 1234.56"

std::string size_text(uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / 1024.0 / 1024.0;
  return mib < 1024 ? fmt::format("{:.2f} MiB", mib) : fmt::format("{:.2f} GiB", mib / 1024);
}

std::string params_text(uint64_t n) {
  const auto value = static_cast<double>(n);
  return n < 1'000'000'000 ? fmt::format("{:.2f} M", value / 1e6) : fmt::format("{:.2f} B", value / 1e9);
}

std::string rate_text(const BenchResult& result) {
  const BenchSummary rate = summarize_samples(result.samples_ts());
  return fmt::format("{:.2f} ± {:.2f}", rate.mean, rate.deviation);
}

// Everything but the single runs; the order is that of the columns of CSV.
Json fields(const BenchSubject& subject, const BenchRow& row) {
  const BenchTest& test = row.result.test;
  const std::vector<double> times(row.result.samples_ns.begin(), row.result.samples_ns.end());
  const BenchSummary ns = summarize_samples(times);
  const BenchSummary rate = summarize_samples(row.result.samples_ts());
  return {{"build_commit", subject.build_commit},
          {"cpu_info", subject.cpu_info},
          {"cpu_isa", subject.cpu_isa},
          {"backends", subject.backends},
          {"model_filename", subject.model_path},
          {"model_type", subject.model_type},
          {"model_size", subject.model_bytes},
          {"model_n_params", subject.n_params},
          {"n_ubatch", subject.chunk_rows},
          {"n_threads", row.n_threads},
          {"type_k", subject.kv_type},
          {"type_v", subject.kv_type},
          {"n_prompt", test.n_prompt},
          {"n_gen", test.n_gen},
          {"n_depth", test.n_depth},
          {"test_time", row.test_time},
          {"avg_ns", std::llround(ns.mean)},
          {"stddev_ns", std::llround(ns.deviation)},
          {"avg_ts", rate.mean},
          {"stddev_ts", rate.deviation},
          {"peak_resident_bytes", row.peak_resident_bytes}};
}

std::string csv_line(const std::vector<std::string>& values) {
  std::string line;
  for (const std::string& value : values) {
    line += line.empty() ? "\"" : ",\"";
    for (const char c : value) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

std::string csv_headings() {
  std::string line;
  const Json record = fields({}, {});
  for (const auto& [name, value] : record.items()) line += (line.empty() ? "" : ",") + name;
  return line + "\n";
}

std::string csv_row(const BenchSubject& subject, const BenchRow& row) {
  std::vector<std::string> values;
  const Json record = fields(subject, row);
  for (const auto& [name, value] : record.items()) {
    if (value.is_string()) {
      values.push_back(value.get<std::string>());
    } else {
      values.push_back(value.is_number_float() ? fmt::format("{:.6f}", value.get<double>()) : value.dump());
    }
  }
  return csv_line(values);
}

std::string json_row(const BenchSubject& subject, const BenchRow& row) {
  Json object = fields(subject, row);
  object["samples_ns"] = row.result.samples_ns;
  object["samples_ts"] = row.result.samples_ts();
  std::string lines;
  for (const auto& [name, value] : object.items()) {
    lines += fmt::format("{}    {}: {}", lines.empty() ? "" : ",\n", Json(name).dump(),
                         value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return "  {\n" + lines + "\n  }";
}

}  // namespace

BenchFormat bench_format(std::string_view name) {
  if (name == "md") return BenchFormat::kMarkdown;
  if (name == "csv") return BenchFormat::kCsv;
  if (name == "json") return BenchFormat::kJson;
  check(name == "table", "[bench] no format '{}'", name);
  return BenchFormat::kTable;
}

BenchOutput::BenchOutput(BenchFormat format, BenchSubject subject, const std::vector<BenchTest>& tests)
    : format_(format), subject_(std::move(subject)) {
  columns_ = {{"model", true, subject_.model_type.size()},
              {"size", false, size_text(subject_.model_bytes).size()},
              {"params", false, params_text(subject_.n_params).size()},
              {"backend", true, subject_.backends.size()},
              {"threads", false, 0}};
  if (subject_.kv_type != "f16") columns_.insert(columns_.end(), {{"type_k", false, 0}, {"type_v", false, 0}});
  size_t test_width = 0;
  for (const BenchTest& test : tests) test_width = std::max(test_width, test.name().size());
  columns_.push_back({"test", false, test_width});
  columns_.push_back({"t/s", false, kRateWidth});
  for (Column& column : columns_) column.width = std::max(column.width, column.heading.size());
}

std::string BenchOutput::begin() const {
  if (format_ == BenchFormat::kJson) return "[\n";
  if (format_ == BenchFormat::kCsv) return csv_headings();
  std::vector<std::string> headings, rules;
  for (const Column& column : columns_) {
    headings.push_back(column.heading);
    rules.push_back(std::string(column.is_text ? column.width : column.width - 1, '-') + (column.is_text ? "" : ":"));
  }
  return line(headings) + (format_ == BenchFormat::kMarkdown ? line(rules) : "");
}

std::string BenchOutput::row(const BenchRow& row) {
  ++n_rows_;
  switch (format_) {
    case BenchFormat::kJson: return (n_rows_ > 1 ? ",\n" : "") + json_row(subject_, row);
    case BenchFormat::kCsv: return csv_row(subject_, row);
    case BenchFormat::kTable:
    case BenchFormat::kMarkdown: return line(cells(row));
  }
  return {};
}

std::string BenchOutput::end() const {
  switch (format_) {
    case BenchFormat::kJson: return n_rows_ > 0 ? "\n]\n" : "]\n";
    case BenchFormat::kCsv: return {};
    case BenchFormat::kTable:
    case BenchFormat::kMarkdown:
      return fmt::format("\nbuild: {}, cpu: {} ({})\n", subject_.build_commit, subject_.cpu_info, subject_.cpu_isa);
  }
  return {};
}

std::string BenchOutput::line(const std::vector<std::string>& cells) const {
  const bool is_markdown = format_ == BenchFormat::kMarkdown;
  std::string text = is_markdown ? "|" : "";
  for (size_t i = 0; i < cells.size(); ++i) {
    const Column& column = columns_[i];
    const std::string cell =
        column.is_text ? fmt::format("{:<{}}", cells[i], column.width) : fmt::format("{:>{}}", cells[i], column.width);
    text += is_markdown ? fmt::format(" {} |", cell) : fmt::format("{}{}", i == 0 ? "" : "  ", cell);
  }
  return text + "\n";
}

std::vector<std::string> BenchOutput::cells(const BenchRow& row) const {
  std::vector<std::string> cells{subject_.model_type, size_text(subject_.model_bytes), params_text(subject_.n_params),
                                 subject_.backends, fmt::format("{}", row.n_threads)};
  if (subject_.kv_type != "f16") cells.insert(cells.end(), 2, subject_.kv_type);
  cells.push_back(row.result.test.name());
  cells.push_back(rate_text(row.result));
  return cells;
}

}  // namespace minfer::app
