// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What our handlers do about a signal, and what the thread needs for it: an alternate stack, a signal mask.
//
// A handler reads one thread_local pointer. Its storage belongs to the thread from the start (initial-exec): the lazy
// kind may allocate at the first touch, which a handler must not.
#include "emulator/exec/signals.h"

#include "emulator/abi/checks.h"
#include "emulator/exec/kernel_guard.h"
#include "emulator/exec/work_group.h"
#include "emulator/memory/address_space.h"
#include "runtime/base/own_thread.h"
#include "runtime/base/signal_handlers.h"

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <cstring>
#include <ctime>
#include <link.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>
#include <x86intrin.h>

namespace us::exec {

using memory::AddressSpace;

namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
/// Handlers of the host that ask for an alternate stack run there too, also those of threads that had none.
constexpr size_t kAlternateStack = 256 * 1024;
/// When a thread that enters kernels looks whether the host has changed what they need, in ticks of the processor's
/// clock: after some 8 us without kernels, else every 40 us, and at all that they need every 800 us. At each launch
/// that would cost as much as a small one.
constexpr uint64_t kPause = 20'000, kLookEvery = 100'000, kLookAtAllEvery = 20 * kLookEvery;

struct CompilerGuard {
  sigjmp_buf resume;
  int signal = 0;
};

struct ThreadState {
  KernelGuard *kernel = nullptr;
  CompilerGuard *compiler = nullptr;
  Interruptible interruptible;
  uint64_t leftAt = 0, lookedAt = 0, lookedAtAllAt = 0; ///< ticks
  std::byte *alternateStack = nullptr;                  ///< ours, if the thread needed one
  bool swaps = false;    ///< the thread has one of its own, but too small: changed around each use
  stack_t own{};         ///< that one
  bool unblocks = false; ///< the thread blocks signals that we need: unblocked around each use
  sigset_t ownMask{};
};

thread_local ThreadState *threadState __attribute__((tls_model("initial-exec"))) = nullptr;

struct CodeRange {
  uint64_t begin, end;
};
constexpr size_t kMaxHelpers = 32;
CodeRange helpers[kMaxHelpers];
std::atomic<size_t> helperCount{0};
AddressSpace *space = nullptr;
std::atomic<int> interruptSignal{0};
/// Its address comes with each interrupt signal of ours: the host may have a use for that signal too.
char interruptMark;
/// Which outstanding signals still count: a host that takes the signal swallows those before.
std::atomic<uint32_t> interruptRound{1};

bool wasWrite(const void *context) {
  // Bit 1 of the page-fault error code.
  return static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2;
}

bool isHelper(uint64_t pc) {
  const size_t count = helperCount.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i)
    if (pc >= helpers[i].begin && pc < helpers[i].end) return true;
  return false;
}

} // namespace

/// The filters' access to the guard.
struct SignalHandlers {
  static bool onFault(int signal, siginfo_t *info, void *context) {
    ThreadState *state = threadState;
    if (!state) return false;
    if (state->kernel) leaveKernel(*state->kernel, signal, info, context);
    if (state->compiler && (info->si_code > 0 || signal == SIGABRT)) {
      state->compiler->signal = signal;
      siglongjmp(state->compiler->resume, 1);
    }
    return false;
  }

  /// Returns only if the fault is not the kernel's.
  static void leaveKernel(KernelGuard &guard, int signal, siginfo_t *info, void *context) {
    const uint64_t pc = programCounterOf(context);
    if (!guard.inside_ || guard.inRuntime_ || info->si_code <= 0) return;
    // A call through a wild function pointer faults at the address it called.
    const bool wildCall = signal == SIGSEGV && reinterpret_cast<uint64_t>(info->si_addr) == pc;
    if (!space->isCode(pc) && ((!isHelper(pc) && !wildCall) || isInHostHandler(guard, context))) return;
    Fault &fault = guard.fault_;
    fault.signal = signal;
    fault.pc = pc;
    fault.address = reinterpret_cast<uint64_t>(info->si_addr);
    // An address that no memory can have comes without its value.
    fault.addressKnown = (signal == SIGSEGV || signal == SIGBUS) && info->si_code != SI_KERNEL;
    fault.write = wasWrite(context);
    guard.leaveHandler(Leave::Fault, signalMaskOf(context));
  }

