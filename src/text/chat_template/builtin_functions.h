// Declarations of every filter, test and method, made from the lists.
#pragma once

#include "text/chat_template/value.h"

namespace minfer::jinja {

#define FILTER(name, function) Value function(Interpreter& interpreter, const Value& input, CallArgs& args);
#include "text/chat_template/filter_list.inc"
#undef FILTER

#define TEST(name, function) bool function(Interpreter& interpreter, const Value& input, CallArgs& args);
#include "text/chat_template/test_list.inc"
#undef TEST

#define METHOD(name, function) Value function(Interpreter& interpreter, const Value& self, CallArgs& args);
#include "text/chat_template/dict_method_list.inc"
#include "text/chat_template/sequence_method_list.inc"
#include "text/chat_template/text_method_list.inc"
#undef METHOD

}  // namespace minfer::jinja
