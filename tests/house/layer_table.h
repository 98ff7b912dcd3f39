// The table of layers: who may include whom (docs/architecture.md).
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace minfer::house {

using LayerTable = std::map<std::string, std::set<std::string>, std::less<>>;

// "backend/cpu" and so on: every folder under src/backend/ that is built as a layer.
inline std::set<std::string> device_layers() {
  std::set<std::string> layers;
  const std::filesystem::path folder = std::filesystem::path(MINFER_SOURCE_DIR) / "src/backend";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (std::filesystem::exists(entry.path() / "CMakeLists.txt")) {
      layers.insert("backend/" + entry.path().filename().string());
    }
  }
  return layers;
}

// Layer -> the layers that it includes and links, besides itself. "apps" stands for the programs.
inline const LayerTable& layer_table() {
  static const std::set<std::string> kDevice = {"base", "tensor", "quant", "graph", "backend"};
  static const std::set<std::string> kEngine = {"base",    "tensor", "gguf", "graph",   "backend",
                                                "runtime", "model",  "text", "sampling"};
  static const LayerTable kTable = [] {
    LayerTable table = {
        {"base", {}},
        {"tensor", {"base"}},
        {"quant", {"base", "tensor"}},
        {"gguf", {"base", "tensor"}},
        {"graph", {"base", "tensor"}},
        {"backend", {"base", "tensor", "graph"}},
        {"runtime", {"base", "tensor", "graph", "backend"}},
        {"text", {"base"}},
        {"sampling", {"base"}},
        {"model", {"base", "tensor", "gguf", "graph"}},
        {"engine", kEngine},
        {"builtin", kEngine},
        {"hub", {"base", "gguf"}},
        {"server", {"base", "text", "engine"}},
        {"viz", {"base", "graph", "engine", "server"}},
        {"tools", {"base", "tensor", "quant", "gguf", "text", "hub"}},
    };
    std::set<std::string> all_but_devices;
    for (const auto& [layer, uses] : table) all_but_devices.insert(layer);
    table["apps"] = all_but_devices;
    for (const std::string& device : device_layers()) {
      table[device] = kDevice;
      table["builtin"].insert(device);
    }
    return table;
  }();
  return kTable;
}

// The layer of a path written from src/ ("backend/cpu/ops/add.cpp" -> "backend/cpu"); empty when there is none.
inline std::string layer_of(std::string_view path) {
  std::string best;
  for (const auto& [layer, uses] : layer_table()) {
    if (path.starts_with(layer + "/") && layer.size() > best.size()) best = layer;
  }
  return best;
}

}  // namespace minfer::house