  /// A handler of the host's runs on top of the kernel: it uses the C library too.
  static bool isInHostHandler(const KernelGuard &guard, const void *context) {
    const uint64_t top = stackPointerOf(context);
    if (isOnAlternateStack(context, top)) return true;
    for (const Stack *stack : guard.group_->stacks())
      if (stack && stack->holds(top)) return isInsideHandler(context, reinterpret_cast<uint64_t>(stack->top()));
    return false;
  }

  static bool onInterrupt(int, siginfo_t *info, void *context) {
    if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &interruptMark) return false;
    ThreadState *state = threadState;
    if (!state) return true;
    state->interruptible.asked.store(0);
    KernelGuard *guard = state->kernel;
    if (!guard || !guard->inside_ || guard->inRuntime_ || !guard->abortWord_ ||
        !__atomic_load_n(guard->abortWord_, __ATOMIC_RELAXED))
      return true;
    const uint64_t pc = programCounterOf(context);
    if (!space->isCode(pc)) return true;
    guard->fault_ = {.pc = pc};
    guard->leaveHandler(Leave::Aborted, signalMaskOf(context));
  }
};

namespace {

/// The code of our own library, of the C library and of its mathematics.
void findHelperCode() {
  dl_iterate_phdr(
      [](dl_phdr_info *object, size_t, void *) {
        const char *slash = std::strrchr(object->dlpi_name, '/');
        const char *name = slash ? slash + 1 : object->dlpi_name;
        bool wanted = false;
        for (const char *start : {"libc.so", "libm.so", "libmvec.so"})
          wanted |= std::strncmp(name, start, std::strlen(start)) == 0;
        const uint64_t self = reinterpret_cast<uint64_t>(&findHelperCode);
        for (int pass = 0; pass < 2; ++pass)
          for (int i = 0; i < object->dlpi_phnum; ++i) {
            const ElfW(Phdr) &part = object->dlpi_phdr[i];
            const uint64_t begin = object->dlpi_addr + part.p_vaddr;
            if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
            if (pass == 0)
              wanted |= self - begin < part.p_memsz;
            else if (wanted)
              addHelperCode(reinterpret_cast<void *>(begin), reinterpret_cast<void *>(begin + part.p_memsz));
          }
        return 0;
      },
      nullptr);
}

/// A real-time signal that nobody uses, from the top: programs take them from the bottom. Where all have handlers (a Go
/// runtime's) the topmost is shared.
int findInterruptSignal() {
  for (int signal = SIGRTMAX; signal > SIGRTMIN; --signal) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL)
      return signal;
  }
  return SIGRTMAX;
}

pthread_key_t exitKey;

void installHandlers() {
  static const bool once = [] {
    space = &AddressSpace::instance();
    findHelperCode();
    for (int signal : kFaults) filterSignal(signal, SignalHandlers::onFault);
    const int signal = findInterruptSignal();
    filterSignal(signal, SignalHandlers::onInterrupt);
    interruptSignal = signal;
    pthread_key_create(&exitKey, [](void *data) {
      ThreadState *state = static_cast<ThreadState *>(data);
      threadState = nullptr;
      if (state->alternateStack) {
        stack_t current;
        if (sigaltstack(nullptr, &current) == 0 && current.ss_sp == state->alternateStack) {
          stack_t none{};
          none.ss_flags = SS_DISABLE;
          sigaltstack(&none, nullptr);
        }
      }
      AddressSpace::instance().release(state->alternateStack);
      delete state;
    });
    return true;
  }();
  (void)once;
}

stack_t alternateOf(const ThreadState &state) {
  stack_t stack{};
  stack.ss_sp = state.alternateStack;
  stack.ss_size = kAlternateStack;
  return stack;
}

/// What must not be blocked while kernels run.
const sigset_t &neededSignals() {
  static const sigset_t needed = [] {
    sigset_t set;
    sigemptyset(&set);
    for (int signal : kFaults) sigaddset(&set, signal);
    sigaddset(&set, interruptSignal);
    return set;
  }();
  return needed;
}

