// The values a template computes with: Python's None, bool, int, float, str, list, tuple, dict, range and views, and
// jinja2's undefined, namespace, loop and callables. Values are immutable but for namespaces and iterators.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "text/chat_template/memory_account.h"

namespace minfer::jinja {

class Interpreter;
class Loop;
class Value;
using List = std::vector<Value>;

// How deep containers are nested (0 for scalars), and how many values they hold when shared ones are counted each
// time, long texts for more than one. Both are bounded, so that walking a value is.
struct Extent {
  int depth = 0;
  uint64_t weight = 1;
};

struct UndefinedData {
  std::string message;  // the error when it is used for more than printing and tests
  Charge charge;
};

// A string. `markup` marks the result of `|safe` and `|escape`: adding other text to it escapes that text.
struct TextData {
  std::string bytes;
  bool markup = false;
  Charge charge;
};

struct ListData {
  List items;
  Extent extent;
  Charge charge;
};

struct TupleData {
  List items;
  Extent extent;
  Charge charge;
};

// dict.items(), keys() and values(): sized and iterable, but not a sequence.
struct ViewData {
  std::string_view type;
  List items;
  Extent extent;
  Charge charge;
};

struct RangeData {
  int64_t start;
  int64_t step;
  int64_t count;

  int64_t at(int64_t index) const { return start + index * step; }
};

// A generator: gives each item once.
struct IteratorData {
  std::function<bool(Value&)> next;  // false at the end
  Extent extent;
  Charge charge;
};

// Named attributes that a template may assign. The interpreter owns every namespace to the end of the rendering.
struct NamespaceData {
  std::vector<std::pair<std::string, Value>> attributes;
  Charge charge;
};

struct CallArgs {
  List positional;
  std::vector<std::pair<std::string, Value>> named;
};

struct CallableData {
  std::string name;  // as printed: "macro 'x'"
  std::function<Value(Interpreter&, CallArgs&)> call;
  Extent extent;
  Charge charge;
};

struct DictData;

class Value {
 public:
  Value() = default;  // None

  static Value none() { return Value(); }
  static Value boolean(bool b) { return Value(Data(b)); }
  static Value integer(int64_t i) { return Value(Data(i)); }
  static Value real(double d) { return Value(Data(d)); }
  static Value text(std::string bytes, bool markup = false);
  static Value undefined(std::string message);
  static Value list(List items);
  static Value tuple(List items);
  static Value view(std::string_view type, List items);
  static Value range(RangeData range);
  static Value dict(std::vector<std::pair<Value, Value>> entries);  // keys must differ
  static Value iterator(const Value& source, std::function<bool(Value&)> next);
  static Value callable(std::string name, std::function<Value(Interpreter&, CallArgs&)> call, int depth = 0);
  static Value name_space(std::shared_ptr<NamespaceData> data) { return Value(Data(std::move(data))); }
  static Value loop(std::shared_ptr<Loop> data) { return Value(Data(std::move(data))); }

  bool is_none() const { return std::holds_alternative<std::monostate>(data_); }
  bool is_undefined() const { return as_undefined() != nullptr; }
  bool is_number() const { return as_bool() || as_integer() || as_real(); }

  const bool* as_bool() const { return std::get_if<bool>(&data_); }
  const int64_t* as_integer() const { return std::get_if<int64_t>(&data_); }
  const double* as_real() const { return std::get_if<double>(&data_); }
  const TextData* as_text() const { return object<const TextData>(); }
  const UndefinedData* as_undefined() const { return object<const UndefinedData>(); }
  const DictData* as_dict() const { return object<const DictData>(); }
  const RangeData* as_range() const { return object<const RangeData>(); }
  const ViewData* as_view() const { return object<const ViewData>(); }
  const CallableData* as_callable() const { return object<const CallableData>(); }
  IteratorData* as_iterator() const { return object<IteratorData>(); }
  NamespaceData* as_namespace() const { return object<NamespaceData>(); }
  Loop* as_loop() const { return object<Loop>(); }

  // The items of a list, or of a tuple; null for anything else.
  const List* as_list() const;
  const List* as_tuple() const;
  const List* as_list_or_tuple() const { return as_list() ? as_list() : as_tuple(); }

  // Python's truth value.
  bool truth() const;
  Extent extent() const;
  // Same object (Python's `is`).
  bool same(const Value& other) const;

 private:
  using Data = std::variant<
      std::monostate, bool, int64_t, double, std::shared_ptr<const TextData>, std::shared_ptr<const ListData>,
      std::shared_ptr<const DictData>, std::shared_ptr<const UndefinedData>, std::shared_ptr<const TupleData>,
      std::shared_ptr<const ViewData>, std::shared_ptr<const RangeData>, std::shared_ptr<const CallableData>,
      std::shared_ptr<IteratorData>, std::shared_ptr<NamespaceData>, std::shared_ptr<Loop>>;
  explicit Value(Data data) : data_(std::move(data)) {}

  template <typename T>
  T* object() const {
    const auto* pointer = std::get_if<std::shared_ptr<T>>(&data_);
    return pointer ? pointer->get() : nullptr;
  }

  Data data_;
};

// A dict in the order of insertion. Lookups walk the entries: a message or a schema has few keys.
struct DictData {
  std::vector<std::pair<Value, Value>> entries;
  Extent extent;
  Charge charge;

  const Value* find(std::string_view key) const;  // null when absent
  const Value* find(const Value& key) const;      // refuses keys that Python cannot hash
};

// type(value).__name__ of Python.
std::string_view type_name(const Value& value);

// Number of items: characters of a str, items of containers; fails for the rest as len() does.
int64_t length_of(const Value& value);

// Python's ==.
bool equal(const Value& a, const Value& b);

// Refuses what cannot be a dict key.
void require_hashable(const Value& key);

}  // namespace minfer::jinja
