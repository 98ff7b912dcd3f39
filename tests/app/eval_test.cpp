// minfer eval against the committed reference logits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/app/program.h"

namespace minfer::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Reference {
  std::string tokens;  // with commas
  std::vector<int> ids;
  std::vector<float> logits;  // [32, 300]
  double bar = 0;
};

Reference reference() {
  const std::string folder = std::string(MINFER_SOURCE_DIR) + "/tests/data/models/";
  Reference result;
  const nlohmann::json manifest = nlohmann::json::parse(read_file(folder + "manifest.json"));
  for (const nlohmann::json& entry : manifest["cases"]) {
    if (entry["name"] != "qwen2-f32") continue;
    result.ids = entry["tokens"].get<std::vector<int>>();
    result.bar = entry["bar"]["max_abs_logit_difference"];
  }
  for (int id : result.ids) result.tokens += (result.tokens.empty() ? "" : ",") + std::to_string(id);
  const std::string bytes = read_file(folder + "qwen2-f32.logits.f32");
  result.logits.resize(bytes.size() / sizeof(float));
  std::memcpy(result.logits.data(), bytes.data(), bytes.size());
  return result;
}

double log_probability(const Reference& from, size_t position, int token) {
  double sum = 0;
  for (size_t i = 0; i < 300; ++i) sum += std::exp(static_cast<double>(from.logits[position * 300 + i]));
  return static_cast<double>(from.logits[position * 300 + static_cast<size_t>(token)]) - std::log(sum);
}

std::vector<std::string> eval(std::initializer_list<std::string> more) {
  std::vector<std::string> args{"eval", "-m", model("qwen2-f32"), "--cache-type", "f32"};
  args.insert(args.end(), more);
  return args;
}

