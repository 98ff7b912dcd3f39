// What a person wants to know about a model file, collected from its metadata and tensor index alone: instant for a
// file of any size. Rendered as text (describe_text.cpp) or JSON (describe_json.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gguf/gguf_model.h"

namespace minfer {

struct FileSummary {
  std::string path;
  uint64_t size_bytes;
  uint64_t n_tensors;
  uint32_t version;
};

// Tensors of one element type.
struct TypeSummary {
  DType dtype;
  uint64_t n_tensors;
  uint64_t n_elements;
  uint64_t size_bytes;
};

// Hyper-parameters and the like are absent when the file does not state them (or states them as something odd: a
// summary never refuses a file that the reader accepted).
struct ModelSummary {
  std::vector<FileSummary> files;
  uint64_t file_bytes = 0;
  uint64_t alignment = 0;

  std::optional<std::string> architecture;
  std::optional<std::string> name;
  std::optional<std::string> license;
  std::optional<std::string> file_type;  // "Q4_K_M": the recipe of the tensors' types
  uint64_t n_parameters = 0;  // elements of all tensors
  uint64_t tensor_bytes = 0;
  std::vector<TypeSummary> types;  // most bytes first

  std::optional<uint64_t> n_layers;
  std::optional<uint64_t> context_length;
  std::optional<uint64_t> n_embd;
  std::optional<uint64_t> n_ff;
  std::optional<uint64_t> n_heads;
  std::optional<uint64_t> n_kv_heads;
  std::optional<uint64_t> head_dim;
  std::optional<double> rope_freq_base;

  std::optional<std::string> tokenizer_model;
  std::optional<std::string> tokenizer_pre;
  std::optional<uint64_t> n_vocab;
  std::optional<uint64_t> chat_template_bytes;

  double bits_per_weight() const;
};

// Takes milliseconds; reads no tensor data.
ModelSummary summarize(const GgufModel& model);

struct DescribeOptions {
  bool metadata = true;  // list every key
  bool tensors = false;  // list every tensor
};

// Lines for a terminal; text from the file is escaped, long values are cut. Arrays show their first 5 and last 3
// elements.
std::string describe_text(const GgufModel& model, const DescribeOptions& options);

// The same as one JSON object in ASCII, shapes slowest dimension first; texts are whole, arrays as above. What is not
// UTF-8 in a text becomes U+FFFD.
std::string describe_json(const GgufModel& model, const DescribeOptions& options);

// The elements of a value that a listing shows: all of them for up to eight.
struct ValuePreview {
  std::vector<GgufScalar> first;
  std::vector<GgufScalar> last;  // empty when `first` holds everything
};
ValuePreview preview(const GgufValue& value);

}  // namespace minfer
