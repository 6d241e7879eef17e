// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/check/api_checks.h"

#include "icd/common/call_site.h"
#include "icd/common/format.h"
#include "icd/opencl/api.h"
#include "icd/opencl/check/command_checks.h"
#include "icd/opencl/context.h"
#include "icd/opencl/event.h"
#include "icd/opencl/kernel.h"
#include "icd/opencl/memory.h"
#include "icd/opencl/program.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace us::opencl {
namespace {

const pid_t process = getpid(); // a forked child has made nothing of it

constexpr const char *kNouns[] = {"released object", "platform",         "device",   "context", "command-queue",
                                  "memory object",   "program",          "kernel",   "event",   "sampler",
                                  "command buffer",  "recorded command", "semaphore"};
static_assert(std::size(kNouns) == size_t(HandleKind::Semaphore) + 1);

/// "an event".
std::string one(std::string_view noun) {
  return (std::string_view("aeiou").contains(noun.front()) ? "an " : "a ") + std::string(noun);
}

/// A user event that was not completed yet, and that something waits for.
bool isWaitedFor(const HandleSlot &slot) {
  if (slot.kind.load(std::memory_order_acquire) != HandleKind::Event) return false;
  const auto &event = *std::launder(reinterpret_cast<const ClEvent *>(slot.object));
  return event.isUser() && !event.core()->peekStatus().ended() && event.core()->hasDependents();
}

} // namespace

ApiChecks::ApiChecks(HostFindings &findings)
    : findings_(findings), commands_(findings.wants(HostCheck::Use) || findings.wants(HostCheck::Races)
                                         ? std::make_unique<CommandChecks>(findings)
                                         : nullptr) {}

void ApiChecks::begin(HostFindings &findings) {
  detail::theApiChecks.store(new ApiChecks(findings), std::memory_order_release);
  std::atexit(prepareEnd);
}

const CallSite *ApiChecks::site() {
  // An interpreter that is asked may tidy up, and call us for that.
  const CallKept kept;
  return icd::callSite(callInProgress());
}

std::function<void(const std::string &, const std::string &)> ApiChecks::callbackOf(cl_context handle) {
  if (!handle) return {};
  return [handle](const std::string &sentence, const std::string &json) {
    if (!isHandleOf<ClContext>(handle)) return; // it is gone
    if (auto context = fromHandle<ClContext>(handle)) context->get().core->reportFinding(sentence, json);
  };
}

void ApiChecks::tell(std::string kind, std::string sentence,
                     std::vector<std::pair<std::string, const CallSite *>> others, cl_context context) {
  HostFinding finding{HostCheck::Use, std::move(kind), std::move(sentence), site(), std::move(others)};
  finding.alsoTold = callbackOf(context ? context : contextOfCallInProgress());
  findings_.tell(finding);
}

void ApiChecks::made(const HandleSlot &slot, const char *noun, cl_context context) {
  const CallSite *const from = site();
  const std::scoped_lock lock(mutex_);
  objects_[&slot] = {noun, context, from};
}

void ApiChecks::released(HandleSlot &slot) {
  const CallSite *const from = site(), *made = nullptr;
  cl_context context = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    const auto known = objects_.find(&slot);
    if (known == objects_.end()) return;
    known->second.released = from;
    made = known->second.made;
    context = known->second.context;
  }
  // "If the user event was used in the event_wait_list argument passed to a clEnqueue*** API ..., those commands and
  // host threads will continue to wait for the event status to reach CL_COMPLETE or error, even after the application
  // has released the object. ... As a result the waiting tasks will wait forever"
  if (isWaitedFor(slot))
    tell("event never completed",
         icd::format("{} gives up a user event whose status was not set: the commands that wait for it wait for ever",
                     callInProgress()),
         {{"made", made}}, context);
}

void ApiChecks::failedCall(const char *function, const void *handle, const char *wanted) {
  // That there is none is all that there is to say of it, and the error says it.
  if (!handle) return;
  const HandleSlot *const slot = slotOf(handle);
  if (!slot)
    return tell("invalid handle",
                icd::format("{} was given {}, which is no handle, as {}", function, handle, one(wanted)), {}, nullptr);
  Object object{kNouns[size_t(slot->kind.load(std::memory_order_acquire))]};
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = objects_.find(slot); known != objects_.end()) object = known->second;
  }
  const std::vector<std::pair<std::string, const CallSite *>> others{{"made", object.made},
                                                                     {"released", object.released}};
  // "After the memobj reference count becomes zero ..., the memory object is deleted. Using this function to release a
  // reference that was not obtained by creating the object or by calling clRetainMemObject causes undefined behavior.";
  // the same of other objects.
  if (Api::isRelease(function))
    return tell("released twice", icd::format("{} releases {} that was released already", function, one(object.noun)),
                others, object.context);
  if (object.released || slot->kind.load(std::memory_order_acquire) == HandleKind::Dead)
    return tell("use after release", icd::format("{} uses {} that was released", function, one(object.noun)), others,
                object.context);
  tell("handle of another kind", icd::format("{} was given {} as {}", function, one(object.noun), one(wanted)), others,
       object.context);
}

