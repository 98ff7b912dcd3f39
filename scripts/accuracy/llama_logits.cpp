// The peer's side of scripts/accuracy: writes the logits that llama.cpp computes for given tokens, raw little-endian
// f32 [n_tokens, n_vocab]. Built against a llama.cpp tree by build_llama_logits.sh; no part of minfer.
//
// Everything that llama.cpp chooses by default stays as it is: kernels, batch sizes, KV format, attention. The options
// exist to find out what one of these choices costs.
#include <llama.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Options {
  std::string model;
  std::string tokens;
  std::string output;
  int n_threads = 1;
  ggml_type kv_type = GGML_TYPE_F16;
  llama_flash_attn_type flash_attention = LLAMA_FLASH_ATTN_TYPE_AUTO;
};

Options parse(int argc, char** argv) {
  Options options;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      files.push_back(word);
    } else if (word == "--no-flash-attention") {
      options.flash_attention = LLAMA_FLASH_ATTN_TYPE_DISABLED;
    } else if (word == "--kv-f32") {
      options.kv_type = GGML_TYPE_F32;
    } else if (word == "--threads" && i + 1 < argc) {
      options.n_threads = std::atoi(argv[++i]);
    } else {
      throw std::runtime_error("unknown option " + word);
    }
  }
  if (files.size() != 3 || options.n_threads < 1) {
    throw std::runtime_error("usage: llama_logits MODEL TOKENS OUT [--threads N] [--kv-f32] [--no-flash-attention]");
  }
  options.model = files[0];
  options.tokens = files[1];
  options.output = files[2];
  return options;
}

std::vector<llama_token> read_tokens(const std::string& path) {
  std::ifstream file(path);
  std::vector<llama_token> tokens;
  for (llama_token token = 0; file >> token;) tokens.push_back(token);
  if (tokens.empty() || !file.eof()) throw std::runtime_error("no list of token ids: " + path);
  return tokens;
}

void print_errors(ggml_log_level level, const char* text, void*) {
  if (level == GGML_LOG_LEVEL_ERROR) std::fputs(text, stderr);
}

llama_context* make_context(const Options& options, size_t n_tokens) {
  llama_model* model = llama_model_load_from_file(options.model.c_str(), llama_model_default_params());
  if (model == nullptr) throw std::runtime_error("cannot load " + options.model);
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<uint32_t>(n_tokens);
  params.n_threads = options.n_threads;
  params.n_threads_batch = options.n_threads;
  params.type_k = options.kv_type;
  params.type_v = options.kv_type;
  params.flash_attn_type = options.flash_attention;
  if (n_tokens > params.n_batch) throw std::runtime_error("more tokens than one batch takes");
  llama_context* context = llama_init_from_model(model, params);
  if (context == nullptr) throw std::runtime_error("cannot make a context");
  return context;
}

void decode(llama_context* context, const std::vector<llama_token>& tokens) {
  const int n_tokens = static_cast<int>(tokens.size());
  llama_batch batch = llama_batch_init(n_tokens, 0, 1);
  batch.n_tokens = n_tokens;
  for (int i = 0; i < n_tokens; ++i) {
    batch.token[i] = tokens[static_cast<size_t>(i)];
    batch.pos[i] = i;
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = 0;
    batch.logits[i] = 1;
  }
  const int status = llama_decode(context, batch);
  llama_batch_free(batch);
  if (status != 0) throw std::runtime_error("llama_decode answers " + std::to_string(status));
}

void write_logits(llama_context* context, int n_tokens, const std::string& path) {
  const int n_vocab = llama_vocab_n_tokens(llama_model_get_vocab(llama_get_model(context)));
  std::ofstream file(path, std::ios::binary);
  for (int i = 0; i < n_tokens; ++i) {
    file.write(reinterpret_cast<const char*>(llama_get_logits_ith(context, i)),
               static_cast<std::streamsize>(sizeof(float)) * n_vocab);
  }
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    const std::vector<llama_token> tokens = read_tokens(options.tokens);
    llama_log_set(print_errors, nullptr);
    llama_backend_init();
    // Model and context live until the process ends.
    llama_context* context = make_context(options, tokens.size());
    decode(context, tokens);
    write_logits(context, static_cast<int>(tokens.size()), options.output);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "llama_logits: %s\n", error.what());
    return 1;
  }
  return 0;
}
