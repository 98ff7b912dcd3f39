# Run at each build: writes OUTPUT, the definition of build_commit(), when the commit of SOURCE_DIR is another one.
set(commit unknown)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE_DIR} describe --always --abbrev=7 --exclude=* --dirty
    OUTPUT_VARIABLE described RESULT_VARIABLE result ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(result EQUAL 0 AND described MATCHES "^[0-9a-f]+(-dirty)?$")
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "apps/minfer/build_commit.h"

std::string_view minfer::app::build_commit() {
  return "@commit@";
}
]])
