# Fails when an object file defines a weak symbol: cmake -DNM=nm -DOBJECTS=a.o;b.o -P check_isa_objects.cmake
# The linker keeps one of several weak definitions. If that one was compiled for AVX-512, code that must run on any CPU
# would call it.
if(NOT OBJECTS)
  message(FATAL_ERROR "no object files")
endif()
foreach(object ${OBJECTS})
  execute_process(COMMAND ${NM} --defined-only ${object} OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${NM} cannot read ${object}")
  endif()
  string(REGEX MATCHALL "[0-9a-fA-F]+ [WwVvu] [^\n]+" weak "${symbols}")
  if(weak)
    message(SEND_ERROR "${object} defines weak symbols: ${weak}")
  endif()
endforeach()
