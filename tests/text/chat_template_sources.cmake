#Sets TEXT_CHAT_TEMPLATE_TESTS for CMakeLists.txt, and adds the program that compares rendered files by hand.
set(TEXT_CHAT_TEMPLATE_TESTS
  chat_template_golden_file.cpp chat_template_golden_test.cpp chat_template_hostile_test.cpp
  chat_template_messages_test.cpp chat_template_test.cpp)
    add_executable(chat_template_check chat_template_check.cpp chat_template_golden_file.cpp)
        target_include_directories(chat_template_check PRIVATE ${PROJECT_SOURCE_DIR})
            target_link_libraries(chat_template_check PRIVATE minfer_flags minfer_text nlohmann_json::nlohmann_json)
