// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that was built for both devices, and its kernels.
#pragma once

#include "runtime/device/device.h"

#include <memory>
#include <string>
#include <vector>

namespace us::compare {

/// What a person is told of where a kernel comes from, and what its build says of its numbers.
struct ProgramNotes {
  uint64_t number = 0; ///< of the session's programs, in the order in which they were built
  std::vector<std::shared_ptr<const std::string>> sources;
  bool flushesDenormals = false; ///< the build allows it
};

/// Where a kernel is defined.
struct KernelPlace {
  uint64_t program = 0;
  uint32_t line = 0; ///< of its source; 0: unknown
  std::string text;  ///< of that line
};
KernelPlace placeOf(const ProgramNotes &notes, const std::string &kernel);

class ComparedKernel final : public DeviceKernel {
public:
  /// `candidate` may be null, if `obstacle` says why.
  ComparedKernel(Ref<DeviceKernel> reference, Ref<DeviceKernel> candidate, std::string obstacle,
                 std::shared_ptr<const ProgramNotes> notes, DeviceVariable variables)
      : reference_(std::move(reference)), candidate_(std::move(candidate)), obstacle_(std::move(obstacle)),
        notes_(std::move(notes)), place_(placeOf(*notes_, reference_->info().name)), variables_(variables) {}

  const KernelInfo &info() const override { return reference_->info(); }
  bool wantsPreparation() const override { return reference_->wantsPreparation(); }
  /// The reference's own: what kernels enqueue runs there only.
  Ref<DeviceKernel> block(std::string_view name) const override { return reference_->block(name); }

  const Ref<DeviceKernel> &reference() const { return reference_; }
  const Ref<DeviceKernel> &candidate() const { return candidate_; }
  const std::string &obstacle() const { return obstacle_; }
  const ProgramNotes &notes() const { return *notes_; }
  const KernelPlace &place() const { return place_; }
  /// Those of its program, which both devices' kernels see; of size 0 if there are none.
  const DeviceVariable &variables() const { return variables_; }

private:
  const Ref<DeviceKernel> reference_, candidate_;
  const std::string obstacle_;
  const std::shared_ptr<const ProgramNotes> notes_;
  const KernelPlace place_;
  const DeviceVariable variables_;
};

class ComparedProgram final : public DeviceProgram {
public:
  /// `candidate` may be null; `obstacle` says why.
  ComparedProgram(Ref<DeviceProgram> reference, Ref<DeviceProgram> candidate, std::string obstacle,
                  std::shared_ptr<const ProgramNotes> notes);

  ProgramKind kind() const override { return reference_->kind(); }
  std::span<const KernelInfo> kernels() const override { return reference_->kernels(); }
  Expected<Ref<DeviceKernel>> kernel(std::string_view name) override;
  Expected<std::vector<std::byte>> binary() override { return reference_->binary(); }
  uint64_t globalVariableSize() const override { return reference_->globalVariableSize(); }
  Expected<DeviceVariable> variable(std::string_view name) override { return reference_->variable(name); }
  Expected<TextureVariable> textureVariable(std::string_view name) override {
    return reference_->textureVariable(name);
  }

  const Ref<DeviceProgram> &reference() const { return reference_; }
  const Ref<DeviceProgram> &candidate() const { return candidate_; }
  const std::string &obstacle() const { return obstacle_; }
  const ProgramNotes &notes() const { return *notes_; }

private:
  const Ref<DeviceProgram> reference_, candidate_;
  std::string obstacle_;
  const std::shared_ptr<const ProgramNotes> notes_;
  DeviceVariable variables_;
};

/// The reference's kernel of one of ours; another device's stays what it is.
Ref<DeviceKernel> referenceKernel(const Ref<DeviceKernel> &kernel);

} // namespace us::compare
