// Asks a model one question and streams the answer: everything that a program needs to embed minfer.
//   chat MODEL.gguf "Why is the sky blue?"
#include <base/cpu_info.h>
#include <builtin/registry.h>
#include <engine/generate.h>
#include <engine/text_model.h>

#include <cstdio>
#include <exception>

namespace {

void ask(const char* model_path, const char* question) {
  const minfer::Log log([](minfer::LogLevel, std::string_view message) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
  });

  minfer::EngineOptions options;
  options.model_path = model_path;
  options.registry = minfer::builtin::make_registry({});
  options.n_threads = minfer::usable_cores().count;
  options.log = log;
  minfer::Engine engine(std::move(options));
  // The file knows its vocabulary and how a conversation is written down for this model.
  minfer::TextModel text(engine.model().file().metadata());
  minfer::ChatInputs chat;
  chat.messages = minfer::single_turn(std::nullopt, question);
  chat.bos_token = text.bos_text();
  chat.eos_token = text.eos_text();

  minfer::GenerateRequest request;
  request.prompt = text.encode_prompt(text.chat_template(log).render(chat));
  request.sampling.temperature = 0.0F;
  request.n_predict = 64;

  minfer::GenerateEvents events;
  events.on_text = [](std::string_view piece) {
    std::fwrite(piece.data(), 1, piece.size(), stdout);
    std::fflush(stdout);
  };
  const minfer::GenerateResult result =
      minfer::generate(engine, text.tokenizer(), engine.create_sequence(), request, events);
  std::fprintf(stderr, "\n%zu tokens, finished by %s\n", result.tokens.size(),
               minfer::finish_reason_name(result.finish).data());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: chat MODEL.gguf QUESTION\n");
    return 2;
  }
  try {
    ask(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "Error: %s\n", error.what());
    return 1;
  }
}