TEST(Eval, LogitsAreANumpyFileOfTheReferencesValues) {
  const TemporaryFolder folder;
  const Reference expected = reference();
  const Outcome outcome = run(eval({"--tokens", expected.tokens, "--logits", folder.path("out.npy")}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(folder.file_names(), std::vector<std::string>{"out.npy"});
  const std::string bytes = read_file(folder.path("out.npy"));
  ASSERT_GT(bytes.size(), 128U);
  EXPECT_THAT(bytes, StartsWith(std::string("\x93NUMPY\x01\x00", 8)));
  EXPECT_THAT(bytes.substr(0, 128), HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (32, 300), }"));
  EXPECT_EQ(bytes[127], '\n');
  ASSERT_EQ(bytes.size(), 128 + 32 * 300 * sizeof(float));
  std::vector<float> logits(expected.logits.size());
  std::memcpy(logits.data(), bytes.data() + 128, bytes.size() - 128);
  double worst = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    worst = std::max(worst, std::fabs(static_cast<double>(logits[i]) - static_cast<double>(expected.logits[i])));
  }
  EXPECT_LE(worst, expected.bar);
}

TEST(Eval, NegativeLogLikelihoodStandsInTheLastLine) {
  const Reference from = reference();
  double expected = 0;
  for (size_t i = 0; i + 1 < from.ids.size(); ++i) expected -= log_probability(from, i, from.ids[i + 1]);
  expected /= static_cast<double>(from.ids.size() - 1);
  const Outcome outcome = run(eval({"--tokens", from.tokens, "--nll", "--top", "1"}));
  const std::string line = outcome.last_line_of_out();
  ASSERT_THAT(line, StartsWith("nll: "));
  EXPECT_NEAR(std::stod(line.substr(5)), expected, 1e-4);
  EXPECT_EQ(run(eval({"--tokens", from.tokens})).out, line) << "what is printed when nothing was asked for";
}

TEST(Eval, TopTokensAreTheReferencesBest) {
  const Reference from = reference();
  std::istringstream lines(run(eval({"--tokens", from.tokens, "--top", "3"})).out);
  std::string header;
  std::getline(lines, header);
  EXPECT_THAT(header, HasSubstr("logprob"));
  size_t n = 0;
  size_t position, rank;
  int token;
  double logprob;
  while (lines >> position >> rank >> token >> logprob) {
    EXPECT_EQ(position, n / 3);
    EXPECT_EQ(rank, n % 3 + 1);
    const float* row = &from.logits[position * 300];
    const float own = row[token];
    EXPECT_EQ(std::count_if(row, row + 300, [&](float other) { return other > own; }), static_cast<int>(rank) - 1);
    EXPECT_NEAR(logprob, log_probability(from, position, token), 1e-3);
    ++n;
  }
  EXPECT_EQ(n, 96U);
}

TEST(Eval, TokensComeFromAFileToo) {
  const TemporaryFolder folder;
  const std::string expected = run(eval({"--tokens", "5,6,7,8"})).out;
  EXPECT_EQ(run(eval({"--tokens-file", folder.write("a", "5 6\n7,\t8\n")})).out, expected);
  EXPECT_EQ(run(eval({"--tokens-file", folder.write("b", "[5, 6, 7, 8]")})).out, expected);
  RunOptions piped;
  piped.input = "5,6,7,8";
  EXPECT_EQ(run(eval({"--tokens-file", "-"}), piped).out, expected);
}

TEST(Eval, TextIsEncodedAsTokenizeDoes) {
  const TemporaryFolder folder;
  const std::string text = folder.write("t.txt", "why is the sky<|im_end|>\n");
  const std::string ids = run({"tokenize", model("qwen2-f32"), "--file", text}).out;
  EXPECT_EQ(run(eval({"--file", text})).out, run(eval({"--tokens-file", folder.write("ids", ids)})).out);
  const std::string plain = run({"tokenize", model("qwen2-f32"), "--file", text, "--no-parse-special"}).out;
  EXPECT_NE(plain, ids);
  EXPECT_EQ(run(eval({"--file", text, "--no-parse-special"})).out,
            run(eval({"--tokens-file", folder.write("ids", plain)})).out);
}

TEST(Eval, ThreadsChunksAndFusionChangeNothing) {
  const std::string expected = run(eval({"--tokens", "1,2,3,4,5,6,7,8,9", "--logit-hash"})).err;
  EXPECT_THAT(expected, StartsWith("logit hash: "));
  EXPECT_EQ(run(eval({"--tokens", "1,2,3,4,5,6,7,8,9", "--logit-hash", "--threads", "3", "--chunk", "2"})).err,
            expected);
  EXPECT_EQ(run(eval({"--tokens", "1,2,3,4,5,6,7,8,9", "--logit-hash", "--no-fuse"})).err, expected);
}

TEST(Eval, BadTokensAreRefused) {
  const auto refusal = [](const std::string& tokens) { return run(eval({"--tokens", tokens})).err; };
  EXPECT_EQ(refusal("1,2x"), "Error: --tokens: entry 2 is no token id: '2x'\n");
  EXPECT_EQ(refusal("1,-2"), "Error: --tokens: entry 2 is no token id: '-2'\n");
  EXPECT_EQ(refusal("1,,2"), "Error: --tokens: entry 2 is no token id: ''\n");
  EXPECT_EQ(refusal("1,2,"), "Error: --tokens: there is no id behind the last comma\n");
  EXPECT_EQ(refusal("99999999999"), "Error: --tokens: entry 1 is no token id: '99999999999'\n");
  EXPECT_THAT(refusal("1,300"), HasSubstr("token 300 lies outside the model's vocabulary of 300"));
  EXPECT_THAT(refusal("1"), HasSubstr("needs at least 2 tokens"));
  EXPECT_THAT(refusal(""), HasSubstr("no tokens to evaluate"));
  EXPECT_EQ(run(eval({})).code, 2);
  EXPECT_EQ(run(eval({"--tokens", "1", "--file", "x"})).code, 2);
}

TEST(Eval, MoreTokensThanTheModelsContextAreRefusedWithBothNumbers) {
  std::string tokens = "1";
  for (int i = 1; i < 1025; ++i) tokens += ",1";
  const Outcome outcome = run(eval({"--tokens", tokens}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("1025 tokens do not fit"));
  EXPECT_THAT(outcome.err, HasSubstr("1024"));
}

TEST(Eval, TheModelIsNeverReplacedByAnOutput) {
  const TemporaryFolder folder;
  const std::string bytes = read_file(model("qwen2-f32"));
  const std::string copy = folder.write("m.gguf", bytes);
  const std::string link = folder.path("link");
  std::filesystem::create_symlink(copy, link);
  for (const std::string& target : {copy, link}) {
    const Outcome outcome = run({"eval", copy, "--tokens", "1,2", "--logits", target});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("'" + target + "' is the model itself"));
    EXPECT_EQ(run({"run", copy, "hi", "--dump-graph", target}).code, 2);
    EXPECT_EQ(run({"explain", copy, "--dump-graph-json", target}).code, 2);
  }
  EXPECT_TRUE(read_file(copy) == bytes);
  EXPECT_EQ(run(eval({"--tokens", "1,2", "--logits", ""})).code, 2);
}

TEST(Eval, NoPartOfASplitSetIsReplacedByAnOutput) {
  const TemporaryFolder folder;
  const std::string first = folder.write("m-00001-of-00002.gguf", read_file(model("qwen2-f32")));
  const std::string second = folder.write("m-00002-of-00002.gguf", "the second part");
  const std::string link = folder.path("link");
  std::filesystem::create_symlink(second, link);
  for (const std::string& target : {second, link}) {
    const Outcome outcome = run({"eval", first, "--tokens", "1,2", "--logits", target});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--logits would replace the model: '" + target + "' is a part of it"));
    EXPECT_EQ(run({"explain", first, "--dump-graph", target}).code, 2);
  }
  EXPECT_EQ(read_file(second), "the second part");
}

TEST(Eval, AFailureLeavesNoHalfFile) {
  EXPECT_THAT(run(eval({"--tokens", "1,2", "--logits", "/dev/full"})).err, HasSubstr("No space left on device"));
  EXPECT_EQ(run(eval({"--tokens", "1,2", "--logits", "/dev/full"})).code, 1);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  const Outcome folder_missing = run(eval({"--tokens", "1,2", "--logits", "/no/such/x.npy"}));
  EXPECT_EQ(folder_missing.code, 1);
  EXPECT_THAT(folder_missing.err, HasSubstr("writing '/no/such/x.npy'"));
  const TemporaryFolder folder;
  const std::string old = folder.write("out.npy", "old");
  EXPECT_EQ(run(eval({"--tokens", "1,300", "--logits", old})).code, 1);
  EXPECT_EQ(read_file(old), "old");
  EXPECT_EQ(folder.file_names().size(), 1U);
}

}  // namespace
}  // namespace minfer::test
