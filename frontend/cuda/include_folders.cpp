// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/include_folders.h"

#include <filesystem>

namespace us::frontend::cuda {
namespace {
namespace fs = std::filesystem;

bool isOtherToolkit(const fs::path &folder) {
  std::error_code error;
  return fs::exists(folder / "cuda_runtime_api.h", error) && fs::exists(folder / "crt/host_defines.h", error) &&
         !fs::exists(folder / "understudy", error);
}

} // namespace

std::vector<std::string> otherToolkitsBehind(const std::vector<std::string> &words) {
  std::vector<std::string> result;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool isJoined = words[i].size() > 2 && words[i].starts_with("-I");
    const bool isPair = (words[i] == "-I" || words[i] == "-isystem") && i + 1 < words.size();
    const std::string folder = isJoined ? words[i].substr(2) : isPair ? words[i + 1] : "";
    if (folder.empty() || !isOtherToolkit(folder)) {
      result.push_back(words[i]);
      continue;
    }
    result.insert(result.end(), {"-idirafter", folder});
    i += isPair;
  }
  return result;
}

} // namespace us::frontend::cuda
