// Damaged and hostile files, each with the message that a person must see.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "gguf/gguf_file.h"
#include "tests/gguf/byte_builder.h"

namespace minfer {
namespace {

using test::ByteBuilder;

constexpr uint32_t kTagU8 = 0, kTagU32 = 4, kTagF32 = 6, kTagBool = 7, kTagString = 8, kTagArray = 9, kTagU64 = 10;
constexpr uint64_t kAllOnes = 0xFFFFFFFFFFFFFFFFu;

struct Case {
  const char* name;
  std::function<void(ByteBuilder&)> build;
  const char* message;  // the beginning of the error
};

void PrintTo(const Case& damaged, std::ostream* out) {
  *out << damaged.name;
}

// Enough zero bytes that a count is refused for what it is, not because the file is short.
void tail(ByteBuilder& b) {
  b.zeros(256);
}

const std::vector<Case>& header_cases() {
  static const std::vector<Case> cases = {
      {"Empty", [](ByteBuilder&) {}, "GGUF: the file is empty (offset 0)"},
      {"OneByte", [](ByteBuilder& b) { b.raw("G"); },
       "GGUF: the file ends inside the magic: 4 bytes needed, 1 left; it is truncated or damaged (offset 0)"},
      {"ThreeBytes", [](ByteBuilder& b) { b.raw("GGU"); },
       "GGUF: the file ends inside the magic: 4 bytes needed, 3 left"},
      {"WrongMagic", [](ByteBuilder& b) { b.raw("GGML").zeros(20); },
       "GGUF: invalid magic characters: 'GGML', expected 'GGUF' (offset 0)"},
      {"MagicWithControlCharacters", [](ByteBuilder& b) { b.raw("\x1b[2J").zeros(20); },
       "GGUF: invalid magic characters: '\\x1B[2J', expected 'GGUF'"},
      {"AWebPage", [](ByteBuilder& b) { b.raw("<!DOCTYPE html><html></html>"); },
       "GGUF: invalid magic characters: '<!DO', expected 'GGUF'"},
      {"OnlyMagic", [](ByteBuilder& b) { b.raw("GGUF"); }, "GGUF: the file ends inside the version: 4 bytes needed"},
      {"VersionZero", [](ByteBuilder& b) { b.header(0, 0, 0); }, "GGUF: bad GGUF version: 0 (offset 4)"},
      {"VersionOne", [](ByteBuilder& b) { b.header(0, 0, 1); },
       "GGUF: GGUFv1 is no longer supported, please use a more up-to-date version (offset 4)"},
      {"VersionFour", [](ByteBuilder& b) { b.header(0, 0, 4); },
       "GGUF: this GGUF file is version 4 but this software only supports up to version 3 (offset 4)"},
      {"BigEndian", [](ByteBuilder& b) { b.header(0, 0, 0x03000000); },
       "GGUF: the version reads as 0x03000000: endianness mismatch, the file is big endian"},
      {"NoCounts", [](ByteBuilder& b) { b.raw("GGUF").u32(3); },
       "GGUF: the file ends inside the number of tensors: 8 bytes needed, 0 left"},
      {"NoKeyCount", [](ByteBuilder& b) { b.raw("GGUF").u32(3).u64(0); },
       "GGUF: the file ends inside the number of keys: 8 bytes needed, 0 left"},
      {"NegativeTensorCount", [](ByteBuilder& b) { b.header(kAllOnes, 0); },
       "GGUF: the number of tensors is 18446744073709551615, expected at most 131072 (offset 8)"},
      {"HugeTensorCount", [](ByteBuilder& b) { b.header(uint64_t{1} << 58, 0); },
       "GGUF: the number of tensors is 288230376151711744, expected at most 131072"},
      {"TensorCountBeyondTheFile",
       [](ByteBuilder& b) {
         b.header(1000, 0);
         tail(b);
       },
       "GGUF: the number of tensors is 1000, but only 256 bytes follow; the file is truncated or damaged (offset 24)"},
      {"NegativeKeyCount", [](ByteBuilder& b) { b.header(0, kAllOnes); },
       "GGUF: the number of keys is 18446744073709551615, expected at most 65536 (offset 16)"},
      {"KeyCountBeyondTheFile",
       [](ByteBuilder& b) {
         b.header(0, 1000);
         tail(b);
       },
       "GGUF: the number of keys is 1000, but only 256 bytes follow"},
  };
  return cases;
}

const std::vector<Case>& metadata_cases() {
  static const std::vector<Case> cases = {
      {"KeyLengthOfAllOnes", [](ByteBuilder& b) { b.header(0, 1).u64(kAllOnes).zeros(64); },
       "GGUF: the name of key 0 has 18446744073709551615 bytes, expected at most 65535 (offset 24)"},
      {"KeyLengthBeyondTheFile", [](ByteBuilder& b) { b.header(0, 1).u64(500).zeros(64); },
       "GGUF: the file ends inside the name of key 0: 500 bytes needed, 64 left"},
      {"EmptyKey", [](ByteBuilder& b) { b.header(0, 1).key("", kTagU32).u32(1); },
       "GGUF: the name of key 0 is empty (offset 24)"},
      {"UnknownValueType", [](ByteBuilder& b) { b.header(0, 1).key("a.b", 13).zeros(64); },
       "GGUF: the type of key 'a.b' is 13, expected 0 to 12 (offset 35)"},
      {"NegativeValueType", [](ByteBuilder& b) { b.header(0, 1).key("a", 0xFFFFFFFF).zeros(64); },
       "GGUF: the type of key 'a' is 4294967295, expected 0 to 12"},
      {"ValueCutOff", [](ByteBuilder& b) { b.header(0, 1).key("abc", kTagU64).u32(1); },
       "GGUF: the file ends inside key 'abc': 8 bytes needed, 4 left"},
      {"StringLengthOfAllOnes", [](ByteBuilder& b) { b.header(0, 1).key("s", kTagString).u64(kAllOnes).zeros(64); },
       "GGUF: key 's' has 18446744073709551615 bytes, expected at most 16777216"},
      {"StringOver16MiB", [](ByteBuilder& b) { b.header(0, 1).key("s", kTagString).u64((16u << 20) + 1).zeros(64); },
       "GGUF: key 's' has 16777217 bytes, expected at most 16777216"},
      {"StringBeyondTheFile", [](ByteBuilder& b) { b.header(0, 1).key("s", kTagString).u64(1 << 20).zeros(64); },
       "GGUF: the file ends inside key 's': 1048576 bytes needed, 64 left"},
      {"NestedArray", [](ByteBuilder& b) { b.header(0, 1).key("n", kTagArray).u32(kTagArray).u64(1).zeros(64); },
       "GGUF: key 'n' is an array of arrays, which is not supported"},
      {"ArrayOfUnknownType", [](ByteBuilder& b) { b.header(0, 1).key("n", kTagArray).u32(99).u64(1).zeros(64); },
       "GGUF: the element type of key 'n' is 99, expected 0 to 12"},
      {"ArrayLengthOfAllOnes",
       [](ByteBuilder& b) { b.header(0, 1).key("n", kTagArray).u32(kTagU8).u64(kAllOnes).zeros(64); },
       "GGUF: the length of array key 'n' is 18446744073709551615, expected at most 1073741824"},
      {"ArrayWhoseBytesWrap",
       [](ByteBuilder& b) { b.header(0, 1).key("n", kTagArray).u32(kTagU64).u64(uint64_t{1} << 61).zeros(64); },
       "GGUF: the length of array key 'n' is 2305843009213693952, expected at most 1073741824"},
      {"ArrayBeyondTheFile", [](ByteBuilder& b) { b.header(0, 1).key("n", kTagArray).u32(kTagU32).u64(17).zeros(64); },
       "GGUF: the length of array key 'n' is 17, but only 64 bytes follow"},
      {"StringArrayBeyondTheFile",
       [](ByteBuilder& b) { b.header(0, 1).key("n", kTagArray).u32(kTagString).u64(1 << 22).zeros(64); },
       "GGUF: the length of array key 'n' is 4194304, but only 64 bytes follow"},
      {"StringArrayOver4Mi",
       [](ByteBuilder& b) { b.header(0, 1).key("n", kTagArray).u32(kTagString).u64((1 << 22) + 1).zeros(64); },
       "GGUF: the length of array key 'n' is 4194305, expected at most 4194304"},
      {"StringInArrayBeyondTheFile",
       [](ByteBuilder& b) { b.header(0, 1).key("n", kTagArray).u32(kTagString).u64(2).str("ok").u64(99).zeros(16); },
       "GGUF: the file ends inside a string of key 'n': 99 bytes needed, 16 left"},
      {"StringInArrayOfAllOnes",
       [](ByteBuilder& b) { b.header(0, 1).key("n", kTagArray).u32(kTagString).u64(1).u64(kAllOnes).zeros(16); },
       "GGUF: a string of key 'n' has 18446744073709551615 bytes, expected at most 16777216"},
      {"TokenOver64KiB",
       [](ByteBuilder& b) {
         b.header(0, 1).key("tokenizer.ggml.tokens", kTagArray).u32(kTagString).u64(1).str(std::string(65537, 'x'));
       },
       "GGUF: a string of key 'tokenizer.ggml.tokens' has 65537 bytes, expected at most 65536"},
      {"BoolOfTwo", [](ByteBuilder& b) { b.header(0, 1).key("flag", kTagBool).u8(2); },
       "GGUF: key 'flag' holds a bool of value 2, expected 0 or 1"},
      {"BoolArrayWithOddByte",
       [](ByteBuilder& b) { b.header(0, 1).key("f", kTagArray).u32(kTagBool).u64(2).u8(1).u8(255).zeros(8); },
       "GGUF: key 'f' holds a bool of value 255, expected 0 or 1"},
      {"DuplicateKey", [](ByteBuilder& b) { b.header(0, 3).key("x", 0).u8(1).key("y", 0).u8(1).key("x", 0).u8(2); },
       "GGUF: duplicate key 'x' for tensors 0 and 2"},
      {"KeyWithControlCharacters", [](ByteBuilder& b) { b.header(0, 1).key("\x1b]0;x\x07", 77); },
       "GGUF: the type of key '\\x1B]0;x\\x07' is 77"},
      {"AlignmentZero", [](ByteBuilder& b) { b.header(0, 1).key("general.alignment", kTagU32).u32(0); },
       "GGUF: alignment 0 is not a power of 2"},
      {"AlignmentNotAPowerOfTwo", [](ByteBuilder& b) { b.header(0, 1).key("general.alignment", kTagU32).u32(48); },
       "GGUF: alignment 48 is not a power of 2"},
      {"AlignmentTooSmall", [](ByteBuilder& b) { b.header(0, 1).key("general.alignment", kTagU32).u32(4); },
       "GGUF: alignment 4 is out of range: expected 8 to 1048576"},
      {"AlignmentTooLarge", [](ByteBuilder& b) { b.header(0, 1).key("general.alignment", kTagU32).u32(0x80000000); },
       "GGUF: alignment 2147483648 is out of range: expected 8 to 1048576"},
      {"AlignmentOfTheWrongType", [](ByteBuilder& b) { b.header(0, 1).key("general.alignment", kTagString).str("32"); },
       "GGUF: key 'general.alignment' has the wrong type: expected an unsigned integer, found string"},
      {"AlignmentAsFloat", [](ByteBuilder& b) { b.header(0, 1).key("general.alignment", kTagF32).put(32.0f); },
       "GGUF: key 'general.alignment' has the wrong type: expected an unsigned integer, found f32"},
  };
  return cases;
}

// One tensor of these dimensions and this type, with 256 bytes of data.
std::function<void(ByteBuilder&)> one_tensor(std::vector<uint64_t> dims, uint32_t type, uint64_t offset = 0) {
  return [=](ByteBuilder& b) {
    b.header(1, 0).str("w").u32(static_cast<uint32_t>(dims.size()));
    for (uint64_t dim : dims) b.u64(dim);
    b.u32(type).u64(offset).pad().zeros(256);
  };
}

const std::vector<Case>& tensor_cases() {
  constexpr uint64_t kBig = uint64_t{1} << 40;
  static const std::vector<Case> cases = {
      {"NameOf64Bytes", [](ByteBuilder& b) { b.header(1, 0).tensor(std::string(64, 'n'), {4}, 0, 0).pad().zeros(16); },
       "GGUF: the name of tensor 0 has 64 bytes, expected at most 63 (offset 24)"},
      {"NameOfAllOnes", [](ByteBuilder& b) { b.header(1, 0).u64(kAllOnes).zeros(64); },
       "GGUF: the name of tensor 0 has 18446744073709551615 bytes, expected at most 63"},
      {"EmptyName", [](ByteBuilder& b) { b.header(1, 0).tensor("", {4}, 0, 0).pad().zeros(16); },
       "GGUF: the name of tensor 0 is empty (offset 24)"},
      {"NoDimensions", one_tensor({}, 0), "GGUF: tensor 'w' has 0 dimensions, expected 1 to 4 (offset 33)"},
      {"FiveDimensions", one_tensor({1, 1, 1, 1, 1}, 0), "GGUF: tensor 'w' has 5 dimensions, expected 1 to 4"},
      {"DimensionsOfAllOnes", [](ByteBuilder& b) { b.header(1, 0).str("w").u32(0xFFFFFFFF).zeros(64); },
       "GGUF: tensor 'w' has 4294967295 dimensions, expected 1 to 4"},
      {"ZeroDimension", one_tensor({4, 0}, 0), "GGUF: tensor 'w' has dimension 1 of 0, expected 1 to 1099511627776"},
      {"NegativeDimension", one_tensor({kAllOnes}, 0), "GGUF: tensor 'w' has dimension 0 of -1, expected 1 to"},
      {"DimensionOver2To40", one_tensor({kBig + 1}, 0), "GGUF: tensor 'w' has dimension 0 of 1099511627777, expected"},
      {"ElementsOverflow", one_tensor({kBig, kBig}, 0),
       "GGUF: the number of elements of tensor 'w' does not fit 64 bits"},
      {"ElementsOverflowInTheFourth", one_tensor({1u << 20, 1u << 20, 1u << 20, 1u << 20}, 24),
       "GGUF: the number of elements of tensor 'w' does not fit 64 bits"},
      {"BytesOverflow", one_tensor({kBig, 1u << 22}, 0), "GGUF: the size of tensor 'w' does not fit 64 bits"},
      {"RetiredType", one_tensor({32}, 4), "GGUF: tensor 'w' has type 4, which does not exist or is retired"},
      {"RetiredType38", one_tensor({32}, 38), "GGUF: tensor 'w' has type 38, which does not exist or is retired"},
      {"UnknownType", one_tensor({32}, 42), "GGUF: tensor 'w' has type 42, which does not exist or is retired"},
      {"NegativeType", one_tensor({32}, 0xFFFFFFFF), "GGUF: tensor 'w' has type -1, which does not exist or is"},
      {"InternalType", one_tensor({32}, 1000), "GGUF: tensor 'w' has type 1000, which does not exist or is retired"},
      {"RowNotWholeBlocks", one_tensor({48, 2}, 2),
       "GGUF: tensor 'w' of type 2 (Q4_0) has 48 elements per row, not a multiple of block size (32)"},
      {"RowNotWholeSuperBlocks", one_tensor({128}, 12),
       "GGUF: tensor 'w' of type 12 (Q4_K) has 128 elements per row, not a multiple of block size (256)"},
      {"FirstOffsetNotZero", one_tensor({4}, 0, 32), "GGUF: tensor 'w' has offset 32, expected 0"},
      {"OffsetOfAllOnes", one_tensor({4}, 0, kAllOnes), "GGUF: tensor 'w' has offset 18446744073709551615, expected 0"},
      {"OverlappingTensors",
       [](ByteBuilder& b) { b.header(2, 0).tensor("a", {16}, 0, 0).tensor("b", {4}, 0, 32).pad().zeros(256); },
       "GGUF: tensor 'b' has offset 32, expected 64"},
      {"GapBetweenTensors",
       [](ByteBuilder& b) { b.header(2, 0).tensor("a", {4}, 0, 0).tensor("b", {4}, 0, 64).pad().zeros(256); },
       "GGUF: tensor 'b' has offset 64, expected 32"},
      {"UnalignedOffset",
       [](ByteBuilder& b) { b.header(2, 0).tensor("a", {4}, 0, 0).tensor("b", {4}, 0, 16).pad().zeros(256); },
       "GGUF: tensor 'b' has offset 16, expected 32"},
      {"DuplicateTensorName",
       [](ByteBuilder& b) { b.header(2, 0).tensor("a", {4}, 0, 0).tensor("a", {4}, 0, 32).pad().zeros(256); },
       "GGUF: duplicate tensor name 'a' for tensors 0 and 1"},
      {"SumOfSizesOverflows",
       [](ByteBuilder& b) {
         constexpr uint64_t kHalf = uint64_t{1} << 62;
         b.header(2, 0).tensor("a", {kBig, 1u << 20}, 0, 0).tensor("b", {kBig, 1u << 20}, 0, kHalf).pad().zeros(256);
       },
       "GGUF: the sizes of all tensors up to 'b' do not fit 64 bits"},
      {"DataBeyondTheFile", one_tensor({65}, 0),
       "GGUF: tensor 'w' needs 260 bytes of data at offset 0, but the file holds only 256 bytes of data; it is "
       "truncated"},
      {"SecondTensorBeyondTheFile",
       [](ByteBuilder& b) { b.header(2, 0).tensor("a", {64}, 0, 0).tensor("b", {4}, 0, 256).pad().zeros(256); },
       "GGUF: tensor 'b' needs 16 bytes of data at offset 256, but the file holds only 256 bytes of data"},
      {"EndsBeforeTheData", [](ByteBuilder& b) { b.header(1, 0).tensor("w", {4}, 0, 0); },
       "GGUF: tensor 'w' needs 16 bytes of data at offset 0, but the file holds only 0 bytes of data"},
      {"HugeTensor", one_tensor({uint64_t{1} << 39}, 24),
       "GGUF: tensor 'w' needs 549755813888 bytes of data at offset 0, but the file holds only 256 bytes of data"},
      {"IndexCutOff", [](ByteBuilder& b) { b.header(1, 0).str("abcdefgh").u32(2).u64(4).u32(0); },
       "GGUF: the file ends inside tensor 'abcdefgh': 8 bytes needed, 4 left"},
      {"TensorNameWithControlCharacters",
       [](ByteBuilder& b) { b.header(1, 0).tensor("\x1b[31mred\x7f", {0}, 0, 0).pad().zeros(16); },
       "GGUF: tensor '\\x1B[31mred\\x7F' has dimension 0 of 0"},
  };
  return cases;
}

class DamagedGguf : public testing::TestWithParam<Case> {};

TEST_P(DamagedGguf, IsRefusedWithItsMessage) {
  ByteBuilder builder;
  GetParam().build(builder);
  try {
    GgufFile::parse(test::as_span(builder.bytes()));
    FAIL() << "the file was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadFile);
    const std::string message = error.what();
    EXPECT_EQ(message.substr(0, std::string_view(GetParam().message).size()), GetParam().message) << message;
  }
}

std::string case_name(const testing::TestParamInfo<Case>& param) {
  return param.param.name;
}

INSTANTIATE_TEST_SUITE_P(Header, DamagedGguf, testing::ValuesIn(header_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Metadata, DamagedGguf, testing::ValuesIn(metadata_cases()), case_name);
INSTANTIATE_TEST_SUITE_P(Tensors, DamagedGguf, testing::ValuesIn(tensor_cases()), case_name);

}  // namespace
}  // namespace minfer
