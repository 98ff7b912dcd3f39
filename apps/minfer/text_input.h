// Texts and token ids that a command reads from files, words or standard input.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer::app {

bool input_is_terminal();

// The whole file, byte for byte; "-" is standard input. Throws kNotFound, kIo, kInvalidArgument (a directory), naming
// it; kOutOfMemory beyond 1 GiB.
std::string read_text_file(const std::string& path);

// `text` without one line end behind it.
std::string without_last_line_end(std::string text);

// Warns `log` when `text` holds bytes that the tokenizer leaves out, with their number and the first of them.
void note_missing_bytes(const Tokenizer& tokenizer, std::string_view text, const Log& log);

// Ids with commas or blanks between them; brackets around the whole are allowed. `where` names them in messages. Throws
// kInvalidArgument.
std::vector<TokenId> parse_token_ids(std::string_view text, std::string_view where);

}  // namespace minfer::app