/// clSetKernelArg: "Users may not rely on a kernel object to retain objects specified as argument values to the
/// kernel."
void ApiChecks::failedLaunch(const ClKernel &kernel) {
  if (const std::optional<uint32_t> number = kernel.core->releasedArgument())
    tell("use after release",
         icd::format("{} starts kernel '{}', whose argument {} was released since it was set", callInProgress(),
                     kernel.core->name(), *number),
         {}, kernel.program->context->handle());
}

void ApiChecks::mapped(const ClMem &memory, const void *pointer, const CallSite *from) {
  const std::scoped_lock lock(mutex_);
  maps_[{memory.slot(), pointer}] = {from, nullptr};
}

void ApiChecks::unmapped(const ClMem &memory, const void *pointer) {
  const CallSite *const from = site();
  const std::scoped_lock lock(mutex_);
  maps_[{memory.slot(), pointer}].unmapped = from;
}

void ApiChecks::failedUnmap(const ClMem &memory, const void *pointer) {
  Unmapped before;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = maps_.find({memory.slot(), pointer}); known != maps_.end()) before = known->second;
  }
  // "mapped_ptr is the host address returned by a previous call to clEnqueueMapBuffer or clEnqueueMapImage for memobj."
  if (before.unmapped)
    return tell(
        "unmapped twice",
        icd::format("{} unmaps a pointer of {} that was unmapped already", callInProgress(), one(nounOf(memory))),
        {{"mapped", before.mapped}, {"unmapped", before.unmapped}}, memory.context->handle());
  tell("unmapped what is not mapped",
       icd::format("{} was given {}, which no map of this {} has returned", callInProgress(), pointer, nounOf(memory)),
       {}, memory.context->handle());
}

// --- The process's end ---
//
// Objects of C++ programs that live as long as the process release what they hold behind our exit handlers. So what is
// still there is told of behind all of these, when nothing can be looked up any more: that is done before.

void ApiChecks::prepareEnd() {
  ApiChecks *const checks = apiChecks();
  if (!checks || getpid() != process) return;
  std::vector<const CallSite *> sites;
  {
    const std::scoped_lock lock(checks->mutex_);
    for (const auto &[slot, object] : checks->objects_)
      if (!object.released && (checks->findings_.wants(HostCheck::Leaks) || isWaitedFor(*slot)))
        sites.push_back(object.made);
  }
  if (checks->commands_) std::ranges::copy(checks->commands_->sitesToPrepare(), std::back_inserter(sites));
  for (const CallSite *const site : sites) checks->findings_.prepare(*site);
}

void ApiChecks::calledLate(const char *function, const void *handle) {
  if (getpid() != process) return;
  if (!Api::isRelease(function)) {
    const std::scoped_lock lock(mutex_);
    wasCalledLate_ = true;
    return;
  }
  HandleSlot *const slot = slotOf(handle);
  if (!slot) return;
  uint32_t before = slot->applicationCount.load(std::memory_order_relaxed);
  while (before != 0 && !slot->applicationCount.compare_exchange_weak(before, before - 1)) {
  }
}

void ApiChecks::atEnd() {
  ApiChecks *const checks = apiChecks();
  if (!checks || getpid() != process) return;
  if (!checks->wasCalledLate_) {
    checks->tellWaitingEvents();
    if (checks->commands_) checks->commands_->tellAtEnd();
  }
  checks->tellLeaks();
}

void ApiChecks::tellWaitingEvents() {
  for (const auto &[slot, object] : objects_)
    if (!object.released && isWaitedFor(*slot))
      findings_.tell({HostCheck::Use,
                      "event never completed",
                      "the process ends, and commands wait for a user event whose status was never set",
                      object.made,
                      {},
                      nullptr,
                      true});
}

void ApiChecks::tellLeaks() {
  for (const auto &[slot, object] : objects_)
    if (!object.released && slot->applicationCount.load(std::memory_order_relaxed) != 0)
      findings_.tell(
          {HostCheck::Leaks,
           "never released",
           icd::format("the process ends, and {} that {} made was not released", one(object.noun), object.made->call),
           object.made,
           {},
           nullptr,
           true});
}

} // namespace us::opencl
