// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's functions, by the names that Clang mangles: "_Z12write_imagef14ocl_image2d_woDv2_iDv4_f".
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/InstrTypes.h>

#include <cstdint>

namespace us::codegen {

struct LibraryName {
  llvm::StringRef function, parameters; ///< empty: it has no such name
};
/// Of what is called.
LibraryName libraryName(const llvm::CallBase &call);

/// The name that the parameters begin with, which says how long it is; it is taken off.
llvm::StringRef takeName(llvm::StringRef &parameters);

/// Bytes of what the first parameter points to; 0: it is no pointer to a scalar or a vector.
uint64_t pointeeBytes(llvm::StringRef parameters);

} // namespace us::codegen
