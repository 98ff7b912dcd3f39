// Fits messages, as applications send them, to what a template takes. transformers passes messages on unchanged; where
// that would print a Python list into the prompt or fail, this does what llama.cpp does, and says so.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "text/chat_template/chat_template.h"

namespace minfer {

// What a template does with the forms of a message, found out by rendering small probes.
struct MessageForms {
  bool text_content = true;       // content as a string
  bool part_content = false;      // content as a list of {"type": "text", "text": …}
  bool text_arguments = true;     // arguments of tool calls as a string that holds JSON
  bool object_arguments = false;  // the same as an object
};

MessageForms probe_message_forms(const ChatTemplate& chat_template);

struct AdaptedMessages {
  nlohmann::ordered_json messages;
  std::vector<std::string> notes;  // one sentence for each kind of change made
};

// Checks and adapts: every message is an object with a string role; content is absent, null, a string or a list of text
// parts ("text" or "input_text"). Null and absent content stay as they are. For a template that takes no parts their
// texts are joined by "\n"; for one that takes only parts a string becomes one part. Arguments of tool calls that are a
// string become the object they hold, when the template wants one and the string is one.
// Throws Error(kInvalidArgument) that names the message.
AdaptedMessages adapt_messages(nlohmann::ordered_json messages, const MessageForms& forms);

}  // namespace minfer
