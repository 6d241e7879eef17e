// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/recording_files.h"

namespace us::frontend::cuda {
namespace {

class RecordingFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  explicit RecordingFileSystem(FileLog &log) : ProxyFileSystem(llvm::vfs::getRealFileSystem()), log_(log) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    note(path);
    return ProxyFileSystem::status(path);
  }
  bool exists(const llvm::Twine &path) override {
    note(path);
    return ProxyFileSystem::exists(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override {
    note(path);
    return ProxyFileSystem::openFileForRead(path);
  }

private:
  /// As the file is before it is read: what is written meanwhile makes the note wrong, not the result.
  void note(const llvm::Twine &path) {
    llvm::SmallString<256> absolute;
    path.toVector(absolute);
    if (ProxyFileSystem::makeAbsolute(absolute)) return;
    const std::string name(absolute);
    if (!log_.contains(name)) log_.emplace(name, stateOf(name));
  }
  FileLog &log_;
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> recordingFileSystem(FileLog &log) {
  return llvm::makeIntrusiveRefCnt<RecordingFileSystem>(log);
}

} // namespace us::frontend::cuda
