#include "tests/house/source_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>

namespace minfer::house {
namespace {

namespace fs = std::filesystem;

SourceFile read(const fs::path& root, const fs::path& path) {
  SourceFile file{fs::relative(path, root).generic_string(), {}};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) file.lines.push_back(line);
  return file;
}

std::vector<SourceFile> read_if(const std::string& folder, const std::function<bool(const fs::path&)>& wanted) {
  const fs::path root = MINFER_SOURCE_DIR;
  std::vector<SourceFile> files;
  if (!fs::exists(root / folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    if (entry.is_regular_file() && wanted(entry.path())) files.push_back(read(root, entry.path()));
  }
  return files;
}

void sort_by_path(std::vector<SourceFile>& files) {
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
}

bool is_source(const fs::path& path) {
  constexpr std::array<std::string_view, 6> kExtensions = {".h", ".cpp", ".inc", ".cu", ".cuh", ".metal"};
  return std::find(kExtensions.begin(), kExtensions.end(), path.extension().string()) != kExtensions.end();
}

// Where the string or character literal that opens at `begin` ends, one past its closing quote.
size_t literal_end(const std::string& text, size_t begin) {
  if (text[begin] == '"' && begin > 0 && text[begin - 1] == 'R') {
    const size_t open = text.find('(', begin);
    if (open == std::string::npos) return text.size();
    const std::string close = ")" + text.substr(begin + 1, open - begin - 1) + "\"";
    const size_t end = text.find(close, open);
    return end == std::string::npos ? text.size() : end + close.size();
  }
  for (size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[begin] || text[i] == '\n') {
      return i + 1;
    }
  }
  return text.size();
}

bool is_digit_separator(const std::string& text, size_t i) {
  return text[i] == '\'' && i > 0 && isxdigit(static_cast<unsigned char>(text[i - 1])) != 0;
}

}  // namespace

std::vector<SourceFile> read_sources(const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    auto more = read_if(folder, is_source);
    files.insert(files.end(), more.begin(), more.end());
  }
  sort_by_path(files);
  return files;
}

std::vector<SourceFile> read_named(const std::string& folder, std::string_view file_name) {
  auto files = read_if(folder, [&](const fs::path& path) { return path.filename().string() == file_name; });
  sort_by_path(files);
  return files;
}

std::string without_comments(const SourceFile& file) {
  std::string text;
  for (const std::string& line : file.lines) text += line + "\n";
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (text.compare(i, 2, "/*") == 0) {
      const size_t close = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
      out.append(static_cast<size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                text.begin() + static_cast<std::ptrdiff_t>(close), '\n')),
                 '\n');
      i = close;
      continue;
    }
    if ((text[i] == '"' || text[i] == '\'') && !is_digit_separator(text, i)) end = literal_end(text, i);
    out.append(text, i, end - i);
    i = end;
  }
  return out;
}

std::string place(const SourceFile& file, size_t line_index) {
  return file.path + ":" + std::to_string(line_index + 1);
}

}  // namespace minfer::house
