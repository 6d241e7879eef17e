// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of which we know who chose what is in them (docs/security.md): the disk cache, what `understudy run` shows to
// programs, lock files.
#pragma once

#include "runtime/base/expected.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace us {

/// An open file or folder, closed with its owner; -1 is none.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }
  int detach() { return std::exchange(number_, -1); }

private:
  int number_;
};

/// Why somebody else may have chosen what is in the open file or folder: its owner is neither this process's user nor
/// root, or others may write it. Empty: nobody else can.
std::string objectionTo(const Descriptor &opened);

/// An open folder that nobody but this process's user and root can write.
class PrivateFolder {
public:
  /// The folder at `path`. It and the folders above it are made where they are missing, for their owner alone. The
  /// error says whom the folder belongs to, who may write it, or why it cannot be opened or made.
  static Expected<PrivateFolder> open(const std::string &path);
  /// A folder in it, likewise made if it is missing.
  Expected<PrivateFolder> folder(const std::string &name) const;

  /// A file in it, to be read: none if there is none, or if somebody else can have written it. Links are not followed.
  Descriptor fileToRead(const std::string &name) const;
  /// Puts a file (0600) in the place of the one of that name, so that a reader sees all of either. errno says why not.
  bool replaceFile(const std::string &name, std::span<const std::byte> content) const;

  int descriptor() const { return folder_.get(); }

private:
  explicit PrivateFolder(Descriptor folder) : folder_(std::move(folder)) {}
  static Expected<PrivateFolder> openAt(int above, const std::string &path);
  Descriptor folder_;
};

} // namespace us