/// The calling thread's state, made at its first use.
ThreadState &stateOfThread() {
  if (threadState) return *threadState;
  installHandlers();
  ThreadState *state = new ThreadState;
  pthread_setspecific(exitKey, state);
  threadState = state;
  return *state;
}

/// Sees to it that there is an alternate stack, and that it is large enough.
void lookAtAlternateStack(ThreadState &state) {
  const size_t enough = std::max<size_t>(getauxval(AT_MINSIGSTKSZ), 4096) + 8192;
  stack_t present{};
  sigaltstack(nullptr, &present);
  const bool has = !(present.ss_flags & SS_DISABLE);
  state.swaps = has && present.ss_size < enough;
  if (has && !state.swaps) return;
  if (!state.alternateStack)
    state.alternateStack = AddressSpace::instance().allocate(memory::RangeKind::Stack, kAlternateStack);
  if (!state.alternateStack || has) return;
  const stack_t stack = alternateOf(state);
  sigaltstack(&stack, nullptr);
}

bool (*ctrlCBusy)() = nullptr;
void (*ctrlCInterrupt)() = nullptr;
std::atomic<bool> watchesCtrlC{false};

/// Python's faulthandler, for one, can be switched on and off at any time: handlers and the alternate stack change.
void lookAtAll(ThreadState &state) {
  for (int signal : kFaults) putInFront(signal);
  if (watchesCtrlC.load(std::memory_order_acquire)) putInFront(SIGINT);
  lookAtAlternateStack(state);
}

bool haveCommon(const sigset_t &one, const sigset_t &other) {
  sigset_t common;
  sigandset(&common, &one, &other);
  return !sigisemptyset(&common);
}

/// Before kernels or the compiler run on the thread; what is the thread's own and in the way is put aside until
/// swapOut().
void swapIn(ThreadState &state, bool looksAtAll = false) {
  const uint64_t now = __rdtsc();
  const bool looks = looksAtAll || now - state.leftAt > kPause || now - state.lookedAt > kLookEvery;
  if (looks) {
    state.lookedAt = now;
    // Whoever changes any of the handlers changes that of SIGSEGV too.
    if (looksAtAll || putInFront(SIGSEGV) || now - state.lookedAtAllAt > kLookAtAllEvery) {
      state.lookedAtAllAt = now;
      lookAtAll(state);
    }
  }
  if (state.swaps && state.alternateStack) {
    const stack_t stack = alternateOf(state);
    sigaltstack(&stack, &state.own);
  }
  if (!looks && !state.unblocks) return;
  pthread_sigmask(SIG_UNBLOCK, &neededSignals(), &state.ownMask);
  // For good in threads of our own: two system calls would cost as much as a small launch.
  state.unblocks = !isOurThread() && haveCommon(state.ownMask, neededSignals());
}
void swapOut(ThreadState &state) {
  if (state.swaps && state.alternateStack) sigaltstack(&state.own, nullptr);
  if (state.unblocks) pthread_sigmask(SIG_SETMASK, &state.ownMask, nullptr);
}

const char *signalName(int signal) {
  static constexpr std::pair<int, const char *> kNames[] = {
      {SIGSEGV, "an invalid memory access"}, {SIGBUS, "an invalid memory access"}, {SIGFPE, "an arithmetic fault"},
      {SIGILL, "an invalid instruction"},    {SIGTRAP, "a trap instruction"},      {SIGABRT, "a failed check"}};
  for (auto [number, name] : kNames)
    if (number == signal) return name;
  return "a signal";
}

std::atomic<int64_t> lastCtrlC{0};

bool onCtrlC(int signal, siginfo_t *, void *) {
  const HostAction host = hostActionOf(signal);
  if (host == HostAction::Ignored) return false;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t before = lastCtrlC.exchange(now.tv_sec);
  const bool again = before && now.tv_sec - before < 2;
  const bool busy = ctrlCBusy();
  if (busy) ctrlCInterrupt();
  // A program without a handler of its own goes on with the error; its next Ctrl-C ends it.
  return host == HostAction::Default && busy && !again;
}

} // namespace

