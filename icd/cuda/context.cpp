// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/context.h"

#include "icd/cuda/api_checks.h"
#include "icd/cuda/array.h"
#include "icd/cuda/capture.h"
#include "icd/cuda/compute_mode.h"
#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/event.h"
#include "icd/cuda/library.h"
#include "icd/cuda/memory.h"
#include "icd/cuda/memory_pool.h"
#include "icd/cuda/module.h"
#include "icd/cuda/stream_checks.h"
#include "icd/cuda/texture.h"

#include <algorithm>

namespace us::cuda {
namespace {

auto &contexts() {
  static auto &set = *new HandleSet<Context, CUcontext>;
  return set;
}

/// Each thread's stack of contexts; the last is current. Never destroyed: calls come while a thread ends.
std::vector<Ref<Context>> &stack() {
  thread_local constinit std::vector<Ref<Context>> *mine = nullptr;
  if (!mine) mine = new std::vector<Ref<Context>>;
  return *mine;
}

struct Primary {
  std::mutex mutex; // guards all below
  Ref<Context> context;
  unsigned retained = 0, flags = 0;
};
Primary &primaryOf(CUdevice number) {
  static auto &all = *new std::map<CUdevice, Primary>;
  static std::mutex mutex;
  std::lock_guard hold(mutex);
  return all[number];
}

std::atomic<uint64_t> nextContextId{1};

struct ContextLimitRow {
  CUlimit limit;
  size_t value;
  bool settable;
};
constexpr ContextLimitRow kContextLimits[] = {{CU_LIMIT_STACK_SIZE, 1024, true},
                                              {CU_LIMIT_PRINTF_FIFO_SIZE, 8650752, true},
                                              {CU_LIMIT_MALLOC_HEAP_SIZE, 8388608, true},
                                              {CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 2, true},
                                              {CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 2048, true},
                                              {CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 64, true},
                                              {CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0, true}};

/// "Kernels cannot wait for kernels on devices of compute capability 9.0 and above."
bool isTooNew(CUlimit limit, const Device &device) {
  return limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH &&
         attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR).value_or(0) >= 9;
}

Expected<const ContextLimitRow *> limitRow(CUlimit limit, const Device &device) {
  if (limit < 0 || limit >= CU_LIMIT_MAX)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no limit {}", int(limit)));
  for (const ContextLimitRow &row : kContextLimits)
    if (row.limit == limit && !isTooNew(limit, device)) return &row;
  return fail(CUDA_ERROR_UNSUPPORTED_LIMIT, format("the device has no limit {}", int(limit)));
}

/// "CU_CTX_SCHED_*" is one of its values; the rest are single bits.
Expected<void> checkFlags(unsigned flags) {
  const unsigned schedule = flags & CU_CTX_SCHED_MASK;
  const bool oneOf = schedule == 0 || schedule == 1 || schedule == 2 || schedule == 4;
  if ((flags & ~unsigned(CU_CTX_FLAGS_MASK)) || !oneOf)
    return fail(CUDA_ERROR_INVALID_VALUE, format("context flags {:#x} are not defined", flags));
  return {};
}

Expected<void> create(CUcontext *context, unsigned flags, CUdevice number) {
  US_CHECK(checkOut(context, "the result"));
  US_TRY(Device & device, deviceAt(number));
  US_CHECK(checkFlags(flags));
  US_CHECK(claimDevice(number));
  Ref<Context> made(new Context(device, number, flags, false));
  *context = contexts().add(made);
  stack().push_back(std::move(made));
  return {};
}

/// Ends everything that belongs to it.
void destroy(Context &context) {
  endCapturesOf(context);
  (void)context.synchronise();
  context.destroyed.store(true, std::memory_order_release);
  if (StreamChecks *const checks = streamChecks()) checks->contextGone();
  forgetLibraryModulesOf(context);
  forgetModulesOf(context);
  forgetEventsOf(context);
  forgetTexturesOf(context);
  forgetReferencesOf(context);
  forgetArraysOf(context);
  forgetMemoryOf(context);
  forgetStreamsOf(context);
  for (const Ref<Stream> &stream : context.streams()) context.forget(*stream);
}

Expected<void> destroyHandle(CUcontext handle) {
  US_CHECK(checkInitialised());
  if (!handle) return fail(CUDA_ERROR_INVALID_VALUE, "no context is given"); // as an H200 answers
  const Ref<Context> context = contexts().find(handle);
  if (!context || context->isPrimary())
    return fail(CUDA_ERROR_INVALID_CONTEXT, "the context is not valid, or a primary context");
  contexts().remove(handle);
  destroy(*context);
  // "If ctx is current to the calling thread then ctx will also be popped."
  if (!stack().empty() && stack().back() == context) stack().pop_back();
  return {};
}

} // namespace

