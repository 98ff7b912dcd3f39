#include "text/chat_template/clock.h"

#include <clocale>
#include <memory>
#include <type_traits>
#include <vector>

#include "text/chat_template/failure.h"

namespace minfer::jinja {
namespace {

std::string without_zone(std::string_view format) {
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      out += format[i];
      continue;
    }
    const char directive = format[++i];
    if (directive == 'f') {
      out += "000000";
    } else if (directive != 'z' && directive != 'Z') {
      out += '%';
      out += directive;
    }
  }
  return out;
}

}  // namespace

std::string format_time(const std::tm& time, std::string_view format) {
  constexpr size_t kMaxBytes = 4096;
  if (format.size() > kMaxBytes) fail_render("strftime_now(): the format has more than {} bytes", kMaxBytes);
  // A closing mark tells an empty result from one that is too long.
  const std::string marked = without_zone(format) + "|";
  const auto release = [](locale_t l) { freelocale(l); };
  const std::unique_ptr<std::remove_pointer_t<locale_t>, decltype(release)> locale(newlocale(LC_ALL_MASK, "C", nullptr),
                                                                                   release);
  std::vector<char> buffer(kMaxBytes + 1);
  const size_t n = strftime_l(buffer.data(), buffer.size(), marked.c_str(), &time, locale.get());
  if (n == 0) fail_render("strftime_now(): the result has more than {} bytes", kMaxBytes);
  return std::string(buffer.data(), n - 1);
}

}  // namespace minfer::jinja
