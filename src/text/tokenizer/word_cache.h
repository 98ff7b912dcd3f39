// Remembers the ids of short words while one text is encoded: ordinary text repeats most of its words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokenizer/text_hash.h"
#include "text/tokenizer/tokenizer_spec.h"

namespace minfer {

// The ids themselves are not kept, only where in the output they stand: the output must be the same vector all the time
// and may only grow. A new word takes the place of the one that was there.
class WordCache {
 public:
  // For a text of `n_bytes`.
  explicit WordCache(size_t n_bytes) {
    words_.resize(std::clamp(std::bit_ceil(n_bytes / kBytesPerWord + 1), kMinWords, kMaxWords));
  }

  // If `word` is known, appends its ids to `ids` and returns true.
  bool append_known(std::string_view word, std::vector<TokenId>& ids) {
    if (word.size() > kMaxBytes || word.empty()) return false;
    key_ = short_text_key(word);
    slot_ = hash_short_text(key_, word.size()) & (words_.size() - 1);
    const Word& known = words_[slot_];
    if (known.n_bytes != word.size() || known.key != key_) return false;
    for (uint64_t i = 0; i < known.n_ids; ++i) ids.push_back(ids[known.first_id + i]);
    return true;
  }

  // After append_known(word, ids) has returned false: the ids of `word` are those from `first_id` on.
  void remember(std::string_view word, size_t first_id, const std::vector<TokenId>& ids) {
    if (word.size() > kMaxBytes || word.empty()) return;
    words_[slot_] = {key_, first_id, static_cast<uint32_t>(ids.size() - first_id), static_cast<uint32_t>(word.size())};
  }

 private:
  static constexpr size_t kMaxBytes = 16;
  static constexpr size_t kBytesPerWord = 16;
  static constexpr size_t kMinWords = 32;
  static constexpr size_t kMaxWords = 8192;

  struct Word {
    ShortTextKey key;
    uint64_t first_id = 0;
    uint32_t n_ids = 0;
    uint32_t n_bytes = 0;  // 0: none
  };

  std::vector<Word> words_;  // [a power of two]
  ShortTextKey key_;         // of the word that was looked for
  size_t slot_ = 0;
};

}  // namespace minfer