Context::Context(Device &device, CUdevice number, unsigned flags, bool isPrimary)
    : flags(flags), device_(&device), launchLimits_(device), number_(number), isPrimary_(isPrimary),
      id_(nextContextId++), core_(core::Context::create({device_})) {
  for (std::atomic<size_t> &limit : limits) limit = 0;
  for (const ContextLimitRow &row : kContextLimits) limits[row.limit] = row.value;
  if (StreamChecks *const checks = streamChecks()) checks->contextMade();
  legacy_ = Ref<Stream>(new Stream(*this, CU_STREAM_DEFAULT, 0));
}

Expected<void> Context::check() const {
  if (destroyed.load(std::memory_order_acquire))
    return fail(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context was destroyed");
  if (!hasFailed_.load(std::memory_order_acquire)) return {};
  std::lock_guard hold(mutex_);
  return std::unexpected(*failure_);
}

void Context::fails(const Error &error) {
  std::lock_guard hold(mutex_);
  if (failure_) return;
  failure_ = error;
  hasFailed_.store(true, std::memory_order_release);
}

Ref<Stream> Context::makeStream(unsigned streamFlags, int priority) {
  Ref<Stream> stream(new Stream(*this, streamFlags, priority));
  std::lock_guard hold(mutex_);
  streams_.push_back(stream);
  return stream;
}

void Context::forget(Stream &stream) {
  const Ref<Stream> keep(&stream);
  std::lock_guard hold(mutex_);
  std::erase(streams_, keep);
}

Ref<Stream> Context::threadStream() {
  {
    std::lock_guard hold(mutex_);
    if (const auto found = perThread_.find(std::this_thread::get_id()); found != perThread_.end()) return found->second;
  }
  Ref<Stream> stream = makeStream(CU_STREAM_DEFAULT, 0);
  std::lock_guard hold(mutex_);
  return perThread_[std::this_thread::get_id()] = stream;
}

std::vector<Ref<Stream>> Context::streams() {
  std::lock_guard hold(mutex_);
  return streams_;
}

Expected<void> Context::synchronise() {
  US_CHECK(legacy_->synchronise());
  for (const Ref<Stream> &stream : streams()) US_CHECK(stream->synchronise());
  return check();
}

void Context::settle() {
  for (const Ref<Stream> &stream : streams()) (void)stream->isIdle();
  (void)legacy_->isIdle();
}

Ref<core::Event> Context::fence() {
  if (!hasFence_.load(std::memory_order_acquire)) return nullptr;
  std::lock_guard hold(mutex_);
  if (fence_ && fence_->peekStatus().ended()) {
    fence_ = nullptr;
    hasFence_.store(false, std::memory_order_release);
  }
  return fence_;
}

void Context::setFence(Ref<core::Event> event) {
  std::lock_guard hold(mutex_);
  fence_ = std::move(event);
  hasFence_.store(true, std::memory_order_release);
}

Ref<KernelHeap> Context::heap() {
  std::lock_guard hold(mutex_);
  if (!heap_) heap_ = device_->createHeap(limits[CU_LIMIT_MALLOC_HEAP_SIZE]);
  return heap_;
}

CUcontext handleOf(const Context &context) { return handleTo<CUcontext>(context); }

Expected<Ref<Context>> contextOf(CUcontext handle) {
  US_CHECK(checkInitialised());
  Ref<Context> context = contexts().find(handle);
  if (!context) return fail(CUDA_ERROR_INVALID_CONTEXT, "the context is not valid");
  return context;
}

Expected<Ref<Context>> currentContextAnyState() {
  US_CHECK(checkInitialised());
  if (stack().empty() || !stack().back()) return fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  return stack().back();
}

Expected<Ref<Context>> currentContext() {
  US_TRY(Ref<Context> context, currentContextAnyState());
  US_CHECK(context->check());
  return context;
}

Expected<Ref<Context>> currentContextIfAny() {
  US_CHECK(checkInitialised());
  if (stack().empty() || !stack().back()) return Ref<Context>();
  return currentContext();
}

void synchroniseContexts() {
  for (const Ref<Context> &context : contexts().all()) (void)context->synchronise();
}

// --- Entry points ---

Expected<void> ctxCreate(CUcontext *context, unsigned flags, CUdevice device) { return create(context, flags, device); }

Expected<void> ctxCreateWithAffinity(CUcontext *context, CUexecAffinityParam *, int count, unsigned flags,
                                     CUdevice device) {
  if (count != 0) return fail(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "execution affinity is not supported");
  return create(context, flags, device);
}

Expected<void> ctxCreateWithParameters(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                                       CUdevice device) {
  if (parameters && (parameters->numExecAffinityParams != 0 || parameters->cigParams))
    return fail(CUDA_ERROR_NOT_SUPPORTED, "contexts with parameters are not supported");
  return create(context, flags, device);
}

Expected<void> ctxDestroy(CUcontext handle) { return destroyHandle(handle); }

Expected<void> ctxAttach(CUcontext *context, unsigned flags) {
  US_CHECK(checkOut(context, "the result"));
  if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, "cuCtxAttach takes the flags 0");
  US_TRY(const Ref<Context> current, currentContext());
  ++current->attachments;
  *context = handleOf(*current);
  return {};
}

