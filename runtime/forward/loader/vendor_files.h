// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which drivers there are: the files in which vendors name their libraries, read as the ICD loaders read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace us::forward {

/// Where the loaders look.
struct VendorPlaces {
  std::string system = "/etc/OpenCL/vendors";
  // As the environment has them; empty: not set. A privileged program has none of it.
  std::string vendors;     ///< OCL_ICD_VENDORS: a folder, a vendor's file, or a library
  std::string vendorPath;  ///< OPENCL_VENDOR_PATH: a folder
  std::string libraryList; ///< OCL_ICD_FILENAMES: libraries, with colons between them
};
VendorPlaces vendorPlaces();

/// A driver that somebody names.
struct Candidate {
  std::string file;    ///< the vendor's file; empty: the library was named itself
  std::string library; ///< as it is written there: a path, or a name that the dynamic linker looks for
  std::string problem; ///< why there is nothing to open; empty: there may be
};

/// Which API a driver speaks.
enum class DriverApi : uint8_t { OpenCl, Cuda };

/// What a loader in this process opens, in its order.
std::vector<Candidate> visibleDrivers(const VendorPlaces &places);
/// What the system's folder names, whatever the environment says.
std::vector<Candidate> systemDrivers(const VendorPlaces &places);
/// What a comma-separated list names: vendors' files, libraries, or names of files in the folders above; what is
/// CUDA's (cuda_libraries.h) is left out.
std::vector<Candidate> namedDrivers(std::string_view list, const VendorPlaces &places);

} // namespace us::forward
