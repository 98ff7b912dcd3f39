// libFuzzer target of the GGUF reader and of loading: any bytes give a file whose every part can be read, or an Error;
// a file that can be read is described, and gives a model with sound graphs and a tokenizer, or an Error.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/text_model.h"
#include "gguf/describe.h"
#include "graph/verify.h"
#include "model/model.h"
#include "tests/fuzz/fuzz_input.h"

namespace minfer::fuzz {
namespace {

// Reads each value through every getter; those of the wrong type refuse.
void read_metadata(const GgufMetadata& metadata) {
  const auto get = [](auto&& call) { attempt({ErrorCode::kBadFile}, call); };
  for (const auto& [key, value] : metadata.entries()) {
    value.elements(0, value.count);
    get([&, name = key] { metadata.get_u64(name); });
    get([&, name = key] { metadata.get_i64(name); });
    get([&, name = key] { metadata.get_bool(name); });
    get([&, name = key] { metadata.get_f32(name); });
    get([&, name = key] { metadata.get_string(name); });
    get([&, name = key] { metadata.get_string_array(name); });
    get([&, name = key] { metadata.get_i64_array(name); });
    get([&, name = key] { metadata.get_f32_array(name); });
  }
}

// The sum of all data bytes, so that a span that leaves the file is seen.
uint64_t sum_of_data(const GgufFile& file) {
  uint64_t sum = 0;
  for (const GgufTensor& tensor : file.tensors()) {
    for (std::byte byte : tensor.data) sum += static_cast<uint64_t>(byte);
  }
  return sum;
}

// The bytes as a regular file, which is what models are opened from.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const uint8_t> bytes) : fd_(memfd_create("fuzz", 0)) {
    require(fd_ >= 0 && write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "a memory file");
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

void describe(const GgufModel& model) {
  const DescribeOptions everything{true, true};
  volatile size_t length = describe_text(model, everything).size() + describe_json(model, everything).size();
  static_cast<void>(length);
}

// The graphs of a step and of its head, as an engine builds them.
void build_graphs(const Model& model) {
  for (const int64_t rows : {int64_t{1}, int64_t{8}}) {
    BodyParams body;
    body.rows = rows;
    body.end_layer = model.hparams().n_layers;
    body.max_blocks = 2;
    verify(model.build_body(body));
    verify(model.build_head(rows));
  }
}

void load(const std::string& path) {
  attempt({ErrorCode::kBadFile}, [&] { describe(GgufModel::open(path)); });
  attempt({ErrorCode::kBadFile, ErrorCode::kUnsupported, ErrorCode::kNotFound}, [&] {
    const TextModel text(GgufModel::open(path).metadata());
    text.encode_prompt("Hello, w\xC3\xB6rld 123");
  });
  attempt({ErrorCode::kBadFile, ErrorCode::kUnsupported}, [&] { build_graphs(Model::load(GgufModel::open(path))); });
}

}  // namespace
}  // namespace minfer::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace minfer;
  using namespace minfer::fuzz;
  bool is_file = false;
  attempt({ErrorCode::kBadFile}, [&] {
    const auto file = GgufFile::parse(std::as_bytes(std::span(data, size)));
    is_file = true;
    read_metadata(file.metadata());
    volatile uint64_t sum = sum_of_data(file);
    static_cast<void>(sum);
  });
  if (is_file) load(MemoryFile({data, size}).path());
  return 0;
}
