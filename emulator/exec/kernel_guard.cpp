// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way into kernel code and out of it.
#include "emulator/exec/kernel_guard.h"

#include "emulator/exec/sanitizer_fibers.h"
#include "emulator/exec/signals.h"
#include "emulator/exec/switch_stack.h"

#include <immintrin.h>

namespace us::exec {
namespace {

constexpr uint32_t kDefaultMxcsr = 0x1f80;      // exceptions masked, round to nearest, denormals kept
constexpr uint16_t kDefaultControlWord = 0x37f; // the same for x87, 64-bit mantissas

struct Entered {
  void (*function)(void *);
  void *argument;
  const Stack *stack;
  const void *hostBottom = nullptr;
  size_t hostSize = 0;
  void *fakeStack = nullptr;
};

void enter(void *data) {
  Entered &entered = *static_cast<Entered *>(data);
  haveSwitched(nullptr, &entered.hostBottom, &entered.hostSize);
  entered.function(entered.argument);
  aboutToSwitch(nullptr, entered.hostBottom, entered.hostSize);
}

} // namespace

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

Leave KernelGuard::call(void (*function)(void *), void *argument, const Stack &stack) {
  Entered entered{function, argument, &stack};
  aboutToSwitch(&entered.fakeStack, stack.bottom, stack.size);
  inRuntime_ = false;
  inside_ = true;
  int how = usCallOnStack(&resume_, enter, &entered, stack.top());
  inside_ = false;
  haveSwitched(entered.fakeStack, nullptr, nullptr);
  if (how != 0) {
    // Whatever modes the kernel or the signal handler had.
    _mm_setcsr(kDefaultMxcsr);
    asm volatile("fninit");
    forgetStack(stack.bottom, stack.size);
  }
  return static_cast<Leave>(how);
}

void KernelGuard::leave(Leave how) {
  inside_ = false;
#ifdef US_ADDRESS_SANITIZER
  // The switch is announced as if from the kernel's stack; call() forgets the red zones left on it.
  __asan_handle_no_return();
#endif
  usLeaveStack(resume_, static_cast<int>(how));
}

} // namespace us::exec
