// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the library of the CUDA driver may lie. Files are looked at, and nothing is opened.
#pragma once

#include "runtime/forward/loader/vendor_files.h"

#include <string>
#include <string_view>
#include <vector>

namespace us::forward {

/// Where a program would find it without us, and where those find it who ship it elsewhere.
struct CudaPlaces {
  std::string libraryPath; ///< LD_LIBRARY_PATH; a privileged program has none
  std::string loaderCache = "/etc/ld.so.cache";
  std::vector<std::string> folders; ///< those that the loader's cache may not know
  std::vector<std::string> own;     ///< fileIdentity of our own libraries, which are no driver
};
CudaPlaces cudaPlaces();

/// The libraries named libcuda.so.1 in their order, each once, none of them ours.
std::vector<Candidate> cudaDrivers(const CudaPlaces &places);
/// What a comma-separated list names of CUDA: `cuda` is all of the above, and a library whose name begins with libcuda
/// is itself.
std::vector<Candidate> namedCudaDrivers(std::string_view list, const CudaPlaces &places);
/// Whether an item of such a list is of CUDA.
bool isCudaItem(std::string_view item);

/// The paths that a cache of the dynamic linker has for a name. Empty if it cannot be read.
std::vector<std::string> pathsInLoaderCache(const std::string &cache, std::string_view name);

} // namespace us::forward
