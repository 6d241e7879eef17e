// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an application hands over as a module: PTX text, or a container that holds it.
#pragma once

#include "icd/cuda/api.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace us::cuda {

/// The PTX of an image in memory, which comes without a length: it is as long as it says itself.
/// CUDA_ERROR_NO_BINARY_FOR_GPU for a container of machine code of another maker's devices, CUDA_ERROR_INVALID_IMAGE
/// for what is neither.
Expected<std::string> ptxOf(const void *image);
/// The PTX of a file's bytes, whatever they say. Pointers in it, which only a program's own image has, mean nothing.
Expected<std::string> ptxOfFile(std::string_view bytes);
/// The PTX of what linkers take: of an image, or of each in an object of the host's, which may have none.
Expected<std::vector<std::string>> ptxsOfLinkerInput(std::string_view bytes);
/// The same of all members of an archive; what has none says nothing. Nothing: it is no archive, or it is damaged.
std::optional<std::vector<std::string>> ptxsOfArchive(std::string_view bytes);
/// The containers of understudy-nvcc in a file of any kind.
std::vector<std::string_view> containersIn(std::string_view bytes);

} // namespace us::cuda