Expected<void> ctxDetach(CUcontext handle) {
  US_TRY(const Ref<Context> context, contextOf(handle));
  if (--context->attachments > 0) return {};
  return destroyHandle(handle);
}

Expected<void> ctxPushCurrent(CUcontext handle) {
  US_TRY(Ref<Context> context, contextOf(handle));
  stack().push_back(std::move(context));
  return {};
}

Expected<void> ctxPopCurrent(CUcontext *context) {
  US_TRY(const Ref<Context> current, currentContextAnyState());
  stack().pop_back();
  if (context) *context = handleOf(*current);
  return {};
}

Expected<void> ctxSetCurrent(CUcontext handle) {
  US_CHECK(checkInitialised());
  // "If hCtx is NULL then the context previously current is unbound."
  Ref<Context> context;
  if (handle) {
    US_TRY(context, contextOf(handle));
  }
  if (!stack().empty()) stack().pop_back();
  if (context) stack().push_back(std::move(context));
  return {};
}

Expected<void> ctxGetCurrent(CUcontext *context) {
  US_CHECK(checkOut(context, "the result"));
  US_CHECK(checkInitialised());
  *context = stack().empty() ? nullptr : handleOf(*stack().back());
  return {};
}

Expected<void> ctxGetDevice(CUdevice *device) {
  US_CHECK(checkOut(device, "the result"));
  US_TRY(const Ref<Context> context, currentContextAnyState());
  *device = context->number();
  return {};
}

Expected<void> ctxGetDeviceOf(CUdevice *device, CUcontext handle) {
  if (!handle) return ctxGetDevice(device);
  US_CHECK(checkOut(device, "the result"));
  US_TRY(const Ref<Context> context, contextOf(handle));
  *device = context->number();
  return {};
}

