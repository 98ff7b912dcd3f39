#include "text/tokenizer/byte_alphabet.h"

#include <array>

#include "text/tokenizer/utf8.h"

namespace minfer {
namespace {

constexpr bool stands_for_itself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

constexpr unsigned kFirstExtra = 0x100;
constexpr unsigned kExtraCount = 68;

struct Alphabet {
  std::array<uint16_t, 256> letter_of_byte{};
  std::array<uint8_t, kExtraCount> byte_of_extra{};
};

constexpr Alphabet make_alphabet() {
  Alphabet alphabet;
  unsigned n_extra = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (stands_for_itself(byte)) {
      alphabet.letter_of_byte[byte] = static_cast<uint16_t>(byte);
    } else {
      alphabet.letter_of_byte[byte] = static_cast<uint16_t>(kFirstExtra + n_extra);
      alphabet.byte_of_extra[n_extra++] = static_cast<uint8_t>(byte);
    }
  }
  return alphabet;
}

constexpr Alphabet kAlphabet = make_alphabet();

constexpr int kNoByte = -1;

// What a character of two bytes in UTF-8 stands for; all letters beyond ASCII have two.
int byte_of_letter(char first, char second) {
  const unsigned letter = (static_cast<uint8_t>(first) & 0x1FU) << 6 | (static_cast<uint8_t>(second) & 0x3FU);
  if (letter >= kFirstExtra && letter < kFirstExtra + kExtraCount) return kAlphabet.byte_of_extra[letter - kFirstExtra];
  return letter < kFirstExtra && stands_for_itself(letter) ? static_cast<int>(letter) : kNoByte;
}

}  // namespace

void append_letters(std::string_view bytes, std::string& out) {
  for (const char c : bytes) {
    const unsigned letter = kAlphabet.letter_of_byte[static_cast<uint8_t>(c)];
    if (letter < 0x80) {
      out += static_cast<char>(letter);
    } else {
      out += static_cast<char>(0xC0 | (letter >> 6));
      out += static_cast<char>(0x80 | (letter & 0x3F));
    }
  }
}

void append_bytes(std::string_view letters, std::string& out) {
  while (!letters.empty()) {
    const auto [kind, length] = utf8_step(letters);
    const bool may_be_letter = kind == Utf8Kind::kCharacter && length == 2;
    const int byte = may_be_letter ? byte_of_letter(letters[0], letters[1]) : kNoByte;
    if (byte != kNoByte) {
      out += static_cast<char>(byte);
    } else {
      out.append(letters.substr(0, length));  // of ASCII too, which stands for itself
    }
    letters.remove_prefix(length);
  }
}

}  // namespace minfer
