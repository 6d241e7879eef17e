// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real driver's functions, under the names of ours.
#pragma once

#include "icd/cuda/api.h"
#include "icd/cuda/table.h"
#include "icd/platform/compose.h"

#include <string>

/// The real driver's function, and ours, with the type that cuda.h gives it.
#define US_REAL(symbol) reinterpret_cast<decltype(&::symbol)>(usCudaFunction_##symbol.real)
#define US_EMULATED(symbol) reinterpret_cast<decltype(&::symbol)>(usCudaFunction_##symbol.emulated)
/// That side's (platform::CudaSide).
#define US_ON(side, symbol) ((side) == us::platform::CudaSide::Emulated ? US_EMULATED(symbol) : US_REAL(symbol))

namespace us::cuda {

/// Opens the driver and fills in TableRow::real and TableRow::forwarded: CUDA_ERROR_NOT_SUPPORTED is what a function
/// answers that the driver lacks. Nothing of the driver is called. May be called again, with the same result.
Expected<void> openRealDriver(const std::string &library);

/// Our symbol for a function of the real driver, of those that cuGetProcAddress means by the name; the function itself
/// where the table has none.
void *ownAddressOf(void *real, const char *name);

} // namespace us::cuda
