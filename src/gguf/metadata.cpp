// Conversions from the bytes of metadata values to what callers ask for.
#include "gguf/metadata.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace minfer {
namespace {

constexpr uint64_t kMaxI64 = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());

template <typename T>
T read_at(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

GgufScalar read_number(GgufType type, const std::byte* p) {
  switch (type) {
    case GgufType::kU8: return uint64_t{read_at<uint8_t>(p)};
    case GgufType::kU16: return uint64_t{read_at<uint16_t>(p)};
    case GgufType::kU32: return uint64_t{read_at<uint32_t>(p)};
    case GgufType::kU64: return read_at<uint64_t>(p);
    case GgufType::kI8: return int64_t{read_at<int8_t>(p)};
    case GgufType::kI16: return int64_t{read_at<int16_t>(p)};
    case GgufType::kI32: return int64_t{read_at<int32_t>(p)};
    case GgufType::kI64: return read_at<int64_t>(p);
    case GgufType::kF32: return read_at<float>(p);
    case GgufType::kF64: return read_at<double>(p);
    case GgufType::kBool: return read_at<uint8_t>(p) != 0;
    case GgufType::kString:
    case GgufType::kArray: break;
  }
  fail(ErrorCode::kInternal, "[gguf] a {} is not a number", gguf_type_name(type));
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Calls visit(index, text) for the first `n` strings of an array.
template <typename Visit>
void visit_strings(const GgufValue& array, uint64_t n, Visit&& visit) {
  std::span<const std::byte> rest = array.payload;
  for (uint64_t i = 0; i < n; ++i) {
    const auto length = read_at<uint64_t>(rest.data());
    visit(i, as_text(rest.subspan(8, length)));
    rest = rest.subspan(8 + length);
  }
}

// The elements of a numeric array whose type is T.
template <typename T, typename Out>
std::vector<Out> converted(const GgufValue& array) {
  std::vector<Out> out(array.count);
  const std::byte* from = array.payload.data();
  for (Out& number : out) {
    number = static_cast<Out>(read_at<T>(from));
    from += sizeof(T);
  }
  return out;
}

[[noreturn]] void wrong_type(std::string_view key, std::string_view expected, const GgufValue& found) {
  fail(ErrorCode::kBadFile, "GGUF: key '{}' has the wrong type: expected {}, found {}", printable(key), expected,
       found.type_name());
}

std::optional<int64_t> to_i64(const GgufScalar& scalar) {
  if (const auto* b = std::get_if<bool>(&scalar)) return *b ? 1 : 0;
  if (const auto* i = std::get_if<int64_t>(&scalar)) return *i;
  const auto* u = std::get_if<uint64_t>(&scalar);
  if (u == nullptr || *u > kMaxI64) return std::nullopt;
  return static_cast<int64_t>(*u);
}

std::optional<double> to_f64(const GgufScalar& scalar) {
  if (const auto* f = std::get_if<float>(&scalar)) return double{*f};
  if (const auto* d = std::get_if<double>(&scalar)) return *d;
  return std::nullopt;
}

[[noreturn]] void out_of_range(std::string_view key, std::string_view expected, const std::string& found) {
  fail(ErrorCode::kBadFile, "GGUF: key '{}' is out of range: expected {}, found {}", printable(key), expected, found);
}

template <typename T>
T required(std::optional<T> value, std::string_view key, std::string_view expected) {
  if (!value) fail(ErrorCode::kBadFile, "GGUF: key '{}' is missing: expected {}", printable(key), expected);
  return *value;
}

constexpr std::string_view kUnsigned = "an unsigned integer";
constexpr std::string_view kInteger = "an integer";
constexpr std::string_view kNumber = "a float";
constexpr std::string_view kBoolean = "a bool";
constexpr std::string_view kText = "a string";

}  // namespace

std::string GgufValue::type_name() const {
  if (!is_array()) return std::string(gguf_type_name(type));
  return fmt::format("array of {}", gguf_type_name(element_type));
}

std::vector<GgufScalar> GgufValue::elements(uint64_t first, uint64_t n) const {
  check(first <= count && n <= count - first, "[gguf] elements {} + {} of {}", first, n, count);
  std::vector<GgufScalar> out;
  out.reserve(n);
  const GgufType kind = is_array() ? element_type : type;
  if (kind != GgufType::kString) {
    const uint64_t width = gguf_type_bytes(kind);
    for (uint64_t i = first; i < first + n; ++i) out.push_back(read_number(kind, payload.data() + i * width));
  } else if (is_array()) {
    visit_strings(*this, first + n, [&](uint64_t i, std::string_view text) {
      if (i >= first) out.emplace_back(text);
    });
  } else {
    out.emplace_back(as_text(payload));
  }
  return out;
}

const GgufValue* GgufMetadata::find(std::string_view key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? nullptr : &entries_[found->second].value;
}

std::optional<uint64_t> GgufMetadata::find_u64(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!is_unsigned(value->type) && !is_signed(value->type)) wrong_type(key, kUnsigned, *value);
  const GgufScalar scalar = value->scalar();
  if (const auto* u = std::get_if<uint64_t>(&scalar)) return *u;
  const int64_t i = to_i64(scalar).value();
  if (i < 0) out_of_range(key, kUnsigned, fmt::format("{}", i));
  return static_cast<uint64_t>(i);
}

