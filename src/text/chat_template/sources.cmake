# Sets TEXT_CHAT_TEMPLATE_SOURCES and TEXT_CHAT_TEMPLATE_DEPS for src/text/CMakeLists.txt.
find_package(PkgConfig REQUIRED)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET GLOBAL libutf8proc)
find_package(nlohmann_json REQUIRED)
set(TEXT_CHAT_TEMPLATE_DEPS PkgConfig::UTF8PROC nlohmann_json::nlohmann_json)
set(TEXT_CHAT_TEMPLATE_SOURCES
  access.cpp arguments.cpp arithmetic.cpp attribute_path.cpp builtins.cpp case_mapping.cpp chat_template.cpp
  clock.cpp comparison.cpp constructs.cpp cursor.cpp expressions.cpp failure.cpp filters_number.cpp filters_select.cpp
  filters_sequence.cpp filters_text.cpp format_braces.cpp format_number.cpp format_percent.cpp globals.cpp
  interpreter.cpp json.cpp lexer.cpp loop.cpp loops.cpp macros.cpp memory_account.cpp messages.cpp methods_data.cpp
  methods_text.cpp methods_text_search.cpp number_text.cpp parser.cpp parser_expressions.cpp
  parser_postfix.cpp printing.cpp statements.cpp string_literal.cpp tests.cpp text_tools.cpp unicode.cpp
  value.cpp)
list(TRANSFORM TEXT_CHAT_TEMPLATE_SOURCES PREPEND chat_template/)
