// Standard output and standard error. Results go to the first, everything else to the second.
#pragma once

#include <string>
#include <string_view>

#include "base/log.h"

namespace minfer::app {

// Gives descriptors 0 to 2 something to stand on, so that no file that is opened later takes their place; reading a
// standard input and writing to a standard output that was closed stay errors.
void hold_standard_descriptors();

// Writes all of `bytes` to standard output at once: exactly, but on a terminal with \xNN for control characters other
// than line ends and tabs and for what is not UTF-8, so that a model's text cannot steer it. Whole characters, then.
// Throws OutputClosed when its reader went away, else kIo (full
// disk).
void write_output(std::string_view bytes);

// One line on standard error; failures are ignored, since there is nowhere to report them.
void write_message(std::string_view line);

// The message of std::bad_alloc; allocates nothing.
void write_out_of_memory();

bool output_is_terminal();
bool messages_are_terminal();

// "notice: …" lines on standard error, unless `quiet`; details as well when `verbose`.
Log message_log(bool quiet, bool verbose);

}  // namespace minfer::app
