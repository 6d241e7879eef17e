// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// precompile_headers TOOLKIT RELEASE FILE: the headers that every source for NVRTC begins with, as a toolkit has them
// (shipped_headers.h). Part of the build.
#include "frontend/cuda/compiler_api.h"
#include "icd/nvrtc/shipped_headers.h"
#include "runtime/base/file.h"

#include <algorithm>
#include <cstdio>

namespace us::nvrtc {
namespace {

int failed(const std::string &why) {
  std::fprintf(stderr, "precompile_headers: %s\n", why.c_str());
  return 1;
}

/// Of the files that were found in the toolkit, the names by which they are included.
std::vector<std::string> namesOf(const frontend::cuda::FileLog &files, const std::string &toolkit) {
  std::vector<std::string> names;
  for (const auto &[path, state] : files)
    for (const char *const folder : {"/include/", "/clang/include/"})
      if (state.exists && path.starts_with(toolkit + folder) && path.ends_with(".h"))
        names.push_back(path.substr(toolkit.size() + std::string_view(folder).size()));
  return names;
}

int run(const std::string &toolkit, const std::string &text, const std::string &output) {
  CudaRelease release;
  if (std::sscanf(text.c_str(), "%u.%u", &release.major, &release.minor) != 2) return failed("no release: " + text);
  const auto architecture = frontend::cuda::architectureNamed("sm_" + std::to_string(kShippedFamily * 10), release);
  if (!architecture) return failed(architecture.error().message);
  frontend::cuda::CompileInput input{.source = "", .name = "headers.cu", .toolkit = toolkit};
  input.options.withoutHost = true;
  input.architecture = *architecture;
  input.release = release;
  input.product = frontend::cuda::Product::Precompiled;
  input.withIdentifiers = true;
  auto made = understudy_cuda_compiler_1()->compile(input);
  if (!made || !made.log.empty()) return failed("the headers cannot be precompiled:\n" + made.log);
  ShippedHeaders headers{std::move(made->content), std::move(made->identifiers), namesOf(made->files, toolkit)};
  std::erase(headers.identifiers, ""); // Clang has such a one
  std::ranges::sort(headers.identifiers);
  const Expected<void> written = writeFile(output, packed(headers));
  return written ? 0 : failed(written.error().message);
}

} // namespace
} // namespace us::nvrtc

int main(int argc, char **argv) {
  if (argc == 4) return us::nvrtc::run(argv[1], argv[2], argv[3]);
  std::fprintf(stderr, "usage: precompile_headers TOOLKIT RELEASE FILE\n");
  return 2;
}
