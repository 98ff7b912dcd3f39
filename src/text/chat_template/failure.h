// The errors of chat templates: the public TemplateError and the way the interpreter's parts raise one.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace minfer {

enum class TemplateErrorKind { kUnsupported, kSyntax, kRender };

// what() is "chat template error — {kind}: {detail} (template line N)".
class TemplateError : public Error {
 public:
  TemplateError(TemplateErrorKind kind, std::string detail, int line, bool raised_by_template = false);

  TemplateErrorKind kind() const { return kind_; }
  int line() const { return line_; }

  // What went wrong, without kind and line. For raise_exception(message): the template's own message alone.
  const std::string& detail() const { return detail_; }

  // True when the template itself refused its input, by raise_exception.
  bool raised_by_template() const { return raised_by_template_; }

 private:
  TemplateErrorKind kind_;
  std::string detail_;
  int line_;
  bool raised_by_template_;
};

namespace jinja {

// What the parts of the interpreter throw; the renderer adds the line and turns it into a TemplateError.
struct Failure {
  TemplateErrorKind kind;
  std::string detail;
  bool raised_by_template = false;
  bool names_construct = false;  // whether the innermost construct is to be added to `detail`
};

template <typename... Args>
[[noreturn]] void fail_render(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure{TemplateErrorKind::kRender, fmt::format(format, std::forward<Args>(args)...)};
}

// A limit was passed. The message also names what the template was doing: ", in the filter 'join'".
template <typename... Args>
[[noreturn]] void fail_limit(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure{TemplateErrorKind::kRender, fmt::format(format, std::forward<Args>(args)...), false, true};
}

template <typename... Args>
[[noreturn]] void fail_unsupported(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure{TemplateErrorKind::kUnsupported, fmt::format(format, std::forward<Args>(args)...)};
}

template <typename... Args>
[[noreturn]] void fail_syntax(int line, fmt::format_string<Args...> format, Args&&... args) {
  throw TemplateError(TemplateErrorKind::kSyntax, fmt::format(format, std::forward<Args>(args)...), line);
}

}  // namespace jinja
}  // namespace minfer