Expected<void> ctxGetFlags(unsigned *flags) {
  US_CHECK(checkOut(flags, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  *flags = context->flags;
  return {};
}

Expected<void> ctxSetFlags(unsigned flags) {
  US_CHECK(checkFlags(flags));
  US_TRY(const Ref<Context> context, currentContext());
  context->flags = flags;
  return {};
}

Expected<void> ctxGetId(CUcontext handle, unsigned long long *id) {
  US_CHECK(checkOut(id, "the result"));
  US_TRY(const Ref<Context> context, handle ? contextOf(handle) : currentContext());
  *id = context->id();
  return {};
}

Expected<void> ctxGetExecAffinity(CUexecAffinityParam *parameter, CUexecAffinityType) {
  US_CHECK(checkOut(parameter, "the result"));
  US_CHECK(currentContext());
  return fail(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, "execution affinity is not supported");
}

/// There is no persisting part of a cache that could be given back.
Expected<void> ctxResetPersistingL2Cache() {
  US_CHECK(currentContext());
  return {};
}

Expected<void> ctxSynchronize() { return ctxSynchronizeOther(nullptr); }

Expected<void> ctxSynchronizeOther(CUcontext handle) {
  US_TRY(const Ref<Context> context, handle ? contextOf(handle) : currentContext());
  US_CHECK(refuseCaptureIn(*context, "to be waited for"));
  US_CHECK(context->synchronise());
  if (poolsAreUsed()) poolsSynchronised(nullptr);
  return {};
}

Expected<void> ctxSetLimit(CUlimit limit, size_t value) {
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(const ContextLimitRow *row, limitRow(limit, context->device()));
  // "Setting it after launching any kernel that uses malloc() will result in CUDA_ERROR_INVALID_VALUE."
  if (limit == CU_LIMIT_MALLOC_HEAP_SIZE)
    if (const Ref<KernelHeap> heap = context->heap(); heap && !heap->resize(value))
      return fail(CUDA_ERROR_INVALID_VALUE, "kernels have allocated from the heap");
  context->limits[row->limit] = value;
  return {};
}

Expected<void> ctxGetLimit(size_t *value, CUlimit limit) {
  US_CHECK(checkOut(value, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(const ContextLimitRow *row, limitRow(limit, context->device()));
  *value = context->limits[row->limit];
  return {};
}

Expected<void> ctxGetCacheConfig(CUfunc_cache *config) {
  US_CHECK(checkOut(config, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  *config = CUfunc_cache(context->cacheConfig.load());
  return {};
}

Expected<void> ctxSetCacheConfig(CUfunc_cache config) {
  US_TRY(const Ref<Context> context, currentContext());
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no cache configuration {}", int(config)));
  context->cacheConfig = config;
  return {};
}

Expected<void> ctxGetSharedMemConfig(CUsharedconfig *config) {
  US_CHECK(checkOut(config, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  *config = CUsharedconfig(context->sharedConfig.load());
  return {};
}

Expected<void> ctxSetSharedMemConfig(CUsharedconfig config) {
  US_TRY(const Ref<Context> context, currentContext());
  if (config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE || config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no shared memory configuration {}", int(config)));
  context->sharedConfig = config;
  return {};
}

Expected<void> ctxGetApiVersion(CUcontext handle, unsigned *version) {
  US_CHECK(checkOut(version, "the result"));
  US_TRY(const Ref<Context> context, handle ? contextOf(handle) : currentContext());
  *version = 3020;
  return {};
}

Expected<void> ctxGetStreamPriorityRange(int *least, int *greatest) {
  US_CHECK(currentContext());
  if (least) *least = 0;
  if (greatest) *greatest = kHighestPriority;
  return {};
}

/// Devices that share the host's memory reach each other's: there is nothing to do but to say so.
Expected<void> ctxEnablePeerAccess(CUcontext handle, unsigned flags) {
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(const Ref<Context> peer, contextOf(handle));
  if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, "cuCtxEnablePeerAccess takes the flags 0");
  // As an H200 answers.
  if (peer->number() == context->number())
    return fail(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "the peer is a context of the same device");
  if (!context->addPeer(peer->id()))
    return fail(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "the peer's memory can be reached already");
  return {};
}

Expected<void> ctxDisablePeerAccess(CUcontext handle) {
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(const Ref<Context> peer, contextOf(handle));
  if (!context->removePeer(peer->id()))
    return fail(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "access to the peer's memory was not enabled");
  return {};
}

Expected<void> devicePrimaryCtxRetain(CUcontext *context, CUdevice number) {
  US_CHECK(checkOut(context, "the result"));
  US_TRY(Device & device, deviceAt(number));
  Primary &primary = primaryOf(number);
  std::lock_guard hold(primary.mutex);
  if (!primary.context) {
    US_CHECK(claimDevice(number));
    primary.context = Ref<Context>(new Context(device, number, primary.flags, true));
    contexts().add(primary.context);
  }
  ++primary.retained;
  *context = handleOf(*primary.context);
  return {};
}

Expected<void> devicePrimaryCtxRelease(CUdevice number) {
  US_CHECK(deviceAt(number));
  Primary &primary = primaryOf(number);
  Ref<Context> gone;
  {
    std::lock_guard hold(primary.mutex);
    if (primary.retained == 0) return fail(CUDA_ERROR_INVALID_CONTEXT, "the primary context is not retained");
    if (--primary.retained == 0) gone = std::move(primary.context);
  }
  if (gone) {
    contexts().remove(handleOf(*gone));
    destroy(*gone);
  }
  return {};
}

Expected<void> devicePrimaryCtxReset(CUdevice number) {
  US_CHECK(deviceAt(number));
  Primary &primary = primaryOf(number);
  Ref<Context> gone;
  {
    std::lock_guard hold(primary.mutex);
    gone = std::move(primary.context);
    primary.retained = 0;
  }
  if (gone) {
    contexts().remove(handleOf(*gone));
    destroy(*gone);
  }
  return {};
}

Expected<void> devicePrimaryCtxSetFlags(CUdevice number, unsigned flags) {
  US_CHECK(deviceAt(number));
  US_CHECK(checkFlags(flags));
  Primary &primary = primaryOf(number);
  std::lock_guard hold(primary.mutex);
  primary.flags = flags;
  if (primary.context) primary.context->flags = flags;
  return {};
}

Expected<void> devicePrimaryCtxGetState(CUdevice number, unsigned *flags, int *active) {
  US_CHECK(checkOut(flags, "the flags"));
  US_CHECK(checkOut(active, "the state"));
  US_CHECK(deviceAt(number));
  Primary &primary = primaryOf(number);
  std::lock_guard hold(primary.mutex);
  *flags = primary.flags;
  *active = primary.context != nullptr;
  return {};
}

} // namespace us::cuda
