// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way into kernel code and out of it.
#include "emulator/exec/kernel_guard.h"

#include "emulator/exec/sanitizer_fibers.h"
#include "emulator/exec/signals.h"
#include "emulator/exec/switch_stack.h"
#include "emulator/exec/work_group.h"

#include <csetjmp>
#include <immintrin.h>
#include <utility>

namespace us::exec {
namespace {

constexpr uint32_t kDefaultMxcsr = 0x1f80;      // exceptions masked, round to nearest, denormals kept
constexpr uint16_t kDefaultControlWord = 0x37f; // the same for x87, 64-bit mantissas

} // namespace

struct KernelGuard::Entered {
  KernelGuard *guard;
  void (*function)(void *);
  void *argument;
};

void KernelGuard::enter(void *data) {
  Entered &entered = *static_cast<Entered *>(data);
  haveSwitched(nullptr, &entered.guard->hostBottom_, &entered.guard->hostSize_);
  entered.function(entered.argument);
  aboutToSwitch(nullptr, entered.guard->hostBottom_, entered.guard->hostSize_);
}

KernelGuard::KernelGuard(const uint32_t *abortWord) : abortWord_(abortWord), outer_(enterKernels(this)) {
  mxcsr_ = _mm_getcsr();
  asm volatile("fnstcw %0" : "=m"(controlWord_));
  if ((mxcsr_ & ~0x3fu) != kDefaultMxcsr) _mm_setcsr(kDefaultMxcsr);
  if (controlWord_ != kDefaultControlWord) asm volatile("fldcw %0" : : "m"(kDefaultControlWord));
}

KernelGuard::~KernelGuard() {
  _mm_setcsr(mxcsr_);
  if (controlWord_ != kDefaultControlWord) asm volatile("fldcw %0" : : "m"(controlWord_));
  leaveKernels(outer_);
}

Leave KernelGuard::call(void (*function)(void *), void *argument, const WorkGroup &group) {
  const Stack &stack = group.runtimeStack();
  group_ = &group;
  Entered entered{this, function, argument};
  void *fakeStack = nullptr;
  hostThreadFiber_ = currentThreadFiber();
  aboutToSwitch(&fakeStack, stack.bottom, stack.size);
  inRuntime_ = false;
  inside_ = true;
#ifdef US_THREAD_SANITIZER
  // Only its own longjmp tells the thread sanitizer that a signal handler has been left; in that all signals are
  // blocked.
  sigjmp_buf jump;
  jump_ = &jump;
  int how = sigsetjmp(jump, 1);
  if (how == 0) how = usCallOnStack(&resume_, enter, &entered, stack.top());
#else
  int how = usCallOnStack(&resume_, enter, &entered, stack.top());
#endif
  inside_ = false;
  haveSwitched(fakeStack, nullptr, nullptr);
  if (how != 0) {
    if (std::exchange(setsMask_, false)) pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    // Whatever modes the kernel or the signal handler had.
    _mm_setcsr(kDefaultMxcsr);
    asm volatile("fninit");
    forgetStack(stack.bottom, stack.size);
  }
  return static_cast<Leave>(how);
}

void KernelGuard::leaveHandler(Leave how, const sigset_t &mask) {
  mask_ = mask;
  setsMask_ = true;
  leave(how);
}

void KernelGuard::leave(Leave how) {
  inside_ = false;
  aboutToSwitch(nullptr, hostBottom_, hostSize_);
  if (currentThreadFiber() != hostThreadFiber_) switchThreadFiber(hostThreadFiber_);
#ifdef US_THREAD_SANITIZER
  siglongjmp(*static_cast<sigjmp_buf *>(jump_), static_cast<int>(how));
#endif
  usLeaveStack(resume_, static_cast<int>(how));
}

} // namespace us::exec
