// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handlers in layers. A host's handler that was installed over ours may call ours: it took us for what was there
// before. Putting the same handler in front of it again would make the two call each other without end. So each time it
// is another one, with a memory of its own of what was there before:
//
//   default <- layer 0 <- the host's <- layer 1
#include "runtime/base/signal_handlers.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <ucontext.h>
#include <utility>

namespace us {
namespace {

constexpr size_t kLayers = 8, kFilters = 8;

struct Layer {
  struct sigaction before{};      ///< what it stands in front of; never changed while it may be called
  std::atomic<bool> spent{false}; ///< with SA_RESETHAND: it has been called
};

struct Signal {
  std::array<std::atomic<SignalFilter>, kFilters> filters{};
  std::array<Layer, kLayers> layers;
  std::atomic<size_t> used{0}, front{0};
};

std::mutex handlersMutex; ///< guards changes of all below
std::array<std::atomic<Signal *>, NSIG> signals{};

bool isHandled(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

bool isSame(const struct sigaction &one, const struct sigaction &other) {
  if (!isHandled(one)) return !isHandled(other) && one.sa_handler == other.sa_handler;
  return one.sa_sigaction == other.sa_sigaction && one.sa_flags == other.sa_flags &&
         std::memcmp(&one.sa_mask, &other.sa_mask, sizeof(uint64_t)) == 0;
}

#if defined(__x86_64__)

/// What the system puts on a stack for a handler, but for the floating-point state, which lies above it. `info` is
/// there with SA_SIGINFO only.
struct SignalFrame {
  void (*restorer)();
  struct {
    uint64_t flags;
    ucontext_t *link;
    stack_t stack;
    mcontext_t machine;
    uint64_t mask;
  } context;
  alignas(8) siginfo_t info;
};

const ucontext_t &contextOf(const void *context) { return *static_cast<const ucontext_t *>(context); }

uint64_t registerOf(const void *context, int number) {
  return static_cast<uint64_t>(contextOf(context).uc_mcontext.gregs[number]);
}

/// The system's mask is shorter than the library's: what lies behind it in the frame is something else.
sigset_t maskOf(const auto &systems) {
  sigset_t mask;
  sigemptyset(&mask);
  std::memcpy(&mask, &systems, sizeof(uint64_t));
  return mask;
}

/// Bytes of the floating-point state: the system says it in bytes that the processor leaves alone.
uint64_t stateBytes(const std::byte *state) {
  constexpr uint64_t kFxsave = 512, kWords = 464;
  constexpr uint32_t kMagic = 0x46505853;
  uint32_t words[2];
  std::memcpy(words, state + kWords, sizeof words);
  return words[0] == kMagic ? words[1] : kFxsave;
}

/// No sanitizer's business: the bytes below a stack pointer are nobody's.
void copyBytes(void *to, const void *from, size_t size) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

/// Calls a handler on the stack that was interrupted: moves the system's frame there, as if the signal had come for
/// this handler. Nothing is left on the alternate stack, which the next signal may begin anew; nor marks of the address
/// sanitizer, which sees no return.
[[noreturn]] __attribute__((no_sanitize("address"))) void
callOnInterruptedStack(const SignalFrame &frame, const struct sigaction &action, int signal) {
  constexpr uint64_t kRedZone = 128;
  const auto *state = reinterpret_cast<const std::byte *>(frame.context.machine.fpregs);
  uint64_t at = static_cast<uint64_t>(frame.context.machine.gregs[REG_RSP]) - kRedZone;
  SignalFrame copy = frame;
  if (state) {
    const uint64_t bytes = stateBytes(state);
    at = (at - bytes) & ~uint64_t{63};
    copyBytes(reinterpret_cast<void *>(at), state, bytes);
    copy.context.machine.fpregs = reinterpret_cast<fpregset_t>(at);
  }
  // As behind a call: the stack is aligned above the return address.
  at = ((at - sizeof copy) & ~uint64_t{15}) - 8;
  copyBytes(reinterpret_cast<void *>(at), &copy, sizeof copy);
  auto *moved = reinterpret_cast<SignalFrame *>(at);
  asm volatile("mov %[frame], %%rsp\n\t"
               "xor %%eax, %%eax\n\t"
               "jmp *%[handler]"
               :
               : [frame] "r"(moved), [handler] "r"(action.sa_sigaction), "D"(static_cast<long>(signal)),
                 "S"(&moved->info), "d"(&moved->context)
               : "rax", "memory");
  __builtin_unreachable();
}

#else
#error "say what a signal's frame looks like"
#endif

/// The program did it itself; nobody sent it.
bool isFault(int signal, const siginfo_t *info) {
  return info->si_code > 0 &&
         (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP);
}

/// The default action ends the process. A fault happens again when its handler returns; what was sent does not, nor
/// does a trap instruction.
void endAsUsual(int signal, const siginfo_t *info) {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  // Blocked until the handler has returned.
  if (!isFault(signal, info) || signal == SIGTRAP) raise(signal);
}

/// Does what would have happened without us. `bySystem`: the handler was called by the system, not by a host's handler.
void passOn(Layer &layer, int signal, siginfo_t *info, void *context, bool bySystem) {
  const struct sigaction &before = layer.before;
  if (!isHandled(before)) {
    // A fault that is ignored ends the process all the same.
    if (before.sa_handler == SIG_DFL || isFault(signal, info)) endAsUsual(signal, info);
    return;
  }
  if ((before.sa_flags & SA_RESETHAND) && layer.spent.exchange(true)) return endAsUsual(signal, info);
  sigset_t mask = signalMaskOf(context), present;
  sigorset(&mask, &mask, &before.sa_mask);
  if (!(before.sa_flags & SA_NODEFER)) sigaddset(&mask, signal);
  pthread_sigmask(SIG_SETMASK, &mask, &present);
  auto &frame = *reinterpret_cast<SignalFrame *>(static_cast<std::byte *>(context) - offsetof(SignalFrame, context));
  const bool wantsInterrupted = !(before.sa_flags & SA_ONSTACK) &&
                                isOnAlternateStack(context, reinterpret_cast<uint64_t>(context)) &&
                                !isOnAlternateStack(context, stackPointerOf(context));
  if (bySystem && wantsInterrupted && info == &frame.info) callOnInterruptedStack(frame, before, signal);
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else
    before.sa_handler(signal);
  pthread_sigmask(SIG_SETMASK, &present, nullptr);
}

/// Told apart by its number only.
template <size_t layer> [[gnu::noinline]] void handle(int signal, siginfo_t *info, void *context) {
  const int savedErrno = errno;
  Signal &state = *signals[static_cast<size_t>(signal)].load(std::memory_order_acquire);
  for (std::atomic<SignalFilter> &slot : state.filters) {
    const SignalFilter filter = slot.load(std::memory_order_acquire);
    if (!filter) break;
    if (filter(signal, info, context)) {
      errno = savedErrno;
      return;
    }
  }
  errno = savedErrno;
  // The system makes a handler return to what begins its frame.
  const bool bySystem = __builtin_return_address(0) == static_cast<void **>(context)[-1];
  passOn(state.layers[layer], signal, info, context, bySystem);
}

using Handler = void (*)(int, siginfo_t *, void *);
constexpr auto kHandlers = []<size_t... layer>(std::index_sequence<layer...>) {
  return std::array<Handler, kLayers>{handle<layer>...};
}(std::make_index_sequence<kLayers>());

/// The layer for what is in front now; kLayers if there is none left.
size_t layerFor(const Signal &state, const struct sigaction &now) {
  const size_t used = state.used;
  const auto standsBefore = [&](size_t layer) { return isSame(state.layers[layer].before, now); };
  if (used && standsBefore(used - 1)) return used - 1;
  // Where no handler is, none can call ours.
  if (!isHandled(now) || used == kLayers)
    for (size_t layer = 0; layer < used; ++layer)
      if (standsBefore(layer)) return layer;
  return used;
}

bool isOurs(const struct sigaction &action) {
  for (Handler handler : kHandlers)
    if ((action.sa_flags & SA_SIGINFO) && action.sa_sigaction == handler) return true;
  return false;
}

} // namespace

void filterSignal(int signal, SignalFilter filter) {
  {
    std::lock_guard lock(handlersMutex);
    std::atomic<Signal *> &slot = signals[static_cast<size_t>(signal)];
    if (!slot.load(std::memory_order_relaxed)) slot.store(new Signal, std::memory_order_release);
    Signal &state = *slot.load(std::memory_order_relaxed);
    for (std::atomic<SignalFilter> &one : state.filters) {
      if (one.load(std::memory_order_relaxed)) continue;
      one.store(filter, std::memory_order_release);
      break;
    }
  }
  putInFront(signal);
}

bool putInFront(int signal) {
  struct sigaction now;
  if (sigaction(signal, nullptr, &now) != 0 || isOurs(now)) return false;
  std::lock_guard lock(handlersMutex);
  // It may have been done meanwhile.
  if (sigaction(signal, nullptr, &now) != 0 || isOurs(now)) return false;
  Signal &state = *signals[static_cast<size_t>(signal)].load(std::memory_order_relaxed);
  const size_t layer = layerFor(state, now);
  if (layer == kLayers) return false;
  // First what was there, so that the handler finds it from its first moment.
  if (layer == state.used.load(std::memory_order_relaxed)) {
    state.layers[layer].before = now;
    state.used.store(layer + 1, std::memory_order_relaxed);
  }
  state.layers[layer].spent.store(false, std::memory_order_relaxed);
  state.front.store(layer, std::memory_order_relaxed);
  struct sigaction ours{};
  ours.sa_sigaction = kHandlers[layer];
  // Whether the system goes on with a call that was interrupted is for the host's handler to say.
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (isHandled(now) ? now.sa_flags & SA_RESTART : SA_RESTART);
  // None comes while ours runs: an alternate stack has room for few.
  sigfillset(&ours.sa_mask);
  sigaction(signal, &ours, nullptr);
  return true;
}

HostAction hostActionOf(int signal) {
  const Signal &state = *signals[static_cast<size_t>(signal)].load(std::memory_order_acquire);
  const struct sigaction &before = state.layers[state.front.load(std::memory_order_relaxed)].before;
  if (isHandled(before)) return HostAction::Handled;
  return before.sa_handler == SIG_IGN ? HostAction::Ignored : HostAction::Default;
}

uint64_t programCounterOf(const void *context) { return registerOf(context, REG_RIP); }
uint64_t stackPointerOf(const void *context) { return registerOf(context, REG_RSP); }

sigset_t signalMaskOf(const void *context) { return maskOf(contextOf(context).uc_sigmask); }

bool isOnAlternateStack(const void *context, uint64_t address) {
  const stack_t &stack = contextOf(context).uc_stack;
  return !(stack.ss_flags & SS_DISABLE) && address - reinterpret_cast<uint64_t>(stack.ss_sp) < stack.ss_size;
}

bool isInsideHandler(const void *context, uint64_t end) {
  // A frame that the system has made for a handler is known by what begins it, which is the same in all of them. What
  // an earlier handler has left behind is told apart by the masks: one that runs has blocked its signal.
  const uint64_t restorer = static_cast<const uint64_t *>(context)[-1];
  const sigset_t mask = signalMaskOf(context);
  const auto isBlockedSince = [&mask](int signal, const sigset_t &before) {
    if (sigismember(&mask, signal) != 1 || sigismember(&before, signal) == 1) return false;
    struct sigaction action;
    return sigaction(signal, nullptr, &action) == 0 && isHandled(action);
  };
  for (uint64_t at = (stackPointerOf(context) + 7) & ~uint64_t{7}; at + sizeof(SignalFrame) <= end; at += 8) {
    SignalFrame frame;
    copyBytes(&frame, reinterpret_cast<const void *>(at), sizeof restorer);
    if (std::memcmp(&frame, &restorer, sizeof restorer) != 0) continue;
    copyBytes(&frame, reinterpret_cast<const void *>(at), sizeof frame);
    const auto interrupted = static_cast<uint64_t>(frame.context.machine.gregs[REG_RSP]);
    if (interrupted < at || interrupted > end) continue;
    const sigset_t before = maskOf(frame.context.mask);
    for (int signal = 1; signal < NSIG; ++signal)
      if (isBlockedSince(signal, before)) return true;
  }
  return false;
}

} // namespace us
