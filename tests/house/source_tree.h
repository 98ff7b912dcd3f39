// The project's own files, as its house tests read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minfer::house {

struct SourceFile {
  std::string path;                // from the project's root, with slashes: "src/base/error.h"
  std::vector<std::string> lines;  // without line ends
};

// Every C++, CUDA, Metal and list file under the named folders of the project, sorted by path.
std::vector<SourceFile> read_sources(const std::vector<std::string>& folders);

// Every file of that name under a folder, sorted by path.
std::vector<SourceFile> read_named(const std::string& folder, std::string_view file_name);

// `text` without // and /* */ comments; strings and line ends stay.
std::string without_comments(const SourceFile& file);

// "src/base/error.h:12"
std::string place(const SourceFile& file, size_t line_index);

}  // namespace minfer::house
