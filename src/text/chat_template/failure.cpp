#include "text/chat_template/failure.h"

namespace minfer {
namespace {

std::string_view kind_text(TemplateErrorKind kind) {
  switch (kind) {
    case TemplateErrorKind::kUnsupported: return "unsupported template construct";
    case TemplateErrorKind::kSyntax: return "syntax error";
    case TemplateErrorKind::kRender: return "render error";
  }
  return "error";
}

ErrorCode kind_code(TemplateErrorKind kind) {
  switch (kind) {
    case TemplateErrorKind::kUnsupported: return ErrorCode::kUnsupported;
    case TemplateErrorKind::kSyntax: return ErrorCode::kBadFile;
    case TemplateErrorKind::kRender: return ErrorCode::kInvalidArgument;
  }
  return ErrorCode::kInternal;
}

}  // namespace

TemplateError::TemplateError(TemplateErrorKind kind, std::string detail, int line, bool raised_by_template)
    : Error(kind_code(kind), fmt::format("chat template error — {}: {} (template line {})", kind_text(kind),
                                         printable(detail, 1000), line)),
      kind_(kind),
      detail_(std::move(detail)),
      line_(line),
      raised_by_template_(raised_by_template) {}

}  // namespace minfer
