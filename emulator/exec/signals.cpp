// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handlers, alternate stacks, and the chain to the handlers that were there before.
//
// A handler reads one thread_local pointer. Its storage belongs to the thread from the start (initial-exec): the lazy
// kind may allocate at the first touch, which a handler must not.
#include "emulator/exec/signals.h"

#include "emulator/abi/checks.h"
#include "emulator/exec/kernel_guard.h"
#include "emulator/memory/address_space.h"
#include "runtime/base/own_thread.h"

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

namespace us::exec {

using memory::AddressSpace;

namespace {

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
constexpr size_t kAlternateStack = 64 * 1024;

struct CompilerGuard {
  sigjmp_buf resume;
  int signal = 0;
};

struct ThreadState {
  KernelGuard *kernel = nullptr;
  CompilerGuard *compiler = nullptr;
  std::byte *alternateStack = nullptr; ///< ours, if the thread needed one
  bool swaps = false;                  ///< the thread has one of its own, but too small: changed around each use
  stack_t own{};                       ///< that one
  bool unblocks = false;               ///< the thread blocks signals that we need: unblocked around each use
  sigset_t ownMask{};
};

thread_local ThreadState *threadState __attribute__((tls_model("initial-exec"))) = nullptr;

/// Copied once before the handlers are installed.
struct sigaction previous[NSIG];

struct CodeRange {
  uint64_t begin, end;
};
constexpr size_t kMaxHelpers = 32;
CodeRange helpers[kMaxHelpers];
std::atomic<size_t> helperCount{0};
AddressSpace *space = nullptr;
std::atomic<int> interruptSignal{0};

uint64_t pcOf(const void *context) {
#if defined(__x86_64__)
  return static_cast<uint64_t>(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
#else
#error "say where the program counter is"
#endif
}

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

/// Does what would have happened without us.
void chain(int signal, siginfo_t *info, void *context) {
  const struct sigaction &before = previous[signal];
  const bool fault = info->si_code > 0;
  if (!(before.sa_flags & SA_SIGINFO) && (before.sa_handler == SIG_DFL || (before.sa_handler == SIG_IGN && fault))) {
    // The default action ends the process. A fault happens again when this handler returns; a sent signal does not.
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
    if (!fault) raise(signal);
    return;
  }
  if (!(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_IGN) return;
  sigset_t mask = before.sa_mask, old;
  if (!(before.sa_flags & SA_NODEFER)) sigaddset(&mask, signal);
  pthread_sigmask(SIG_BLOCK, &mask, &old);
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else
    before.sa_handler(signal);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

} // namespace

/// The handlers' access to the guard.
struct SignalHandlers {
  static void onFault(int signal, siginfo_t *info, void *context) {
    const int savedErrno = errno;
    if (ThreadState *state = threadState) {
      if (state->kernel) leaveKernel(*state->kernel, signal, info, context);
      if (state->compiler && (info->si_code > 0 || signal == SIGABRT)) {
        state->compiler->signal = signal;
        siglongjmp(state->compiler->resume, 1);
      }
    }
    errno = savedErrno;
    chain(signal, info, context);
  }

  /// Returns only if the fault is not the kernel's.
  static void leaveKernel(KernelGuard &guard, int signal, siginfo_t *info, void *context) {
    const uint64_t pc = pcOf(context);
    if (!guard.inside_ || guard.inRuntime_ || info->si_code <= 0) return;
    // A call through a wild function pointer faults at the address it called.
    const bool wildCall = signal == SIGSEGV && reinterpret_cast<uint64_t>(info->si_addr) == pc;
    if (!space->isCode(pc) && !isHelper(pc) && !wildCall) return;
    Fault &fault = guard.fault_;
    fault.signal = signal;
    fault.pc = pc;
    fault.address = reinterpret_cast<uint64_t>(info->si_addr);
    // An address that no memory can have comes without its value.
    fault.addressKnown = (signal == SIGSEGV || signal == SIGBUS) && info->si_code != SI_KERNEL;
    fault.write = wasWrite(context);
    guard.leave(Leave::Fault);
  }

  static void onInterrupt(int, siginfo_t *, void *context) {
    ThreadState *state = threadState;
    KernelGuard *guard = state ? state->kernel : nullptr;
    if (!guard || !guard->inside_ || guard->inRuntime_ || !guard->abortWord_ ||
        !__atomic_load_n(guard->abortWord_, __ATOMIC_RELAXED))
      return;
    const uint64_t pc = pcOf(context);
    if (!space->isCode(pc)) return;
    guard->fault_ = {.pc = pc};
    guard->leave(Leave::Aborted);
  }
};

namespace {

/// Handlers stay unblocked while they run, since they may be left by a jump.
void install(int signal, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | flags;
  sigemptyset(&action.sa_mask);
  // First the old one, so that the handler finds it from its first moment.
  sigaction(signal, nullptr, &previous[signal]);
  sigaction(signal, &action, nullptr);
}

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

/// A real-time signal that nobody uses, from the top: programs take them from the bottom.
int findInterruptSignal() {
  for (int signal = SIGRTMAX; signal > SIGRTMIN; --signal) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_DFL)
      return signal;
  }
  return 0;
}

pthread_key_t exitKey;

void installHandlers() {
  static const bool once = [] {
    space = &AddressSpace::instance();
    findHelperCode();
    for (int signal : kFaults) install(signal, SignalHandlers::onFault, 0);
    interruptSignal = findInterruptSignal();
    if (interruptSignal) install(interruptSignal, SignalHandlers::onInterrupt, SA_RESTART);
    pthread_key_create(&exitKey, [](void *data) {
      ThreadState *state = static_cast<ThreadState *>(data);
      threadState = nullptr;
      if (state->alternateStack && !state->swaps) {
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

sigset_t neededSignals() {
  sigset_t needed;
  sigemptyset(&needed);
  for (int signal : kFaults) sigaddset(&needed, signal);
  if (interruptSignal) sigaddset(&needed, interruptSignal);
  return needed;
}

/// The calling thread's state, made at its first use.
ThreadState &prepareThread() {
  if (threadState) return *threadState;
  installHandlers();
  ThreadState *state = new ThreadState;
  const size_t enough = std::max<size_t>(getauxval(AT_MINSIGSTKSZ), 4096) + 8192;
  stack_t present{};
  sigaltstack(nullptr, &present);
  const bool has = !(present.ss_flags & SS_DISABLE);
  if (!has || present.ss_size < enough) {
    state->alternateStack = AddressSpace::instance().allocate(memory::RangeKind::Stack, kAlternateStack);
    state->swaps = has;
    if (state->alternateStack && !has) {
      stack_t stack = alternateOf(*state);
      sigaltstack(&stack, nullptr);
    }
  }
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  for (int signal : kFaults) state->unblocks |= sigismember(&mask, signal) == 1;
  if (interruptSignal) state->unblocks |= sigismember(&mask, interruptSignal) == 1;
  if (state->unblocks && isOurThread()) {
    // For good: two system calls would cost as much as a small launch.
    const sigset_t needed = neededSignals();
    pthread_sigmask(SIG_UNBLOCK, &needed, nullptr);
    state->unblocks = false;
  }
  pthread_setspecific(exitKey, state);
  threadState = state;
  return *state;
}

/// For a thread whose own alternate stack is too small, or that blocks what must be caught.
void swapIn(ThreadState &state) {
  if (state.swaps && state.alternateStack) {
    stack_t stack = alternateOf(state);
    sigaltstack(&stack, &state.own);
  }
  if (state.unblocks) {
    const sigset_t needed = neededSignals();
    pthread_sigmask(SIG_UNBLOCK, &needed, &state.ownMask);
  }
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

bool (*ctrlCBusy)() = nullptr;
void (*ctrlCInterrupt)() = nullptr;
std::atomic<int64_t> lastCtrlC{0};

void onCtrlC(int signal, siginfo_t *info, void *context) {
  const int savedErrno = errno;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t before = lastCtrlC.exchange(now.tv_sec);
  const bool again = before && now.tv_sec - before < 2;
  const bool busy = ctrlCBusy();
  if (busy) ctrlCInterrupt();
  const struct sigaction &was = previous[signal];
  const bool handled = (was.sa_flags & SA_SIGINFO) || was.sa_handler != SIG_DFL;
  // A program without a handler of its own goes on with the error; its next Ctrl-C ends it.
  if (handled || !busy || again) chain(signal, info, context);
  errno = savedErrno;
}

} // namespace

KernelGuard *enterKernels(KernelGuard *guard) {
  ThreadState &state = prepareThread();
  KernelGuard *outer = std::exchange(state.kernel, guard);
  if (!outer) swapIn(state);
  return outer;
}

void leaveKernels(KernelGuard *outer) {
  ThreadState &state = *threadState;
  state.kernel = outer;
  if (!outer) swapOut(state);
}

namespace {

struct FailedCheck {
  abi::Check kind;
  ErrorCode code;
  const char *sentence;
};
constexpr FailedCheck kFailedChecks[] = {
#define US_KERNEL_CHECK(kind, code, sentence) {abi::Check::kind, ErrorCode::code, sentence},
#include "emulator/abi/checks.def"
#undef US_KERNEL_CHECK
};

} // namespace

std::string faultSentence(const Fault &fault, ErrorCode &code) {
  code = ErrorCode::KernelFault;
  if (fault.signal == SIGILL || fault.signal == SIGTRAP) {
    code = ErrorCode::KernelTrap;
    return "executed a trap instruction";
  }
  for (const FailedCheck &check : kFailedChecks) {
    if (!fault.addressKnown || fault.address != abi::kCheckMarks + uint64_t(check.kind)) continue;
    code = check.code;
    return check.sentence;
  }
  if (fault.signal == SIGFPE) return "had an arithmetic fault";
  // The processor does not tell the two apart.
  if (!fault.addressKnown)
    return "used an address that no memory can have or that is not aligned for the vector there,";
  char address[32];
  std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(fault.address));
  if (fault.address == fault.pc) return "called a function at " + std::string(address) + ", where there is none,";
  return std::string(fault.write ? "wrote to " : "read from ") + address + ", " +
         AddressSpace::instance().describe(fault.address) + ",";
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

void interruptKernel(pthread_t thread) {
  if (interruptSignal) pthread_kill(thread, interruptSignal);
}

void watchCtrlC(bool (*busy)(), void (*interrupt)()) {
  static const bool once = [&] {
    ctrlCBusy = busy;
    ctrlCInterrupt = interrupt;
    install(SIGINT, onCtrlC, SA_RESTART);
    return true;
  }();
  (void)once;
}

bool guardedCompiler(const std::function<void()> &function, std::string &sentence) {
  ThreadState &state = prepareThread();
  // The compiler's own failed checks end in abort(); only a thread inside the compiler comes back from it.
  static const bool once = (install(SIGABRT, SignalHandlers::onFault, 0), true);
  (void)once;
  CompilerGuard guard;
  CompilerGuard *const outer = state.compiler;
  swapIn(state);
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
