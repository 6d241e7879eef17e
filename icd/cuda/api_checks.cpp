// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/api_checks.h"

#include "icd/common/call_site.h"
#include "icd/cuda/api.h"

#include <cstdlib>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace us::cuda {
namespace {

const pid_t process = getpid(); // a forked child has made nothing of it
thread_local constinit const char *nameOfCall = "";

/// What the program has and gives back itself; the call's place is known of what was made while somebody looked.
template <class Use> void forEachOwned(Use use) {
  core::AllocationMap::instance().forEach([&](const core::Allocation &one) {
    const auto *const allocation = dynamic_cast<const Allocation *>(&one);
    if (allocation && allocation->madeAt) use(*allocation);
  });
}

} // namespace

void ApiChecks::begin(HostFindings &findings) {
  detail::theApiChecks.store(new ApiChecks(findings), std::memory_order_release);
  std::atexit(prepareEnd);
}

void ApiChecks::noteCall(const char *function) { nameOfCall = function; }

const CallSite *ApiChecks::site() {
  // An interpreter that is asked may tidy up, and call us for that.
  const char *const name = nameOfCall;
  const CallSite *const site = icd::callSite(name);
  nameOfCall = name;
  return site;
}

void ApiChecks::tell(std::string kind, std::string sentence, const Freed &memory) {
  findings_.tell(
      {HostCheck::Use, std::move(kind), std::move(sentence), site(), {{"made", memory.made}, {"freed", memory.freed}}});
}

void ApiChecks::allocated(uint64_t address, uint64_t size) {
  const std::scoped_lock lock(mutex_);
  auto at = freed_.lower_bound(address);
  if (at != freed_.begin() && std::prev(at)->first + std::prev(at)->second.size > address) --at;
  while (at != freed_.end() && at->first < address + size) at = freed_.erase(at);
}

void ApiChecks::freed(const Allocation &allocation) {
  const CallSite *const from = site();
  const std::scoped_lock lock(mutex_);
  freed_[allocation.address()] = {allocation.size(), allocation.madeAt, from};
}

/// cuMemFree: "Frees the memory space pointed to by dptr, which must have been returned by a previous call to one of
/// the following memory allocation APIs ... Note - This API will not perform any implict synchronization".
void ApiChecks::failedFree(uint64_t address) {
  Freed memory;
  {
    const std::scoped_lock lock(mutex_);
    const auto known = freed_.find(address);
    if (known == freed_.end()) return; // the error says it
    memory = known->second;
  }
  tell("freed twice", format("{} frees memory that was freed already", nameOfCall), memory);
}

void ApiChecks::failedUse(uint64_t address) {
  Freed memory;
  {
    const std::scoped_lock lock(mutex_);
    auto known = freed_.upper_bound(address);
    if (known == freed_.begin() || (--known)->first + known->second.size <= address) return;
    memory = known->second;
  }
  tell("use after free", format("{} uses memory that was freed", nameOfCall), memory);
}

// --- The process's end, as icd/opencl/check/api_checks.cpp has it ---

void ApiChecks::prepareEnd() {
  ApiChecks *const checks = apiChecks();
  if (!checks || getpid() != process || !checks->findings_.wants(HostCheck::Leaks)) return;
  std::vector<const CallSite *> sites;
  forEachOwned([&](const Allocation &allocation) { sites.push_back(allocation.madeAt); });
  for (const CallSite *const site : sites) checks->findings_.prepare(*site);
}

void ApiChecks::calledLate(const char *function, uint64_t first) {
  if (getpid() != process) return;
  const std::string_view name = function;
  const std::scoped_lock lock(mutex_);
  if (name.starts_with("cuMemFree"))
    freedLate_.insert(first);
  else if (name.starts_with("cuCtxDestroy") || name.contains("PrimaryCtxRe") || name.starts_with("cuArrayDestroy"))
    allFreedLate_ = true;
}

void ApiChecks::atEnd() {
  ApiChecks *const checks = apiChecks();
  if (!checks || getpid() != process || checks->allFreedLate_) return;
  std::vector<std::pair<uint64_t, const CallSite *>> left;
  forEachOwned([&](const Allocation &allocation) { left.emplace_back(allocation.address(), allocation.madeAt); });
  for (const auto &[address, made] : left)
    if (!checks->freedLate_.contains(address))
      checks->findings_.tell({HostCheck::Leaks,
                              "never freed",
                              format("the process ends, and memory that {} made was not freed", made->call),
                              made,
                              {},
                              nullptr,
                              true});
}

} // namespace us::cuda
