// strftime as Python's datetime gives it for a local time without a zone, in the C locale.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace minfer::jinja {

// %f is 000000 (no microseconds are kept), %z and %Z are empty. Refuses formats that give more than 4 KiB.
std::string format_time(const std::tm& time, std::string_view format);

}  // namespace minfer::jinja
