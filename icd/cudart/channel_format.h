// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of arrays and textures: the runtime counts bits, the driver has a format and a number of channels.
#pragma once

#include "icd/cudart/driver.h"

namespace us::cudart {

struct ElementFormat {
  CUarray_format format;
  unsigned channels;

  size_t size() const;
};

/// cudaErrorInvalidChannelDescriptor if there is no such format.
cudaError_t formatOf(const cudaChannelFormatDesc &description, ElementFormat *format);
cudaChannelFormatDesc descriptionOf(ElementFormat format);

/// The driver's array is the runtime's.
inline CUarray driverArray(cudaArray_const_t array) {
  return reinterpret_cast<CUarray>(const_cast<cudaArray *>(array));
}

} // namespace us::cudart
