#include "text/chat_template/value.h"

#include <algorithm>

#include "text/chat_template/failure.h"
#include "text/chat_template/limits.h"
#include "text/chat_template/loop.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

// The extent of a container whose parts are added one by one.
class ExtentSum {
 public:
  void add(const Value& part) {
    const Extent extent = part.extent();
    sum_.depth = std::max(sum_.depth, extent.depth);
    sum_.weight += extent.weight;
    if (sum_.weight > kMaxDataWeight) fail_render("a list or dict holds more than {} values", kMaxDataWeight);
  }

  Extent total() const {
    if (sum_.depth >= kMaxDataDepth) fail_render("lists and dicts are nested more than {} deep", kMaxDataDepth);
    return {sum_.depth + 1, sum_.weight};
  }

 private:
  Extent sum_;
};

// What a value takes besides its content: the block and its reference count, and what a function object holds.
constexpr uint64_t kBlockBytes = 96;
constexpr uint64_t kFunctionBytes = 256;

Charge charge_for(const List& items) {
  return Charge(kBlockBytes + items.capacity() * sizeof(Value));
}

Extent extent_of(const List& items) {
  ExtentSum sum;
  for (const Value& item : items) sum.add(item);
  return sum.total();
}

}  // namespace

Value Value::text(std::string bytes, bool markup) {
  Charge charge(kBlockBytes + bytes.size());
  return Value(Data(std::make_shared<const TextData>(TextData{std::move(bytes), markup, std::move(charge)})));
}

Value Value::undefined(std::string message) {
  Charge charge(kBlockBytes + message.size());
  return Value(Data(std::make_shared<const UndefinedData>(UndefinedData{std::move(message), std::move(charge)})));
}

Value Value::list(List items) {
  const Extent extent = extent_of(items);
  Charge charge = charge_for(items);
  return Value(Data(std::make_shared<const ListData>(ListData{std::move(items), extent, std::move(charge)})));
}

Value Value::tuple(List items) {
  const Extent extent = extent_of(items);
  Charge charge = charge_for(items);
  return Value(Data(std::make_shared<const TupleData>(TupleData{std::move(items), extent, std::move(charge)})));
}

Value Value::view(std::string_view type, List items) {
  const Extent extent = extent_of(items);
  Charge charge = charge_for(items);
  return Value(Data(std::make_shared<const ViewData>(ViewData{type, std::move(items), extent, std::move(charge)})));
}

Value Value::range(RangeData range) {
  return Value(Data(std::make_shared<const RangeData>(range)));
}

Value Value::dict(std::vector<std::pair<Value, Value>> entries) {
  ExtentSum sum;
  for (const auto& [key, value] : entries) {
    sum.add(key);
    sum.add(value);
  }
  Charge charge(kBlockBytes + entries.capacity() * 2 * sizeof(Value));
  return Value(Data(std::make_shared<const DictData>(DictData{std::move(entries), sum.total(), std::move(charge)})));
}

Value Value::iterator(const Value& source, std::function<bool(Value&)> next) {
  ExtentSum sum;
  sum.add(source);
  Charge charge(kFunctionBytes);
  return Value(Data(std::make_shared<IteratorData>(IteratorData{std::move(next), sum.total(), std::move(charge)})));
}

Value Value::callable(std::string name, std::function<Value(Interpreter&, CallArgs&)> call, int depth) {
  Charge charge(kFunctionBytes + name.size());
  return Value(Data(std::make_shared<const CallableData>(
      CallableData{std::move(name), std::move(call), {depth, 1}, std::move(charge)})));
}

const List* Value::as_list() const {
  const auto* data = object<const ListData>();
  return data ? &data->items : nullptr;
}

const List* Value::as_tuple() const {
  const auto* data = object<const TupleData>();
  return data ? &data->items : nullptr;
}

bool Value::truth() const {
  if (is_none() || is_undefined()) return false;
  if (const bool* b = as_bool()) return *b;
  if (const int64_t* i = as_integer()) return *i != 0;
  if (const double* d = as_real()) return *d != 0.0;
  if (const TextData* t = as_text()) return !t->bytes.empty();
  if (const List* items = as_list_or_tuple()) return !items->empty();
  if (const DictData* d = as_dict()) return !d->entries.empty();
  if (const ViewData* v = as_view()) return !v->items.empty();
  if (const RangeData* r = as_range()) return r->count > 0;
  return true;
}

