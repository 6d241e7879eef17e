// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/common/call_site.h"

#include "icd/common/python_frames.h"

#include <dlfcn.h>
#include <functional>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <unwind.h>

namespace us::icd {
namespace {

constexpr size_t kMostReturns = 40;

std::vector<uint64_t> returnAddresses() {
  std::vector<uint64_t> returns;
  returns.reserve(kMostReturns);
  _Unwind_Backtrace(
      [](_Unwind_Context *frame, void *into) {
        auto &all = *static_cast<std::vector<uint64_t> *>(into);
        if (all.size() == kMostReturns) return _URC_END_OF_STACK;
        if (const uint64_t address = _Unwind_GetIP(frame)) all.push_back(address);
        return _URC_NO_REASON;
      },
      &returns);
  return returns;
}

struct Hash {
  size_t operator()(const CallSite &site) const {
    size_t hash = std::hash<std::string_view>()(site.call);
    const auto add = [&](uint64_t number) { hash = (hash ^ number) * 0x100000001b3; };
    for (const uint64_t address : site.returns) add(address);
    for (const ScriptLine &line : site.script) add(std::hash<std::string>()(line.file) + line.line);
    return hash;
  }
};

struct Same {
  bool operator()(const CallSite &a, const CallSite &b) const {
    return std::string_view(a.call) == b.call && a.returns == b.returns && a.script == b.script;
  }
};

/// Our libraries, and loaders that choose among drivers, also those that packages bring by names of their own.
bool isBetween(uint64_t address) {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void *>(address), &info) || !info.dli_fname) return false;
  const std::string_view path = info.dli_fname, name = path.substr(path.find_last_of('/') + 1);
  return name.starts_with("libunderstudy") || name.starts_with("libOpenCL") || name.starts_with("libcuda.so");
}

} // namespace

const CallSite *callSite(const char *call) {
  CallSite site{.call = call, .returns = returnAddresses(), .script = pythonFrames()};
  // Never destroyed: asked for during the process's end.
  static std::mutex &mutex = *new std::mutex;
  static auto &known = *new std::unordered_set<CallSite, Hash, Same>; // guarded by mutex
  const std::scoped_lock lock(mutex);
  if (const auto found = known.find(site); found != known.end()) return &*found;
  while (site.between < site.returns.size() && isBetween(site.returns[site.between])) ++site.between;
  return &*known.insert(std::move(site)).first;
}

} // namespace us::icd
