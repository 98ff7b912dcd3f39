// Prints docs/settings.md (scripts/update_docs.sh).
#include <cstdio>

#include "base/settings_help.h"

int main() {
  const std::string page = minfer::settings_markdown();
  return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() ? 0 : 1;
}
