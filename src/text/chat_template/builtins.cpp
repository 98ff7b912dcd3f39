#include "text/chat_template/builtins.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/chat_template/builtin_functions.h"

namespace minfer::jinja {
namespace {

template <typename Function>
struct Row {
  std::string_view name;
  Function function;
};

constexpr Row<FilterFunction> kFilters[] = {
#define MINFER_FILTER(name, function) {#name, function},
#include "text/chat_template/filter_list.inc"
#undef MINFER_FILTER
};

constexpr Row<TestFunction> kTests[] = {
#define MINFER_TEST(name, function) {#name, function},
#include "text/chat_template/test_list.inc"
#undef MINFER_TEST
};

#define MINFER_METHOD(name, function) {#name, function},
constexpr Row<FilterFunction> kTextMethods[] = {
#include "text/chat_template/text_method_list.inc"
};
constexpr Row<FilterFunction> kDictMethods[] = {
#include "text/chat_template/dict_method_list.inc"
};
constexpr Row<FilterFunction> kSequenceMethods[] = {
#include "text/chat_template/sequence_method_list.inc"
};
#undef MINFER_METHOD

// The operators are names of tests too: `select('==', 1)`.
constexpr Row<TestFunction> kOperatorTests[] = {{"!=", test_ne}, {"<", test_lt}, {"<=", test_le},
                                                {"==", test_eq}, {">", test_gt}, {">=", test_ge}};

template <typename Rows>
auto find(const Rows& rows, std::string_view name) -> decltype(std::begin(rows)->function) {
  const auto* row = std::lower_bound(std::begin(rows), std::end(rows), name,
                                     [](const auto& r, std::string_view key) { return r.name < key; });
  return row != std::end(rows) && row->name == name ? row->function : nullptr;
}

template <size_t n>
bool holds(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

FilterFunction find_filter(std::string_view name) {
  return find(kFilters, name);
}

TestFunction find_test(std::string_view name) {
  const TestFunction by_name = find(kTests, name);
  return by_name ? by_name : find(kOperatorTests, name);
}

FilterFunction find_method(const Value& value, std::string_view name) {
  if (value.as_text()) return find(kTextMethods, name);
  if (value.as_dict()) return find(kDictMethods, name);
  if (value.as_list()) return name == "copy" ? filter_list : find(kSequenceMethods, name);
  if (value.as_tuple()) return find(kSequenceMethods, name);
  return nullptr;
}

bool is_unsupported_method(const Value& value, std::string_view name) {
  constexpr std::array<std::string_view, 6> kText = {"encode",       "expandtabs", "format_map",
                                                     "isidentifier", "maketrans",  "translate"};
  constexpr std::array<std::string_view, 1> kDict = {"fromkeys"};
  return (value.as_text() && holds(kText, name)) || (value.as_dict() && holds(kDict, name));
}

bool is_mutating_method(const Value& value, std::string_view name) {
  constexpr std::array<std::string_view, 8> kList = {"append", "clear",  "extend",  "insert",
                                                     "pop",    "remove", "reverse", "sort"};
  constexpr std::array<std::string_view, 5> kDict = {"clear", "pop", "popitem", "setdefault", "update"};
  return (value.as_list() && holds(kList, name)) || (value.as_dict() && holds(kDict, name));
}

std::string text_method_names() {
  std::string out;
  for (const auto& row : kTextMethods) out += (out.empty() ? "" : ", ") + std::string(row.name);
  return out;
}

}  // namespace minfer::jinja