KernelGuard *enterKernels(KernelGuard *guard) {
  ThreadState &state = stateOfThread();
  KernelGuard *outer = std::exchange(state.kernel, guard);
  if (!outer) swapIn(state);
  return outer;
}

void leaveKernels(KernelGuard *outer) {
  ThreadState &state = *threadState;
  state.kernel = outer;
  if (outer) return;
  swapOut(state);
  state.leftAt = __rdtsc();
}

namespace {

constexpr FindingKind kCheckFindings[] = {
#define US_KERNEL_CHECK(kind) FindingKind::kind,
#include "emulator/abi/checks.def"
#undef US_KERNEL_CHECK
};

FindingKind kindOf(const Fault &fault) {
  if (fault.signal == SIGILL || fault.signal == SIGTRAP) return FindingKind::TrapInstruction;
  if (fault.addressKnown && fault.address - abi::kCheckMarks < abi::kCheckKinds)
    return kCheckFindings[fault.address - abi::kCheckMarks];
  if (fault.signal == SIGFPE) return FindingKind::Arithmetic;
  if (!fault.addressKnown) return FindingKind::Address;
  if (fault.address == fault.pc) return FindingKind::Call;
  return fault.write ? FindingKind::Write : FindingKind::Read;
}

} // namespace

void describeFault(const Fault &fault, Finding &finding) {
  finding.kind = kindOf(fault);
  finding.address = fault.address;
  if (finding.kind == FindingKind::Read || finding.kind == FindingKind::Write)
    finding.memory = AddressSpace::instance().locate(fault.address);
}

void addHelperCode(const void *begin, const void *end) {
  static std::atomic_flag busy;
  while (busy.test_and_set(std::memory_order_acquire)) {
  }
  const size_t count = helperCount.load(std::memory_order_relaxed);
  if (count < kMaxHelpers) {
    helpers[count] = {reinterpret_cast<uint64_t>(begin), reinterpret_cast<uint64_t>(end)};
    helperCount.store(count + 1, std::memory_order_release);
  }
  busy.clear(std::memory_order_release);
}

Interruptible &interruptibleThread() { return stateOfThread().interruptible; }

void interruptKernel(Interruptible &target) {
  const int signal = interruptSignal;
  if (!signal) return;
  if (putInFront(signal)) interruptRound.fetch_add(1);
  // One at a time: to a thread that gets no processor they would come all at once.
  const uint32_t round = interruptRound.load();
  if (target.asked.exchange(round) == round) return;
  if (pthread_sigqueue(target.thread, signal, {.sival_ptr = &interruptMark}) != 0) target.asked.store(0);
}

void watchCtrlC(bool (*busy)(), void (*interrupt)()) {
  static const bool once = [&] {
    ctrlCBusy = busy;
    ctrlCInterrupt = interrupt;
    filterSignal(SIGINT, onCtrlC);
    return true;
  }();
  watchesCtrlC.store(once, std::memory_order_release);
}

bool guardedCompiler(const std::function<void()> &function, std::string &sentence) {
  ThreadState &state = stateOfThread();
  // The compiler's own failed checks end in abort(); only a thread inside the compiler comes back from it.
  static const bool once = (filterSignal(SIGABRT, SignalHandlers::onFault), true);
  if (once) putInFront(SIGABRT);
  CompilerGuard guard;
  CompilerGuard *const outer = state.compiler;
  swapIn(state, true);
  const bool crashed = sigsetjmp(guard.resume, 1) != 0;
  if (!crashed) {
    state.compiler = &guard;
    function();
  }
  state.compiler = outer;
  swapOut(state);
  if (crashed) sentence = "the compiler ended with " + std::string(signalName(guard.signal));
  return !crashed;
}

HostSignalsBlocked::HostSignalsBlocked() {
  sigset_t all;
  sigfillset(&all);
  for (int signal : kFaults) sigdelset(&all, signal);
  sigdelset(&all, SIGABRT);
  if (interruptSignal) sigdelset(&all, interruptSignal);
  pthread_sigmask(SIG_SETMASK, &all, &before_);
}

HostSignalsBlocked::~HostSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

} // namespace us::exec
