// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything is asked of what is open: a name may mean something else a moment later.
#include "runtime/base/private_folder.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace us {
namespace {

bool isOursOrRoots(uid_t owner) { return owner == geteuid() || owner == 0; }

std::unexpected<Error> cannot(const std::string &what, const std::string &path, int error) {
  return fail(ErrorCode::OutOfResources, path + " cannot be " + what + ": " + std::strerror(error));
}

/// A link is as good as who made it: in a folder for all, such as /tmp, anybody can lead us anywhere.
Descriptor openFolder(int above, const std::string &path) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  Descriptor opened(openat(above, path.c_str(), kFlags | O_NOFOLLOW));
  if (opened || (errno != ELOOP && errno != ENOTDIR)) return opened;
  struct stat link;
  if (fstatat(above, path.c_str(), &link, AT_SYMLINK_NOFOLLOW) != 0) return Descriptor();
  errno = S_ISLNK(link.st_mode) ? EPERM : ENOTDIR;
  if (!S_ISLNK(link.st_mode) || !isOursOrRoots(link.st_uid)) return Descriptor();
  return Descriptor(openat(above, path.c_str(), kFlags));
}

/// "When … the destination directory is non-existent an attempt should be made to create it with permission 0700."
/// (XDG base directory specification)
Expected<void> makeFolder(int above, const std::string &path) {
  if (mkdirat(above, path.c_str(), 0700) == 0 || errno == EEXIST) return {};
  if (errno != ENOENT) return cannot("made", path, errno);
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos || slash == 0) return cannot("made", path, ENOENT);
  US_CHECK(makeFolder(above, path.substr(0, slash)));
  if (mkdirat(above, path.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return cannot("made", path, errno);
}

/// The nearest folder above that is there. What root makes in another user's folder, that user could neither use nor
/// remove: his own programs would do without a cache from then on.
Expected<void> checkPlace(const std::string &path) {
  if (geteuid() != 0) return {};
  struct stat above;
  std::string place = path;
  do {
    const size_t slash = place.find_last_of('/');
    if (slash == std::string::npos) return {};
    place.resize(slash);
  } while (stat(place.empty() ? "/" : place.c_str(), &above) != 0 && !place.empty());
  if (above.st_uid == 0) return {};
  return fail(ErrorCode::OutOfResources,
              place + " belongs to user " + std::to_string(above.st_uid) + ": root makes nothing there");
}

std::string randomName() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    number = uint64_t(getpid()) << 32 ^ reinterpret_cast<uintptr_t>(&number);
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

bool writeAll(const Descriptor &file, std::span<const std::byte> content) {
  while (!content.empty()) {
    const ssize_t put = ::write(file.get(), content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    content = content.subspan(static_cast<size_t>(put));
  }
  return true;
}

} // namespace

Descriptor::~Descriptor() {
  if (number_ < 0) return;
  const int error = errno; // a caller may still want to say what went wrong
  close(number_);
  errno = error;
}

std::string objectionTo(const Descriptor &opened) {
  struct stat facts;
  if (fstat(opened.get(), &facts) != 0) return "says nothing of itself";
  if (!isOursOrRoots(facts.st_uid)) return "belongs to user " + std::to_string(facts.st_uid);
  if ((facts.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  char mode[8];
  std::snprintf(mode, sizeof mode, "%04o", static_cast<unsigned>(facts.st_mode & 07777));
  return std::string("can be written by other users (its mode is ") + mode + ")";
}

Expected<PrivateFolder> PrivateFolder::openAt(int above, const std::string &path) {
  Descriptor opened = openFolder(above, path);
  if (!opened && errno == ENOENT) {
    if (above == AT_FDCWD) {
      US_CHECK(checkPlace(path));
    }
    US_CHECK(makeFolder(above, path));
    opened = openFolder(above, path);
  }
  if (!opened) return cannot("opened", path, errno);
  if (const std::string objection = objectionTo(opened); !objection.empty())
    return fail(ErrorCode::OutOfResources, path + " " + objection);
  return PrivateFolder(std::move(opened));
}

Expected<PrivateFolder> PrivateFolder::open(const std::string &path) { return openAt(AT_FDCWD, path); }

Expected<PrivateFolder> PrivateFolder::folder(const std::string &name) const { return openAt(folder_.get(), name); }

Descriptor PrivateFolder::fileToRead(const std::string &name) const {
  // A pipe in its place must not stop us.
  Descriptor file(openat(folder_.get(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file && objectionTo(file).empty() ? std::move(file) : Descriptor();
}

bool PrivateFolder::replaceFile(const std::string &name, std::span<const std::byte> content) const {
  // Process numbers come again, in containers even at the same time.
  const std::string temporary = name + "." + randomName() + ".tmp";
  const Descriptor file(
      openat(folder_.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return false;
  if (writeAll(file, content) && renameat(folder_.get(), temporary.c_str(), folder_.get(), name.c_str()) == 0)
    return true;
  const int error = errno;
  unlinkat(folder_.get(), temporary.c_str(), 0);
  errno = error;
  return false;
}

} // namespace us