std::optional<int64_t> GgufMetadata::find_i64(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!is_unsigned(value->type) && !is_signed(value->type)) wrong_type(key, kInteger, *value);
  const GgufScalar scalar = value->scalar();
  const std::optional<int64_t> number = to_i64(scalar);
  if (!number) out_of_range(key, "at most 63 bits", fmt::format("{}", std::get<uint64_t>(scalar)));
  return number;
}

std::optional<bool> GgufMetadata::find_bool(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->type != GgufType::kBool) wrong_type(key, kBoolean, *value);
  return std::get<bool>(value->scalar());
}

std::optional<double> GgufMetadata::find_f64(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!is_float(value->type)) wrong_type(key, kNumber, *value);
  return to_f64(value->scalar());
}

std::optional<float> GgufMetadata::find_f32(std::string_view key) const {
  const std::optional<double> value = find_f64(key);
  if (!value) return std::nullopt;
  return static_cast<float>(*value);
}

std::optional<std::string_view> GgufMetadata::find_string(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->type != GgufType::kString) wrong_type(key, kText, *value);
  return as_text(value->payload);
}

uint64_t GgufMetadata::get_u64(std::string_view key) const {
  return required(find_u64(key), key, kUnsigned);
}
int64_t GgufMetadata::get_i64(std::string_view key) const {
  return required(find_i64(key), key, kInteger);
}
bool GgufMetadata::get_bool(std::string_view key) const {
  return required(find_bool(key), key, kBoolean);
}
float GgufMetadata::get_f32(std::string_view key) const {
  return required(find_f32(key), key, kNumber);
}
double GgufMetadata::get_f64(std::string_view key) const {
  return required(find_f64(key), key, kNumber);
}
std::string_view GgufMetadata::get_string(std::string_view key) const {
  return required(find_string(key), key, kText);
}

const GgufValue& GgufMetadata::require_array(std::string_view key, std::string_view expected) const {
  const GgufValue* value = find(key);
  if (value == nullptr) fail(ErrorCode::kBadFile, "GGUF: key '{}' is missing: expected {}", printable(key), expected);
  if (!value->is_array()) wrong_type(key, expected, *value);
  return *value;
}

std::vector<std::string_view> GgufMetadata::get_string_array(std::string_view key) const {
  const GgufValue& value = require_array(key, "an array of string");
  if (value.element_type != GgufType::kString) wrong_type(key, "an array of string", value);
  std::vector<std::string_view> out;
  out.reserve(value.count);
  visit_strings(value, value.count, [&](uint64_t, std::string_view text) { out.push_back(text); });
  return out;
}

std::vector<int64_t> GgufMetadata::get_i64_array(std::string_view key) const {
  constexpr std::string_view kExpected = "an array of integers";
  const GgufValue& value = require_array(key, kExpected);
  switch (value.element_type) {
    case GgufType::kU8: return converted<uint8_t, int64_t>(value);
    case GgufType::kU16: return converted<uint16_t, int64_t>(value);
    case GgufType::kU32: return converted<uint32_t, int64_t>(value);
    case GgufType::kI8: return converted<int8_t, int64_t>(value);
    case GgufType::kI16: return converted<int16_t, int64_t>(value);
    case GgufType::kI32: return converted<int32_t, int64_t>(value);
    case GgufType::kBool: return converted<uint8_t, int64_t>(value);
    case GgufType::kI64: return converted<int64_t, int64_t>(value);
    case GgufType::kU64: break;
    default: wrong_type(key, kExpected, value);
  }
  std::vector<int64_t> out = converted<uint64_t, int64_t>(value);
  const auto negative = std::find_if(out.begin(), out.end(), [](int64_t number) { return number < 0; });
  if (negative != out.end()) {
    out_of_range(key, "at most 63 bits", fmt::format("more in element {}", negative - out.begin()));
  }
  return out;
}

std::vector<float> GgufMetadata::get_f32_array(std::string_view key) const {
  constexpr std::string_view kExpected = "an array of floats";
  const GgufValue& value = require_array(key, kExpected);
  if (value.element_type == GgufType::kF32) return converted<float, float>(value);
  if (value.element_type == GgufType::kF64) return converted<double, float>(value);
  wrong_type(key, kExpected, value);
}

std::optional<uint64_t> GgufMetadata::find_array_size(std::string_view key) const {
  const GgufValue* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_array()) wrong_type(key, "an array", *value);
  return value->count;
}

bool GgufMetadata::add(std::string_view key, const GgufValue& value) {
  if (!index_.emplace(key, entries_.size()).second) return false;
  entries_.push_back({key, value});
  return true;
}

size_t GgufMetadata::index_of(std::string_view key) const {
  const auto found = index_.find(key);
  check(found != index_.end(), "[gguf] no key '{}'", printable(key));
  return found->second;
}

}  // namespace minfer