Extent Value::extent() const {
  if (const TextData* t = as_text()) return {0, 1 + t->bytes.size() / 32};
  if (const auto* l = object<const ListData>()) return l->extent;
  if (const auto* t = object<const TupleData>()) return t->extent;
  if (const DictData* d = as_dict()) return d->extent;
  if (const ViewData* v = as_view()) return v->extent;
  if (const IteratorData* i = as_iterator()) return i->extent;
  if (const CallableData* c = as_callable()) return c->extent;
  if (const Loop* l = as_loop()) return l->extent();
  return {};
}

bool Value::same(const Value& other) const {
  if (data_.index() != other.data_.index()) return false;
  if (as_text()) return as_text() == other.as_text() || as_text()->bytes == other.as_text()->bytes;
  return data_ == other.data_;
}

const Value* DictData::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    const TextData* text = name.as_text();
    if (text && text->bytes == key) return &value;
  }
  return nullptr;
}

const Value* DictData::find(const Value& key) const {
  if (const TextData* text = key.as_text()) return find(text->bytes);
  require_hashable(key);
  for (const auto& [name, value] : entries) {
    if (equal(name, key)) return &value;
  }
  return nullptr;
}

std::string_view type_name(const Value& value) {
  if (value.is_none()) return "NoneType";
  if (value.is_undefined()) return "Undefined";
  if (value.as_bool()) return "bool";
  if (value.as_integer()) return "int";
  if (value.as_real()) return "float";
  if (const TextData* text = value.as_text()) return text->markup ? "Markup" : "str";
  if (value.as_list()) return "list";
  if (value.as_tuple()) return "tuple";
  if (value.as_dict()) return "dict";
  if (value.as_range()) return "range";
  if (const ViewData* view = value.as_view()) return view->type;
  if (value.as_iterator()) return "generator";
  if (value.as_namespace()) return "Namespace";
  if (value.as_loop()) return "LoopContext";
  return "function";
}

int64_t length_of(const Value& value) {
  if (const TextData* t = value.as_text()) return static_cast<int64_t>(unicode::length(t->bytes));
  if (const List* items = value.as_list_or_tuple()) return static_cast<int64_t>(items->size());
  if (const DictData* d = value.as_dict()) return static_cast<int64_t>(d->entries.size());
  if (const ViewData* v = value.as_view()) return static_cast<int64_t>(v->items.size());
  if (const RangeData* r = value.as_range()) return r->count;
  if (Loop* l = value.as_loop()) return l->length();
  if (value.is_undefined()) return 0;
  fail_render("object of type '{}' has no len()", type_name(value));
}

namespace {

bool equal_items(const List& a, const List& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Value& x, const Value& y) { return equal(x, y); });
}

bool equal_dicts(const DictData& a, const DictData& b) {
  if (a.entries.size() != b.entries.size()) return false;
  for (const auto& [key, value] : a.entries) {
    const Value* other = b.find(key);
    if (!other || !equal(value, *other)) return false;
  }
  return true;
}

// An int64 and a double compare exactly, as Python does.
bool equal_mixed(int64_t i, double d) {
  return d >= -9223372036854775808.0 && d < 9223372036854775808.0 &&
         static_cast<double>(static_cast<int64_t>(d)) == d && static_cast<int64_t>(d) == i;
}

bool equal_numbers(const Value& a, const Value& b) {
  const auto whole = [](const Value& v) { return v.as_bool() ? int64_t{*v.as_bool()} : *v.as_integer(); };
  if (a.as_real() && b.as_real()) return *a.as_real() == *b.as_real();
  if (a.as_real()) return equal_mixed(whole(b), *a.as_real());
  if (b.as_real()) return equal_mixed(whole(a), *b.as_real());
  return whole(a) == whole(b);
}

bool equal_ranges(const RangeData& a, const RangeData& b) {
  if (a.count != b.count) return false;
  return a.count == 0 || (a.start == b.start && (a.count == 1 || a.step == b.step));
}

}  // namespace

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return equal_numbers(a, b);
  if (a.as_text() && b.as_text()) return a.as_text()->bytes == b.as_text()->bytes;
  if (a.as_list() && b.as_list()) return equal_items(*a.as_list(), *b.as_list());
  if (a.as_tuple() && b.as_tuple()) return equal_items(*a.as_tuple(), *b.as_tuple());
  if (a.as_dict() && b.as_dict()) return equal_dicts(*a.as_dict(), *b.as_dict());
  if (a.as_range() && b.as_range()) return equal_ranges(*a.as_range(), *b.as_range());
  if (a.is_undefined() && b.is_undefined()) return true;
  return a.same(b);
}

void require_hashable(const Value& key) {
  if (key.as_list() || key.as_dict()) fail_render("unhashable type: '{}'", type_name(key));
  if (const List* items = key.as_tuple()) {
    for (const Value& item : *items) require_hashable(item);
  }
}

}  // namespace minfer::jinja
