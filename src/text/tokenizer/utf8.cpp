#include "text/tokenizer/utf8.h"

#include <cstdint>
#include <cstring>

namespace minfer {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// How long a character with this first byte is (0: none starts with it), and the range of its second byte.
struct Lead {
  size_t length;
  uint8_t low;
  uint8_t high;
};

Lead lead_of(uint8_t first) {
  if (first < 0x80) return {1, 0, 0};
  if (first >= 0xC2 && first <= 0xDF) return {2, 0x80, 0xBF};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first >= 0xE1 && first <= 0xEF) return {3, 0x80, 0xBF};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first >= 0xF1 && first <= 0xF3) return {4, 0x80, 0xBF};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

Utf8Step utf8_step(std::string_view text) {
  Lead lead = lead_of(static_cast<uint8_t>(text[0]));
  if (lead.length == 0) return {Utf8Kind::kInvalid, 1};
  for (size_t i = 1; i < lead.length; ++i) {
    if (i == text.size()) return {Utf8Kind::kIncomplete, i};
    const auto byte = static_cast<uint8_t>(text[i]);
    if (byte < lead.low || byte > lead.high) return {Utf8Kind::kInvalid, i};
    lead.low = 0x80;
    lead.high = 0xBF;
  }
  return {Utf8Kind::kCharacter, lead.length};
}

size_t utf8_prefix(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  size_t n = 0;
  while (n < text.size()) {
    uint64_t eight = kHighBits;
    if (n + sizeof(eight) <= text.size()) std::memcpy(&eight, text.data() + n, sizeof(eight));
    if ((eight & kHighBits) == 0) {  // ASCII
      n += sizeof(eight);
      continue;
    }
    const Utf8Step step = utf8_step(text.substr(n));
    if (step.kind != Utf8Kind::kCharacter) break;
    n += step.length;
  }
  return n;
}

std::string Utf8Stream::push(std::string_view bytes) {
  held_.append(bytes);
  std::string out;
  std::string_view rest = held_;
  while (!rest.empty()) {
    const Utf8Step step = utf8_step(rest);
    if (step.kind == Utf8Kind::kIncomplete) break;
    out.append(step.kind == Utf8Kind::kCharacter ? rest.substr(0, step.length) : kReplacement);
    rest.remove_prefix(step.length);
  }
  held_.erase(0, held_.size() - rest.size());
  return out;
}

std::string Utf8Stream::finish() {
  std::string out(held_.empty() ? std::string_view() : kReplacement);
  held_.clear();
  return out;
}

}  // namespace minfer
