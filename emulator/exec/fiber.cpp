// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers over Boost.Context's raw contexts: about 11 ns for a resume and a suspend, and leaving one suspended for good
// costs nothing (its class boost::context::fiber would unwind by an exception, through generated code).
#include "emulator/exec/fiber.h"

#include "emulator/exec/sanitizer_fibers.h"

#include <boost/context/detail/fcontext.hpp>

namespace us::exec {

namespace context = boost::context::detail;

struct FiberStart {
  static void run(context::transfer_t from) {
    Fiber *self = static_cast<Fiber *>(from.data);
    self->resumer_ = from.fctx;
    haveSwitched(nullptr, nullptr, nullptr);
    if (self->groupEntry)
      self->groupEntry(self->group->launch, self->group, self->group->linearGroup, self->group->linearGroup + 1);
    else
      self->entry(self);
    self->suspend(FiberState::Ended);
    __builtin_unreachable();
  }
};

void Fiber::resume(const Stack &from) {
  if (state == FiberState::New) {
    forgetStack(stack->bottom, stack->size);
    suspended_ = context::make_fcontext(stack->top(), stack->size, FiberStart::run);
    threadFiber_ = makeThreadFiber();
  }
  home = &from;
  state = FiberState::Ready;
  homeThreadFiber_ = currentThreadFiber();
  aboutToSwitch(&homeFakeStack_, stack->bottom, stack->size);
  switchThreadFiber(threadFiber_);
  suspended_ = context::jump_fcontext(suspended_, this).fctx;
  haveSwitched(homeFakeStack_, nullptr, nullptr);
  if (state == FiberState::Ended) {
    dropThreadFiber(threadFiber_);
    threadFiber_ = nullptr;
  }
}

void Fiber::suspend(FiberState as) {
  state = as;
  aboutToSwitch(as == FiberState::Ended ? nullptr : &fakeStack_, home->bottom, home->size);
  switchThreadFiber(homeThreadFiber_);
  resumer_ = context::jump_fcontext(resumer_, this).fctx;
  haveSwitched(fakeStack_, nullptr, nullptr);
}

Stack *Fiber::abandon() {
  dropThreadFiber(threadFiber_);
  threadFiber_ = nullptr;
  state = FiberState::Ended;
  Stack *given = stack;
  stack = nullptr;
  return given;
}

} // namespace us::exec
