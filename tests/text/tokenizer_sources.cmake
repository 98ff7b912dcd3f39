# Sets TEXT_TOKENIZER_TESTS for CMakeLists.txt, and adds the program that compares with a real tokenizer by hand.
set(TEXT_TOKENIZER_TESTS
  tokenizer_bpe_test.cpp
  tokenizer_decode_test.cpp
  tokenizer_flat_index_test.cpp
  tokenizer_golden_file.cpp
  tokenizer_golden_test.cpp
  tokenizer_hostile_test.cpp
  tokenizer_long_text_test.cpp
  tokenizer_normalizer_test.cpp
  tokenizer_pieces_test.cpp
  tokenizer_pre_tokenizer_test.cpp
  tokenizer_sentencepiece_test.cpp
  tokenizer_special_test.cpp
  tokenizer_tiny_spec.cpp
  tokenizer_utf8_test.cpp)
add_executable(tokenizer_check tokenizer_check.cpp tokenizer_golden_file.cpp)
target_include_directories(tokenizer_check PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(tokenizer_check PRIVATE minfer_flags minfer_text nlohmann_json::nlohmann_json)
