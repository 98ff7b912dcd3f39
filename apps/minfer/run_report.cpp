#include "apps/minfer/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace minfer::app {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

constexpr MemoryTag kTags[] = {MemoryTag::kWeights, MemoryTag::kRepacked, MemoryTag::kKv,       MemoryTag::kActivations,
                               MemoryTag::kStaging, MemoryTag::kScratch,  MemoryTag::kTokenizer};
static_assert(std::size(kTags) == kMemoryTagCount);

// Steps behind the first token: each gave one token, and an end token is not among those of the answer.
size_t n_decoded(const GenerateResult& result) {
  const bool ended_by_token = result.finish == FinishReason::kStop && result.stop.empty();
  const size_t n_chosen = result.tokens.size() + (ended_by_token ? 1 : 0);
  return n_chosen == 0 ? 0 : n_chosen - 1;
}

double rate(size_t n, double seconds) {
  return seconds > 0 ? static_cast<double>(n) / seconds : 0;
}

std::string line(std::string_view what, size_t n, double seconds) {
  return fmt::format("{:<13}{:>6} tokens in {:7.2f} s ({:.1f} tok/s)\n", what, n, seconds, rate(n, seconds));
}

std::string memory_line(const RunReport& report) {
  std::string parts;
  for (const MemoryTag tag : kTags) {
    const uint64_t bytes = report.ledger->bytes(tag);
    if (bytes == 0) continue;
    parts +=
        fmt::format("{}{} {:.1f}", parts.empty() ? "" : ", ", memory_tag_name(tag), static_cast<double>(bytes) / kMiB);
  }
  return fmt::format("{:<13}{:.1f} MiB resident at most; {:.1f} MiB accounted for ({})\n",
                     "memory:", static_cast<double>(report.peak_resident_bytes) / kMiB,
                     static_cast<double>(report.ledger->peak()) / kMiB, parts);
}

}  // namespace

std::string report_text(const RunReport& report) {
  const GenerateResult& result = *report.result;
  const GenerateTimings& timings = result.timings;
  std::string out = fmt::format("\n{:<13}{:.2f} s\n", "load:", report.load_s);
  if (timings.prefill_s > 0) out += line("prefill:", static_cast<size_t>(result.n_prompt), timings.prefill_s);
  if (timings.first_token_s > 0) {
    out += line("decode:", n_decoded(result), timings.decode_s);
    out += fmt::format("{:<13}{:.2f} s\n", "first token:", timings.first_token_s);
  }
  out += memory_line(report);
  out += fmt::format("{:<13}{}{}, {} tokens in the answer", "finish:", finish_reason_name(result.finish),
                     result.stop.empty() ? "" : fmt::format(" (stop string '{}')", result.stop), result.tokens.size());
  return out;
}

std::string report_json(const RunReport& report) {
  using Json = nlohmann::ordered_json;
  const GenerateResult& result = *report.result;
  const GenerateTimings& timings = result.timings;
  Json json = Json::object();
  json["model"] = report.model_path;
  json["text"] = result.text;
  json["tokens"] = result.tokens;
  json["n_prompt"] = result.n_prompt;
  json["finish_reason"] = finish_reason_name(result.finish);
  json["stop"] = result.stop.empty() ? Json() : Json(result.stop);
  json["logit_hash"] = result.logit_hash.empty() ? Json() : Json(result.logit_hash);
  json["timings"] = {{"load_s", report.load_s},
                     {"prefill_s", timings.prefill_s},
                     {"prefill_tokens_per_s", rate(static_cast<size_t>(result.n_prompt), timings.prefill_s)},
                     {"first_token_s", timings.first_token_s},
                     {"decode_s", timings.decode_s},
                     {"decode_tokens_per_s", rate(n_decoded(result), timings.decode_s)}};
  Json memory = {{"peak_resident_bytes", report.peak_resident_bytes}, {"ledger_peak_bytes", report.ledger->peak()}};
  for (const MemoryTag tag : kTags) {
    std::string key(memory_tag_name(tag));
    std::replace(key.begin(), key.end(), ' ', '_');
    std::replace(key.begin(), key.end(), 'K', 'k');
    std::replace(key.begin(), key.end(), 'V', 'v');
    memory[key + "_bytes"] = report.ledger->bytes(tag);
  }
  json["memory"] = std::move(memory);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace minfer::app
