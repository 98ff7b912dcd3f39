// The four forms of the results of minfer bench, from fixed times.
#include "apps/minfer/bench_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace minfer::app {
namespace {

using nlohmann::ordered_json;

const std::vector<BenchTest> kTests{{512, 0, 0}, {0, 8, 4096}};

BenchSubject subject() {
  BenchSubject subject;
  subject.build_commit = "0123abc";
  subject.cpu_info = "A \"fast\" CPU, really";
  subject.cpu_isa = "scalar";
  subject.backends = "CPU";
  subject.model_path = "dir/m.gguf";
  subject.model_type = "qwen2 494M Q4_K_M";
  subject.model_bytes = 398'000'000;
  subject.n_params = 494'032'768;
  subject.kv_type = "f16";
  subject.chunk_rows = 512;
  return subject;
}

// 1000 and 500 tokens a second: mean 750, deviation 500 / sqrt(2).
const BenchRow kPrompt{{kTests[0], {512'000'000, 1'024'000'000}}, 2, "2024-05-31T12:00:00Z", 123456789};
const BenchRow kGenerated{{kTests[1], {100'000'000}}, 16, "2024-05-31T12:01:00Z", 223456789};

std::string printed(BenchFormat format, const BenchSubject& about) {
  BenchOutput output(format, about, kTests);
  std::string text = output.begin();
  text += output.row(kPrompt);
  text += output.row(kGenerated);
  return text + output.end();
}

TEST(BenchOutput, TableHasAlignedColumns) {
  EXPECT_EQ(printed(BenchFormat::kTable, subject()),
            "model                    size    params  backend  threads         test                 t/s\n"
            "qwen2 494M Q4_K_M  379.56 MiB  494.03 M  CPU            2        pp512     750.00 ± 353.55\n"
            "qwen2 494M Q4_K_M  379.56 MiB  494.03 M  CPU           16  tg8 @ d4096        80.00 ± 0.00\n"
            "\nbuild: 0123abc, cpu: A \"fast\" CPU, really (scalar)\n");
}

TEST(BenchOutput, MarkdownHasARuleBelowTheHeadings) {
  EXPECT_EQ(printed(BenchFormat::kMarkdown, subject()),
            "| model             |       size |   params | backend | threads |        test |                t/s |\n"
            "| ----------------- | ---------: | -------: | ------- | ------: | ----------: | -----------------: |\n"
            "| qwen2 494M Q4_K_M | 379.56 MiB | 494.03 M | CPU     |       2 |       pp512 |    750.00 ± 353.55 |\n"
            "| qwen2 494M Q4_K_M | 379.56 MiB | 494.03 M | CPU     |      16 | tg8 @ d4096 |       80.00 ± 0.00 |\n"
            "\nbuild: 0123abc, cpu: A \"fast\" CPU, really (scalar)\n");
}

TEST(BenchOutput, TablesShowAnotherTypeOfTheCache) {
  BenchSubject about = subject();
  about.kv_type = "f32";
  EXPECT_THAT(printed(BenchFormat::kMarkdown, about), testing::HasSubstr("| threads | type_k | type_v |"));
  EXPECT_THAT(printed(BenchFormat::kMarkdown, about), testing::HasSubstr("|       2 |    f32 |    f32 |"));
}

TEST(BenchOutput, LargeModelsAreCountedInGigabytesAndBillions) {
  BenchSubject about = subject();
  about.model_bytes = uint64_t{3} << 29;
  about.n_params = 1'543'714'304;
  EXPECT_THAT(printed(BenchFormat::kTable, about), testing::HasSubstr("  1.50 GiB  1.54 B  "));
}

TEST(BenchOutput, CsvHasEveryFieldButTheSingleRuns) {
  EXPECT_EQ(printed(BenchFormat::kCsv, subject()),
            "build_commit,cpu_info,cpu_isa,backends,model_filename,model_type,model_size,model_n_params,n_ubatch,"
            "n_threads,type_k,type_v,n_prompt,n_gen,n_depth,test_time,avg_ns,stddev_ns,avg_ts,stddev_ts,"
            "peak_resident_bytes\n"
            "\"0123abc\",\"A \"\"fast\"\" CPU, really\",\"scalar\",\"CPU\",\"dir/m.gguf\",\"qwen2 494M Q4_K_M\","
            "\"398000000\",\"494032768\",\"512\",\"2\",\"f16\",\"f16\",\"512\",\"0\",\"0\",\"2024-05-31T12:00:00Z\","
            "\"768000000\",\"362038672\",\"750.000000\",\"353.553391\",\"123456789\"\n"
            "\"0123abc\",\"A \"\"fast\"\" CPU, really\",\"scalar\",\"CPU\",\"dir/m.gguf\",\"qwen2 494M Q4_K_M\","
            "\"398000000\",\"494032768\",\"512\",\"16\",\"f16\",\"f16\",\"0\",\"8\",\"4096\",\"2024-05-31T12:01:00Z\","
            "\"100000000\",\"0\",\"80.000000\",\"0.000000\",\"223456789\"\n");
}

TEST(BenchOutput, JsonHasEveryFieldAndTheSingleRuns) {
  const ordered_json rows = ordered_json::parse(printed(BenchFormat::kJson, subject()));
  ASSERT_EQ(rows.size(), 2U);
  const ordered_json expected = {{"build_commit", "0123abc"},
                                 {"cpu_info", "A \"fast\" CPU, really"},
                                 {"cpu_isa", "scalar"},
                                 {"backends", "CPU"},
                                 {"model_filename", "dir/m.gguf"},
                                 {"model_type", "qwen2 494M Q4_K_M"},
                                 {"model_size", 398000000},
                                 {"model_n_params", 494032768},
                                 {"n_ubatch", 512},
                                 {"n_threads", 16},
                                 {"type_k", "f16"},
                                 {"type_v", "f16"},
                                 {"n_prompt", 0},
                                 {"n_gen", 8},
                                 {"n_depth", 4096},
                                 {"test_time", "2024-05-31T12:01:00Z"},
                                 {"avg_ns", 100000000},
                                 {"stddev_ns", 0},
                                 {"avg_ts", 80.0},
                                 {"stddev_ts", 0.0},
                                 {"peak_resident_bytes", 223456789},
                                 {"samples_ns", {100000000}},
                                 {"samples_ts", {80.0}}};
  EXPECT_EQ(rows[1], expected);
  EXPECT_EQ(rows[0]["samples_ts"], (ordered_json{1000.0, 500.0}));
}

TEST(BenchOutput, JsonIsAListEvenWithoutResults) {
  BenchOutput output(BenchFormat::kJson, subject(), kTests);
  EXPECT_EQ(ordered_json::parse(output.begin() + output.end()), ordered_json::array());
}

TEST(BenchOutput, JsonTakesPathsThatAreNoText) {
  BenchSubject about = subject();
  about.model_path = "dir/\xff.gguf";
  EXPECT_EQ(ordered_json::parse(printed(BenchFormat::kJson, about))[0]["model_filename"], "dir/\uFFFD.gguf");
}

}  // namespace
}  // namespace minfer::app
