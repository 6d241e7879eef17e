// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/real_driver.h"

#include "icd/cuda/forward/images.h"
#include "icd/cuda/forward/lookup.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace us::cuda {
namespace {

/// Takes whatever a caller passes.
CUresult notThere() { return CUDA_ERROR_NOT_SUPPORTED; }

/// The rows, by the address of the real driver's function. Several may have one.
std::vector<const TableRow *> &byRealAddress() {
  static auto &rows = *new std::vector<const TableRow *>;
  return rows;
}

/// What stands before a function that the driver has.
void replace(TableRow &function, void *replacement) {
  if (function.real != reinterpret_cast<void *>(&notThere)) function.forwarded = replacement;
}

Expected<void> open(const std::string &library) {
  US_TRY(void *const handle, platform::openCudaDriver(library));
  for (TableRow *function : functions()) {
    void *const found = dlsym(handle, function->symbol);
    // Calls would go round for ever.
    if (found == function->exported) return fail(CUDA_ERROR_UNKNOWN, library + " is bound to this library");
    function->real = function->forwarded = found ? found : reinterpret_cast<void *>(&notThere);
    if (found) byRealAddress().push_back(function);
  }
#define US_CU_REPLACED(symbol, function) replace(usCudaFunction_##symbol, reinterpret_cast<void *>(&function));
#include "icd/cuda/forward/replaced.def"
#undef US_CU_REPLACED
  std::ranges::sort(byRealAddress(), {},
                    [](const TableRow *one) { return std::pair(one->real, std::string_view(one->symbol)); });
  return {};
}

} // namespace

Expected<void> openRealDriver(const std::string &library) {
  static std::mutex mutex;
  std::lock_guard hold(mutex);
  static const auto &opened = *new Expected<void>(open(library));
  return opened;
}

void *ownAddressOf(void *real, const char *name) {
  const auto [first, last] = std::ranges::equal_range(byRealAddress(), real, {}, &TableRow::real);
  if (first == last) return real;
  for (auto at = first; at != last; ++at)
    if ((*at)->name && name && std::strcmp((*at)->name, name) == 0) return (*at)->exported;
  return (*first)->exported;
}

} // namespace us::cuda
