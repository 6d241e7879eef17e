// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuInit, versions, names of errors, and functions by name.
#include "frontend/cuda/cuda_release.h"
#include "icd/common/runtime_life.h"
#include "icd/cuda/api_checks.h"
#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/table.h"
#include "runtime/base/log.h"

#include <atomic>
#include <cstring>

namespace us::cuda {
namespace {

std::atomic<bool> initialised{false};

struct Found {
  void *function = nullptr;
  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
};

/// CUDA_VERSION, or what the option of that name says.
int driverVersion() {
  static const int version = [] {
    const Expected<CudaRelease> release = cudaRelease();
    if (release) return int(release->number());
    log(LogLevel::Error, release.error().message + "; " + CudaRelease{}.text() + " is used");
    return int(CudaRelease{}.number());
  }();
  return version;
}

/// The newest form of the name that is not newer than `version`: of its per-thread forms where they are asked for and
/// it has any.
Found findFunction(const char *name, int version, bool perThread) {
  const auto hasName = [&](const TableRow &row) { return row.name && std::strcmp(row.name, name) == 0; };
  const TableRow *best = nullptr;
  bool known = false, hasPerThread = false;
  for (const TableRow *row : functions())
    if (hasName(*row)) known = true, hasPerThread |= row->flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!known) return {};
  const uint32_t wanted = perThread && hasPerThread ? uint32_t(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) : 0;
  for (const TableRow *row : functions())
    if (hasName(*row) && row->flags == wanted && row->version <= version && (!best || row->version >= best->version))
      best = row;
  if (!best) return {nullptr, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT};
  return {best->exported, CU_GET_PROC_ADDRESS_SUCCESS};
}

Expected<Found> findChecked(const char *symbol, void **function, int version, cuuint64_t flags) {
  US_CHECK(checkOut(symbol, "the name"));
  US_CHECK(checkOut(function, "the result"));
  if (version > driverVersion())
    return fail(CUDA_ERROR_INVALID_VALUE, format("version {} is newer than the driver's {}", version, driverVersion()));
  if (flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  return findFunction(symbol, version, flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
}

} // namespace

Expected<void> checkInitialised() {
  if (!initialised.load(std::memory_order_acquire)) return fail(CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called");
  return {};
}

Expected<void> init(unsigned int flags) {
  // "Currently, the Flags parameter must be 0."
  if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, format("cuInit takes the flags 0, {:#x} were given", flags));
  icd::watchRuntimeLife();
  if (devices().empty()) return fail(CUDA_ERROR_NO_DEVICE, "no device here pretends to be a CUDA device");
  // The emulated devices of a process have one.
  if (HostFindings *const findings = devices().front()->hostFindings(); findings && !apiChecks())
    ApiChecks::begin(*findings);
  initialised.store(true, std::memory_order_release);
  return {};
}

Expected<void> driverGetVersion(int *version) {
  US_CHECK(checkOut(version, "the result"));
  *version = driverVersion();
  return {};
}

Expected<void> getErrorName(CUresult error, const char **name) {
  US_CHECK(checkOut(name, "the result"));
  *name = resultName(error);
  if (!*name) return fail(CUDA_ERROR_INVALID_VALUE, format("there is no error {}", int(error)));
  return {};
}

Expected<void> getErrorString(CUresult error, const char **text) {
  US_CHECK(checkOut(text, "the result"));
  *text = resultSentence(error);
  if (!*text) return fail(CUDA_ERROR_INVALID_VALUE, format("there is no error {}", int(error)));
  return {};
}

Expected<void> getProcAddress(const char *symbol, void **function, int version, cuuint64_t flags) {
  US_TRY(const Found found, findChecked(symbol, function, version, flags));
  *function = found.function;
  if (!found.function)
    return fail(CUDA_ERROR_NOT_FOUND, format("there is no function {} of version {}", symbol, version));
  return {};
}

Expected<void> getProcAddressWithStatus(const char *symbol, void **function, int version, cuuint64_t flags,
                                        CUdriverProcAddressQueryResult *status) {
  US_TRY(const Found found, findChecked(symbol, function, version, flags));
  *function = found.function;
  if (status) *status = found.status;
  if (!status && !found.function)
    return fail(CUDA_ERROR_NOT_FOUND, format("there is no function {} of version {}", symbol, version));
  return {};
}

/// Undocumented tables of the vendor's own libraries: we have none (README.md, CUDA).
Expected<void> getExportTable(const void **table, const CUuuid *) {
  US_CHECK(checkOut(table, "the result"));
  *table = nullptr;
  return fail(CUDA_ERROR_INVALID_VALUE, "there is no such table");
}

Expected<void> profilerInitialize(const char *, const char *, CUoutput_mode mode) {
  US_CHECK(checkInitialised());
  if (mode != CU_OUT_KEY_VALUE_PAIR && mode != CU_OUT_CSV)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no output mode {}", int(mode)));
  return {};
}
Expected<void> profilerStart() {
  US_CHECK(checkInitialised());
  Api::tracePaused = false;
  return {};
}
Expected<void> profilerStop() {
  US_CHECK(checkInitialised());
  Api::tracePaused = true;
  return {};
}

} // namespace us::cuda
