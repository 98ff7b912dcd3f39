# `cmake --install`: the program, one library per layer, their headers, and a package that find_package(minfer) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What users of the library link: minfer::minfer.
add_library(libminfer INTERFACE)
target_link_libraries(libminfer INTERFACE minfer_engine minfer_builtin)
set_target_properties(libminfer PROPERTIES EXPORT_NAME minfer)

get_property(layers GLOBAL PROPERTY MINFER_LAYER_TARGETS)
foreach(layer ${layers})
  string(REGEX REPLACE "^minfer_" "" short ${layer})
  set_target_properties(${layer} PROPERTIES EXPORT_NAME ${short})
endforeach()
install(TARGETS libminfer ${layers} EXPORT minfer-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/minfer)
install(EXPORT minfer-targets NAMESPACE minfer:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/minfer)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/minfer
  FILES_MATCHING PATTERN "*.h" PATTERN "*_list.inc")
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/minfer-config.cmake.in
  ${PROJECT_BINARY_DIR}/minfer-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/minfer)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/minfer-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/minfer-config.cmake ${PROJECT_BINARY_DIR}/minfer-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/minfer)
if(TARGET minfer)
  install(TARGETS minfer RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
