#include "tests/app/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>

#include "gguf/writer.h"
#include "text/tokenizer/byte_alphabet.h"

namespace minfer::test {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  int read_end;
  int write_end;
};

void close_if_open(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

// A terminal whose program side is `write_end`.
void open_terminal(Pipe& out) {
  for (int fd : {out.read_end, out.write_end}) close(fd);
  out.read_end = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (out.read_end < 0 || grantpt(out.read_end) != 0 || unlockpt(out.read_end) != 0) throw std::runtime_error("pty");
  out.write_end = open(ptsname(out.read_end), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios mode{};
  tcgetattr(out.write_end, &mode);
  cfmakeraw(&mode);
  tcsetattr(out.write_end, TCSANOW, &mode);
}

// Descriptors that the child gets as 0, 1 and 2; -1 closes it.
pid_t start(const std::vector<std::string>& args, const Environment& environment, const int (&streams)[3]) {
  std::vector<std::string> words{MINFER_PROGRAM};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<std::string> variables{"PATH=/usr/bin:/bin", "HOME=/nonexistent"};
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  const pid_t pid = fork();
  if (pid != 0) return pid;
  for (int fd = 0; fd < 3; ++fd) {
    if (streams[fd] >= 0) {
      dup2(streams[fd], fd);
    } else {
      close(fd);
    }
  }
  execve(MINFER_PROGRAM, argv.data(), envp.data());
  _exit(127);
}

std::string read_once(int fd) {
  char buffer[4096];
  while (true) {
    const ssize_t n = read(fd, buffer, sizeof(buffer));
    if (n > 0) return std::string(buffer, static_cast<size_t>(n));
    if (n == 0 || errno != EINTR) return "";
  }
}

// Moves bytes until both outputs end or the time is over.
void exchange(int in, std::string_view input, int out, int err, Outcome& outcome) {
  const Clock::time_point deadline = Clock::now() + std::chrono::minutes(1);
  signal(SIGPIPE, SIG_IGN);
  if (in >= 0 && input.empty()) close_if_open(in);
  if (in >= 0) fcntl(in, F_SETFL, O_NONBLOCK);
  while ((out >= 0 || err >= 0) && Clock::now() < deadline) {
    pollfd watched[] = {{in, POLLOUT, 0}, {out, POLLIN, 0}, {err, POLLIN, 0}};
    poll(watched, 3, 1000);
    if (watched[0].revents != 0) {
      const ssize_t n = write(in, input.data(), input.size());
      if (n > 0) input.remove_prefix(static_cast<size_t>(n));
      if (n < 0 || input.empty()) close_if_open(in);
    }
    const auto take = [](const pollfd& from, int& fd, std::string& to) {
      if (from.revents == 0) return;
      const std::string bytes = read_once(fd);
      to += bytes;
      if (bytes.empty()) close_if_open(fd);
    };
    take(watched[1], out, outcome.out);
    take(watched[2], err, outcome.err);
  }
  for (int* fd : {&in, &out, &err}) close_if_open(*fd);
}

void wait_for(pid_t pid, Outcome& outcome) {
  const Clock::time_point deadline = Clock::now() + std::chrono::minutes(1);
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) kill(pid, SIGKILL);
    usleep(1000);
  }
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
}

}  // namespace

std::string Outcome::last_line_of_out() const {
  if (!out.ends_with('\n')) return "";
  const size_t start = out.rfind('\n', out.size() - 2);
  return out.substr(start == std::string::npos ? 0 : start + 1);
}

Outcome run(const std::vector<std::string>& args, const RunOptions& options) {
  Pipe in, out, err;
  if (options.terminal_out) open_terminal(out);
  int child_out = out.write_end;
  if (!options.out_path.empty()) child_out = open(options.out_path.c_str(), O_WRONLY | O_CLOEXEC);
  if (options.close_out) child_out = -1;
  const int child_in = options.close_in ? -1 : in.read_end;
  const pid_t pid = start(args, options.environment, {child_in, child_out, err.write_end});
  for (int fd : {in.read_end, out.write_end, err.write_end}) close(fd);
  if (!options.out_path.empty()) close(child_out);
  Outcome outcome;
  exchange(in.write_end, options.input, out.read_end, err.read_end, outcome);
  wait_for(pid, outcome);
  return outcome;
}

RunningProgram::RunningProgram(const std::vector<std::string>& args, bool filled_out) {
  Pipe out, err;
  if (filled_out) {
    fcntl(out.write_end, F_SETFL, O_NONBLOCK);
    const std::string block(512, '.');
    while (write(out.write_end, block.data(), block.size()) > 0) continue;
    fcntl(out.write_end, F_SETFL, 0);
  }
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  pid_ = start(args, {}, {null, out.write_end, err.write_end});
  for (int fd : {null, out.write_end, err.write_end}) close(fd);
  out_ = out.read_end;
  err_ = err.read_end;
}

RunningProgram::~RunningProgram() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close_if_open(out_);
  close_if_open(err_);
}

std::string RunningProgram::read_some() {
  return read_once(out_);
}

std::string RunningProgram::read_error() {
  return read_once(err_);
}

void RunningProgram::close_output() {
  close_if_open(out_);
}

void RunningProgram::send(int signal) const {
  kill(pid_, signal);
}

Outcome RunningProgram::finish() {
  Outcome outcome;
  exchange(-1, "", out_, err_, outcome);
  out_ = err_ = -1;
  wait_for(pid_, outcome);
  pid_ = -1;
  return outcome;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::path(testing::TempDir()) / "minfer_app_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  folder_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TemporaryFolder::write(std::string_view name, std::string_view content) const {
  std::ofstream file(folder_ / name, std::ios::binary);
  file << content;
  return path(name);
}

std::vector<std::string> TemporaryFolder::file_names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
  return names;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string model(std::string_view name) {
  return std::string(MINFER_SOURCE_DIR) + "/tests/data/models/" + std::string(name) + ".gguf";
}

std::string write_vocabulary_only(const TemporaryFolder& folder, bool has_last_byte) {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    append_letters(std::string_view(&c, 1), tokens.emplace_back());
  }
  if (!has_last_byte) tokens.back() = "unused";
  for (const char* text : {"he", "ll", "<s>", "</s>"}) tokens.emplace_back(text);
  std::vector<int32_t> types(tokens.size(), 1);
  types[258] = types[259] = 3;
  GgufWriter writer;
  writer.add_string("general.architecture", "abacus");
  writer.add_string("tokenizer.ggml.model", "gpt2");
  writer.add_string("tokenizer.ggml.pre", "gpt-2");
  writer.add_string_array("tokenizer.ggml.tokens", tokens);
  writer.add_i32_array("tokenizer.ggml.token_type", types);
  const std::vector<std::string> merges{"h e", "l l"};
  writer.add_string_array("tokenizer.ggml.merges", merges);
  writer.add_u32("tokenizer.ggml.bos_token_id", 258);
  writer.add_u32("tokenizer.ggml.eos_token_id", 259);
  writer.write_file(folder.path("vocabulary.gguf"));
  return folder.path("vocabulary.gguf");
}

}  // namespace minfer::test
