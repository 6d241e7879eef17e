// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace us {
namespace {

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

std::unexpected<Error> because(ErrorCode code, const std::string &path, const char *what) {
  return fail(code, "'" + path + "' cannot be " + what + ": " + std::strerror(errno));
}

} // namespace

Expected<std::string> readFile(const std::string &path) {
  const File file(std::fopen(path.c_str(), "rbe"));
  if (!file) return because(ErrorCode::InvalidValue, path, "read");
  std::string content;
  char piece[16384];
  while (const size_t size = std::fread(piece, 1, sizeof piece, file.get())) content.append(piece, size);
  // A folder can be opened, and not read.
  if (std::ferror(file.get())) return because(ErrorCode::InvalidValue, path, "read");
  return content;
}

Expected<void> writeFile(const std::string &path, std::string_view content) {
  File file(std::fopen(path.c_str(), "wbe"));
  if (!file) return because(ErrorCode::OutOfResources, path, "written");
  const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  // What was kept back is written when the file is closed.
  if (!written || std::fclose(file.release()) != 0) return because(ErrorCode::OutOfResources, path, "written");
  return {};
}

} // namespace us
