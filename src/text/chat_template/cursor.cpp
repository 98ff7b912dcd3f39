#include "text/chat_template/cursor.h"

#include "text/chat_template/failure.h"
#include "text/chat_template/loop.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {

bool is_iterable(const Value& value) {
  return value.as_text() || value.as_list_or_tuple() || value.as_dict() || value.as_range() || value.as_view() ||
         value.as_iterator() || value.as_loop() || value.is_undefined();
}

Cursor::Cursor(Value source) : source_(std::move(source)) {
  if (!is_iterable(source_)) fail_render("'{}' object is not iterable", type_name(source_));
}

bool Cursor::next_of(const List& items, Value& item) {
  if (position_ >= items.size()) return false;
  item = items[position_++];
  return true;
}

bool Cursor::next(Value& item) {
  if (const List* items = source_.as_list_or_tuple()) return next_of(*items, item);
  if (const ViewData* view = source_.as_view()) return next_of(view->items, item);
  if (IteratorData* iterator = source_.as_iterator()) return iterator->next(item);
  if (const DictData* dict = source_.as_dict()) {
    if (position_ >= dict->entries.size()) return false;
    item = dict->entries[position_++].first;
    return true;
  }
  if (const TextData* text = source_.as_text()) {
    if (position_ >= text->bytes.size()) return false;
    const size_t begin = position_;
    unicode::next(text->bytes, position_);
    item = Value::text(text->bytes.substr(begin, position_ - begin));
    return true;
  }
  if (const RangeData* range = source_.as_range()) {
    if (static_cast<int64_t>(position_) >= range->count) return false;
    item = Value::integer(range->at(static_cast<int64_t>(position_++)));
    return true;
  }
  if (Loop* loop = source_.as_loop()) {
    if (!loop->advance()) return false;
    item = Value::tuple({loop->item(), source_});
    return true;
  }
  return false;
}

}  // namespace minfer::jinja
