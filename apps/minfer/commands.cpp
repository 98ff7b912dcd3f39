// The commands and their help texts.
#include "apps/minfer/command.h"

namespace minfer::app {
namespace {

using namespace setting_commands;

constexpr Command kCommands[] = {
    {"run", kRun, "MODEL [PROMPT...] [OPTIONS]", "Answer a prompt, streaming the text to standard output",
     "The words behind the model are the prompt, joined by blanks; with -m all words are. Instead, -p\n"
     "gives it, -f reads it from a file and - from standard input, which is also read when it is not a\n"
     "terminal and no prompt was given. One line end behind the prompt of a file or of standard input is\n"
     "dropped. The prompt goes through the model's chat template unless --raw is given. Standard output\n"
     "receives the answer alone (a line end is added on a terminal). The first Ctrl-C ends the answer\n"
     "and prints the timings, a second one ends the program at once.\n",
     "  minfer run model.gguf \"Why is the sky blue?\"\n"
     "  minfer run model.gguf --temp 0 -n 200 -f question.txt\n"
     "  cat report.txt | minfer run -m model.gguf -sys \"Summarize the user's text.\" -\n"
     "  minfer run model.gguf --raw -n 20 \"Once upon a time\"\n"
     "  minfer run model.gguf --json --seed 7 \"Name a colour.\"\n",
     cmd_run},
    {"eval", kEval, "MODEL (--tokens IDS | --tokens-file FILE | --file TEXT) [OPTIONS]",
     "Compute the logits behind every token of a given text",
     "Without --logits, --nll, --top or --logit-hash the mean negative log-likelihood is printed. The\n"
     "context has room for exactly the tokens given, unless --ctx-size says otherwise. A begin-of-text\n"
     "token is put in front of --file's text if the model's file asks for it, and never in front of\n"
     "given ids. A file of --logits appears when it is complete.\n",
     "  minfer eval -m model.gguf --tokens 1,2,3 --top 5\n"
     "  minfer eval -m model.gguf --file text.txt --nll\n"
     "  minfer eval -m model.gguf --tokens-file ids.txt --logits out.npy\n",
     cmd_eval},
    {"bench", kBench, "MODEL [OPTIONS]", "Measure how fast a model runs: prompts and generation, in tokens per second",
     "Lists have commas between their numbers, and repeated options add to them. Every length is timed at\n"
     "every depth and with every number of threads, --repetitions times behind one run that is not timed.\n"
     "The tokens are pseudo-random, the same in every run; nothing is sampled. The context has room for\n"
     "the longest test. Columns and fields have llama-bench's names; CSV and JSON also tell the\n"
     "instruction set and the peak memory of the process so far. An interrupted run ends with the results\n"
     "that are complete.\n",
     "  minfer bench model.gguf\n"
     "  minfer bench -m model.gguf -p 512 -n 128 -t 1,2 -r 5\n"
     "  minfer bench -m model.gguf -p 0 -n 32 -d 0,1024,4096 -o md\n"
     "  minfer bench -m model.gguf -pg 512,128 -o json > result.json\n",
     cmd_bench},
    {"info", kInfo, "MODEL [OPTIONS]", "Describe a model file: metadata, parameters, tensors", "",
     "  minfer info model.gguf\n"
     "  minfer info model.gguf --tensors\n"
     "  minfer info model.gguf --json | jq .architecture\n",
     cmd_info},
    {"explain", kExplain, "MODEL [OPTIONS]", "Show where each operation of a step runs, with which kernel, and why", "",
     "  minfer explain model.gguf\n"
     "  minfer explain model.gguf --why blk.0.attn_q\n"
     "  minfer explain model.gguf --json | jq .totals\n",
     cmd_explain},
    {"tokenize", kTokenize, "MODEL [TEXT...] [OPTIONS]", "Print the token ids of a text as a JSON array",
     "The text is what the words say, or --file's content, or standard input, byte for byte. Nothing is\n"
     "added to it. Files that hold only a vocabulary work too, whatever their architecture.\n",
     "  minfer tokenize -m model.gguf \"Hello, world!\"\n"
     "  minfer tokenize -m model.gguf --file text.txt --no-parse-special\n",
     cmd_tokenize},
    {"detokenize", kDetokenize, "MODEL [IDS...] [OPTIONS]", "Print the bytes that token ids stand for",
     "The ids are the words, or --tokens, or --tokens-file's content, or standard input; commas, blanks\n"
     "and the brackets of a JSON array are understood. Nothing is added to the bytes.\n",
     "  minfer detokenize -m model.gguf 9707,11,1879,0\n"
     "  minfer tokenize -m model.gguf \"Hello\" | minfer detokenize -m model.gguf\n",
     cmd_detokenize},
    {"template", kTemplate, "(MODEL | --template FILE) --messages FILE [OPTIONS]",
     "Render a conversation through a chat template",
     "The text is printed byte for byte, without a line end behind it. With a model and --template, the\n"
     "template is --template's and the special tokens are the model's.\n",
     "  minfer template -m model.gguf --messages chat.json\n"
     "  minfer template --template t.jinja --messages chat.json --tools tools.json --var 'bos_token=\"<s>\"'\n",
     cmd_template},
};

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

}  // namespace minfer::app
