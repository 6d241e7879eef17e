// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/route.h"

#include "icd/cuda/forward/both.h"
#include "icd/cuda/forward/current_side.h"
#include "icd/cuda/forward/listed_devices.h"
#include "icd/cuda/forward/owners.h"
#include "icd/cuda/forward/real_driver.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace us::cuda {
namespace {

struct Row {
  const TableRow &function; ///< so that there is no row for what the table does not have
  const char *letters;
  void *both;  ///< answers; null: the letters say who does
  void *split; ///< answers where the ends of a copy belong to different sides
};
const Row kRows[] = {
#define US_CU_ROUTE(symbol, letters) {usCudaFunction_##symbol, letters, nullptr, nullptr},
#define US_CU_SPLIT(symbol, letters, function)                                                                         \
  {usCudaFunction_##symbol, letters, nullptr, reinterpret_cast<void *>(&both::function)},
#define US_CU_BOTH(symbol, function) {usCudaFunction_##symbol, "", reinterpret_cast<void *>(&both::function), nullptr},
#include "icd/cuda/forward/routes.def"
#undef US_CU_ROUTE
#undef US_CU_SPLIT
#undef US_CU_BOTH
};

/// CUmemAllocationProp, of which nothing but the location is of interest here.
struct AllocationProperties {
  int type, handleTypes;
  CUmemLocation location;
  void *win32;
  unsigned char flags[8];
};
static_assert(sizeof(AllocationProperties) == 32 && sizeof(CUmemPoolProps) == 88);
/// More descriptions than devices make no sense, and are left to whoever answers.
constexpr size_t kMostDescriptions = 256;

template <class T> T *pointer(uint64_t argument) { return reinterpret_cast<T *>(argument); }

/// What the arguments say, one after the other.
class Reader {
public:
  void read(char letter, uint64_t argument) {
    switch (letter) {
    case 'h':
      return readHandle(argument);
    case 'E':
      if (const auto *launch = pointer<const CUlaunchConfig>(argument))
        readHandle(reinterpret_cast<uint64_t>(launch->hStream));
      return;
    case 'M':
      if (const auto *launch = pointer<const CUDA_LAUNCH_PARAMS>(argument))
        readHandle(reinterpret_cast<uint64_t>(launch->function));
      return;
    case 'a':
      hasOwnAddress_ |= isOwnAddress(argument);
      if (!address_) address_ = argument;
      return;
    case 'd':
      return readDevice(int(argument));
    case 'l':
      if (CUmemLocationType(argument) == CU_MEM_LOCATION_TYPE_DEVICE) readDevice(int(argument >> 32));
      return;
    case 'L':
      return readLocation(pointer<const CUmemLocation>(argument));
    case 'P':
      if (const auto *properties = pointer<const CUmemPoolProps>(argument)) readLocation(&properties->location);
      return;
    case 'Q':
      if (const auto *properties = pointer<const AllocationProperties>(argument)) readLocation(&properties->location);
      return;
    case 's':
      if (argument <= uint64_t(2)) ends_[0] = currentSide();
      [[fallthrough]];
    case 'e':
      if (argument > uint64_t(2)) ends_[letter == 'e'] = isOwnHandle(argument) ? CudaSide::Emulated : CudaSide::Real;
      endCount_ = 2;
      return readHandle(argument);
    case 'x':
      ends_[std::min<size_t>(endCount_++, 1)] = endAt(argument);
      return;
    case '2':
      return readBox(pointer<const CUDA_MEMCPY2D>(argument));
    case '3':
      return readBox(pointer<const CUDA_MEMCPY3D>(argument));
    case 'p':
      return readBox(pointer<const CUDA_MEMCPY3D_PEER>(argument));
    default:
      return;
    }
  }

  /// The ends of a copy belong to different sides.
  bool isSplit() const { return endCount_ >= 2 && isOf(CudaSide::Emulated) && isOf(CudaSide::Real); }

  CudaSide side() const {
    if (hasOwnHandle_) return CudaSide::Emulated;
    if (endCount_ >= 2 && isOf(CudaSide::Emulated)) return CudaSide::Emulated;
    if (endCount_ >= 2 && isOf(CudaSide::Real)) return CudaSide::Real;
    if (hasRealHandle_) return CudaSide::Real;
    if (hasOwnAddress_) return CudaSide::Emulated;
    if (device_) return *device_;
    if (address_ && currentSide() == CudaSide::Emulated && kindOfRealMemory(address_) != CU_MEMORYTYPE_UNIFIED)
      return CudaSide::Real;
    return currentSide();
  }

private:
  void readHandle(uint64_t handle) {
    // Up to here they are streams that belong to the current context.
    if (handle <= uint64_t(2)) return;
    (isOwnHandle(handle) ? hasOwnHandle_ : hasRealHandle_) = true;
  }
  void readDevice(int number) {
    if (const ListedDevice *const device = listedDevice(number); device && !device_) device_ = device->side;
  }
  void readLocation(const CUmemLocation *location) {
    if (location && location->type == CU_MEM_LOCATION_TYPE_DEVICE) readDevice(location->id);
  }
  /// Of nobody: host memory, or nothing.
  static std::optional<CudaSide> endAt(uint64_t address) {
    if (isOwnAddress(address)) return CudaSide::Emulated;
    if (kindOfRealMemory(address) == CU_MEMORYTYPE_DEVICE) return CudaSide::Real;
    return {};
  }
  static std::optional<CudaSide> endOf(CUmemorytype type, CUdeviceptr device, CUarray array) {
    if (type == CU_MEMORYTYPE_ARRAY) return isOwnHandle(array) ? CudaSide::Emulated : CudaSide::Real;
    if (type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_UNIFIED) return endAt(device);
    return {};
  }
  template <class Box> void readBox(const Box *box) {
    if (!box) return;
    ends_ = {endOf(box->dstMemoryType, box->dstDevice, box->dstArray),
             endOf(box->srcMemoryType, box->srcDevice, box->srcArray)};
    endCount_ = 2;
  }
  bool isOf(CudaSide side) const { return ends_[0] == side || ends_[1] == side; }

  bool hasOwnHandle_ = false, hasRealHandle_ = false, hasOwnAddress_ = false;
  uint64_t address_ = 0;
  std::optional<CudaSide> device_;
  std::array<std::optional<CudaSide>, 2> ends_;
  size_t endCount_ = 0;
};

void renumber(CUmemLocation &location, CudaSide side) {
  if (location.type == CU_MEM_LOCATION_TYPE_DEVICE) location.id = ownNumber(side, location.id);
}

/// A copy of what the program passes by address; the calling thread's, until its next call.
template <class T> void passRenumbered(uint64_t &argument, CudaSide side, CUmemLocation T::*location) {
  if (!argument) return;
  thread_local T copy;
  copy = *pointer<const T>(argument);
  renumber(copy.*location, side);
  argument = reinterpret_cast<uint64_t>(&copy);
}

void passRenumberedDescriptions(uint64_t &argument, uint64_t count, CudaSide side) {
  if (!argument || count > kMostDescriptions) return;
  // Never destroyed: calls come while a thread ends.
  thread_local constinit std::vector<CUmemAccessDesc> *copy = nullptr;
  if (!copy) copy = new std::vector<CUmemAccessDesc>;
  const auto *const given = pointer<const CUmemAccessDesc>(argument);
  copy->assign(given, given + count);
  for (CUmemAccessDesc &description : *copy) renumber(description.location, side);
  argument = reinterpret_cast<uint64_t>(copy->data());
}

void passOwnNumbers(const char *letters, CallFrame &frame, CudaSide side) {
  for (size_t i = 0; letters[i]; ++i) {
    uint64_t &argument = frame.argument(i);
    switch (letters[i]) {
    case 'd':
      argument = uint64_t(uint32_t(ownNumber(side, int(argument))));
      break;
    case 'l': {
      CUmemLocation location;
      std::memcpy(&location, &argument, sizeof location);
      renumber(location, side);
      std::memcpy(&argument, &location, sizeof location);
      break;
    }
    case 'L':
      if (argument) {
        thread_local CUmemLocation copy;
        copy = *pointer<const CUmemLocation>(argument);
        renumber(copy, side);
        argument = reinterpret_cast<uint64_t>(&copy);
      }
      break;
    case 'P':
      passRenumbered(argument, side, &CUmemPoolProps::location);
      break;
    case 'Q':
      passRenumbered(argument, side, &AllocationProperties::location);
      break;
    case 'A':
      passRenumberedDescriptions(argument, frame.argument(i + 1), side);
      break;
    default:
      break;
    }
  }
}

/// "cuStreamQuery_ptsz" → "cuStreamQuery".
std::string_view withoutForm(std::string_view symbol) {
  for (const std::string_view ending : {"_ptsz", "_ptds"})
    if (symbol.ends_with(ending)) symbol.remove_suffix(ending.size());
  return symbol;
}

} // namespace

void readRoutes() {
  std::map<std::string_view, const Row *> rows;
  for (const Row &row : kRows) rows.emplace(row.function.symbol, &row);
  for (TableRow *function : functions()) {
    const auto found = rows.find(withoutForm(function->symbol));
    if (found == rows.end()) continue;
    function->letters = found->second->letters;
    function->both = found->second->both;
    function->split = found->second->split;
  }
}

void *routedTarget(TableRow &function, CallFrame &frame) {
  if (function.both) return function.both;
  Reader reader;
  for (size_t i = 0; function.letters[i]; ++i) reader.read(function.letters[i], frame.argument(i));
  if (function.split && reader.isSplit()) return function.split;
  const CudaSide side = reader.side();
  passOwnNumbers(function.letters, frame, side);
  return side == CudaSide::Emulated ? function.emulated : function.forwarded;
}

} // namespace us::cuda
