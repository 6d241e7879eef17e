// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The headers that every source begins with, precompiled when this project is built: to read them takes a first
// compilation several times as long as all else. They lie in the toolkit for the architectures of one family
// (`kShippedFamily`); others are precompiled when they are needed, and kept in the user's cache.
#pragma once
#include "frontend/cuda/compile.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace us::nvrtc {

/// Of sm_80 to sm_89: the one of the device that is emulated unless another is asked for.
inline constexpr unsigned kShippedFamily = 8;

struct ShippedHeaders {
  std::string content;                  ///< frontend::cuda::Product::Precompiled
  std::vector<std::string> identifiers; ///< frontend::cuda::Compiled::identifiers, in order
  std::vector<std::string> files;       ///< as includes name them
};

/// Where they lie in a toolkit.
std::string shippedHeadersPath(const std::string &toolkit, unsigned release);

/// The bytes of such a file, and back; null if the bytes are something else.
std::string packed(const ShippedHeaders &headers);
std::shared_ptr<const ShippedHeaders> unpacked(std::string_view bytes);

/// Null: there are none that mean the same as the headers themselves would for this input.
std::shared_ptr<const ShippedHeaders> shippedHeadersFor(const frontend::cuda::CompileInput &input);

} // namespace us::nvrtc
