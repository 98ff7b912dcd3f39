// The program: chooses the command, raises the fence, runs it, and turns every failure into a message and an exit code.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>

#include "apps/minfer/command.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/help.h"
#include "apps/minfer/interrupts.h"
#include "apps/minfer/output.h"
#include "base/error.h"
#include "builtin/registry.h"

namespace minfer::app {
namespace {

struct Choice {
  const Command* command = nullptr;
  std::vector<std::string> args;  // without the command's name
  bool is_implied = false;
};

// The first word that is not --backend is the command; `minfer MODEL` and `minfer -m FILE` are `minfer run`.
Choice choose_command(std::vector<std::string> args) {
  size_t at = 0;
  while (at < args.size() && args[at].starts_with("--backend")) at += args[at] == "--backend" ? 2 : 1;
  if (at < args.size()) {
    if (const Command* command = find_command(args[at])) {
      args.erase(args.begin() + static_cast<std::ptrdiff_t>(at));
      return {command, std::move(args), false};
    }
  }
  return {find_command("run"), std::move(args), true};
}

bool is_program_help(std::span<const std::string> args) {
  return !args.empty() && (args[0] == "--help" || args[0] == "-h" || args[0] == "help");
}

int run_program(std::vector<std::string> args) {
  if (args.empty()) {
    write_message(program_help());
    throw UsageError("no command and no model was given");
  }
  if (is_program_help(args)) {
    const Command* topic = args.size() > 1 ? find_command(args[1]) : nullptr;
    write_output(topic != nullptr ? command_help(*topic) : program_help());
    return kSuccess;
  }
  const Choice choice = choose_command(std::move(args));
  Invocation call = parse_command_line(*choice.command, choice.args, process_environment());
  call.is_implied = choice.is_implied;
  if (call.wants_help) {
    write_output(command_help(*choice.command));
    return kSuccess;
  }
  raise_fence(call);
  if (call.wants_version) {
    write_output(version_text(call.registry));
    return kSuccess;
  }
  return choice.command->run(call);
}

int run_and_report(int argc, char** argv) {
  try {
    return run_program({argv + 1, argv + argc});
  } catch (const UsageError& error) {
    write_message(fmt::format("Error: {}", error.what()));
    if (!error.hint().empty()) write_message(error.hint());
    return kUsage;
  } catch (const OutputClosed&) {
    return kFailure;
  } catch (const std::bad_alloc&) {
    write_out_of_memory();
    return kFailure;
  } catch (const std::exception& error) {
    write_message(fmt::format("Error: {}", error.what()));
    return kFailure;
  }
}

// A destructor that lacks memory cannot throw: the JSON library's allocate.
[[noreturn]] void end_without_memory() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    write_out_of_memory();
    _exit(kFailure);
  } catch (...) {
  }
  std::abort();
}

}  // namespace
}  // namespace minfer::app

int main(int argc, char** argv) {
  std::set_terminate(minfer::app::end_without_memory);
  minfer::app::hold_standard_descriptors();
  minfer::app::prepare_signals();
  return minfer::app::run_and_report(argc, argv);
}
