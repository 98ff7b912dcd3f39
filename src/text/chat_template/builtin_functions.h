// Declarations of every filter, test and method, made from the lists.
#pragma once

#include "text/chat_template/value.h"

namespace minfer::jinja {

#define MINFER_FILTER(name, function) Value function(Interpreter& interpreter, const Value& input, CallArgs& args);
#include "text/chat_template/filter_list.inc"
#undef MINFER_FILTER

#define MINFER_TEST(name, function) bool function(Interpreter& interpreter, const Value& input, CallArgs& args);
#include "text/chat_template/test_list.inc"
#undef MINFER_TEST

#define MINFER_METHOD(name, function) Value function(Interpreter& interpreter, const Value& self, CallArgs& args);
#include "text/chat_template/dict_method_list.inc"
#include "text/chat_template/sequence_method_list.inc"
#include "text/chat_template/text_method_list.inc"
#undef MINFER_METHOD

}  // namespace minfer::jinja
