# Sets TEXT_TOKENIZER_SOURCES and TEXT_TOKENIZER_DEPS for src/text/CMakeLists.txt.
find_package(PkgConfig REQUIRED)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET GLOBAL libpcre2-8)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET GLOBAL libutf8proc)
set(TEXT_TOKENIZER_DEPS PkgConfig::PCRE2 PkgConfig::UTF8PROC)
set(TEXT_TOKENIZER_SOURCES
  tokenizer/byte_alphabet.cpp
  tokenizer/byte_level_bpe.cpp
  tokenizer/flat_index.cpp
  tokenizer/merge_table.cpp
  tokenizer/normalizer.cpp
  tokenizer/pre_tokenizer.cpp
  tokenizer/sentencepiece_bpe.cpp
  tokenizer/special_tokens.cpp
  tokenizer/tokenizer.cpp
  tokenizer/utf8.cpp
  tokenizer/vocabulary.cpp
  tokenizer/word_merger.cpp)
