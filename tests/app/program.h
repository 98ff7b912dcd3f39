// Runs the program as a user does: as a process with its own streams, environment and signals.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace minfer::test {

using Environment = std::map<std::string, std::string>;

struct Outcome {
  int code = -1;    // exit code, or -1 when a signal ended it
  int signal = 0;   // the signal that ended it
  std::string out;  // standard output
  std::string err;  // standard error

  std::string last_line_of_out() const;
};

struct RunOptions {
  std::string input;          // standard input, closed behind it
  Environment environment;    // besides PATH and HOME; no MINFER_ variable of the test's own process is passed on
  std::string out_path;       // opened for standard output; "" to collect it
  bool terminal_out = false;  // standard output is a terminal that changes no byte
  bool close_in = false;      // the program starts without a standard input
  bool close_out = false;     // standard output is closed
};

// Runs the program to its end; after a minute it is killed and the signal is SIGKILL.
Outcome run(const std::vector<std::string>& args, const RunOptions& options = {});

// A program that still runs: for signals and closed pipes.
class RunningProgram {
 public:
  // `filled_out`: its standard output is a pipe that is full already, so that the first write to it waits.
  explicit RunningProgram(const std::vector<std::string>& args, bool filled_out = false);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  std::string read_some();   // waits for output; "" at its end
  std::string read_error();  // waits for something on standard error; "" at its end
  void close_output();
  void send(int signal) const;
  // Waits for the end. `out` holds what was not read before.
  Outcome finish();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
};

// A folder of its own for one test, removed behind it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(std::string_view name) const { return (folder_ / name).string(); }
  // Writes a file; returns its path.
  std::string write(std::string_view name, std::string_view content) const;
  std::vector<std::string> file_names() const;

 private:
  std::filesystem::path folder_;
};

std::string read_file(const std::string& path);

// A model of tests/data/models: "qwen2-f32".
std::string model(std::string_view name);

// A vocabulary of the 256 bytes, two merges ("he", "ll") and the control tokens <s> (258) and </s> (259), without
// tensors, of an architecture that nobody knows. `has_last_byte`: whether 0xFF has a token.
std::string write_vocabulary_only(const TemporaryFolder& folder, bool has_last_byte = true);

}  // namespace minfer::test
