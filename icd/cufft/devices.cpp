// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans that are told their devices: what each does of them, memory by descriptors, and what is done with it.
#include "icd/cufft/order.h"
#include "icd/cufft/plan.h"

#include <algorithm>
#include <new>

namespace us::cufft {
namespace {

/// "cuFFT supports using up to sixteen GPUs"
constexpr int kMostDevices = 16;

struct Answer {
  cufftResult result;
  std::shared_ptr<Plan> plan;
};
Answer madePlan(cufftHandle handle) {
  const std::shared_ptr<Plan> plan = find(handle);
  return {plan && plan->made ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN, plan};
}

/// One transform is divided among all devices, which each do some of several.
bool isDivided(const Plan &plan, const Made &made) { return !plan.shares.empty() && made.shape.batch == 1; }

Grid gridOf(const Made &made) {
  Grid grid = {made.shape.rank, made.shape.sizes, 2 * (made.isDouble ? sizeof(double) : sizeof(float))};
  grid.sizes[grid.rank - 1] = made.shape.complexSize();
  return grid;
}

/// Whole transforms on each device, whose bytes are so far from those of the next.
Pieces batches(const Plan &plan, size_t distance, size_t (*bytesOf)(const Made &)) {
  Made one = *plan.made;
  one.shape.batch = 1;
  if (bytesOf(one) > distance) return {};
  Pieces pieces;
  size_t first = 0;
  for (unsigned device = 0; device < plan.shares.size(); ++device) {
    const std::optional<Made> &made = plan.shares[device].made;
    if (!made) continue;
    pieces.push_back({device, first, 0, bytesOf(*made)});
    first += size_t(made->shape.batch) * distance;
  }
  return pieces;
}

/// Where numbers of this format are; nowhere if the plan has no such format.
Pieces piecesOf(const Plan &plan, int format) {
  const auto in = [](const Made &made) { return extentOf(made, false).in; };
  const auto out = [](const Made &made) { return extentOf(made, false).out; };
  const auto inPlace = [](const Made &made) {
    const Extent extent = extentOf(made, true);
    return std::max(extent.in, extent.out);
  };
  const Made &made = *plan.made;
  if (plan.shares.empty()) { // the order is always the natural one
    switch (format) {
    case CUFFT_XT_FORMAT_INPUT:
      return {{0, 0, 0, in(made)}};
    case CUFFT_XT_FORMAT_OUTPUT:
      return {{0, 0, 0, out(made)}};
    case CUFFT_XT_FORMAT_INPLACE:
    case CUFFT_XT_FORMAT_INPLACE_SHUFFLED:
      return {{0, 0, 0, inPlace(made)}};
    default:
      return {};
    }
  }
  if (format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED && made.shape.rank != 1) return {};
  const bool isInPlace = format == CUFFT_XT_FORMAT_INPLACE || format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED ||
                         format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED;
  if (isDivided(plan, made)) { // "Single-batch FFTs support only in-place mode"
    if (!isInPlace) return {};
    const Grid grid = gridOf(made);
    if (format == CUFFT_XT_FORMAT_INPLACE) return inOrder(grid, plan.shares.size());
    return format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED ? shuffled(grid, plan.shares.size())
                                                      : shuffledInput(grid, plan.shares.size());
  }
  // "When multiple GPUs are used to perform more than one transform, the results are also returned in natural order."
  const Extent apart = distanceOf(made, false), together = distanceOf(made, true);
  if (format == CUFFT_XT_FORMAT_INPUT) return batches(plan, apart.in, in);
  if (format == CUFFT_XT_FORMAT_OUTPUT) return batches(plan, apart.out, out);
  return isInPlace && together.in == together.out ? batches(plan, together.in, inPlace) : Pieces();
}

/// What each device has of them.
std::vector<size_t> sizesOf(const Plan &plan, const Pieces &pieces) {
  std::vector<size_t> sizes(plan.deviceCount());
  for (const Piece &piece : pieces) sizes[piece.device] = std::max(sizes[piece.device], piece.endOfPart());
  return sizes;
}
size_t wholeOf(const Pieces &pieces) {
  size_t bytes = 0;
  for (const Piece &piece : pieces) bytes = std::max(bytes, piece.endOfWhole());
  return bytes;
}

/// "The new descriptors must use the same GPUs in the same order", and have memory for all of it.
bool isFor(const Plan &plan, const cudaLibXtDesc *descriptor, const Pieces &pieces) {
  if (!descriptor || !descriptor->descriptor || descriptor->library != LIB_FORMAT_CUFFT || pieces.empty()) return false;
  const cudaXtDesc &memory = *descriptor->descriptor;
  if (memory.nGPUs != int(plan.deviceCount())) return false;
  for (size_t i = 0; i < plan.shares.size(); ++i)
    if (memory.GPUs[i] != plan.shares[i].device) return false;
  const std::vector<size_t> sizes = sizesOf(plan, pieces);
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] && (!memory.data[i] || memory.size[i] < sizes[i] || !math::Session::reaches(memory.data[i], sizes[i])))
      return false;
  return true;
}

/// Until the plan's stream, and what was to come before anything new on any of its devices, is done.
cufftResult wait(const Plan &plan) {
  CUresult result = plan.session.synchronize();
  for (const Share &share : plan.shares)
    if (result == CUDA_SUCCESS) result = share.session.run([] {}, true);
  return resultOf(result);
}

cufftResult gather(const Plan &plan, const Pieces &pieces, const cudaLibXtDesc &from, void *into) {
  for (const Piece &piece : pieces)
    if (const CUresult result =
            plan.session.copy(static_cast<char *>(from.descriptor->data[piece.device]) + piece.part, piece.partPitch,
                              static_cast<char *>(into) + piece.whole, piece.wholePitch, piece.width, piece.rows);
        result != CUDA_SUCCESS)
      return resultOf(result);
  return CUFFT_SUCCESS;
}
cufftResult scatter(const Plan &plan, const Pieces &pieces, const void *from, const cudaLibXtDesc &into) {
  for (const Piece &piece : pieces)
    if (const CUresult result = plan.session.copy(static_cast<const char *>(from) + piece.whole, piece.wholePitch,
                                                  static_cast<char *>(into.descriptor->data[piece.device]) + piece.part,
                                                  piece.partPitch, piece.width, piece.rows);
        result != CUDA_SUCCESS)
      return resultOf(result);
  return CUFFT_SUCCESS;
}

/// The format that a transform leaves whose numbers have this one; none if it cannot start with it.
std::optional<int> formatAfter(const Shape &shape, int format) {
  if (format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED && shape.rank == 1) return CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  // "In 2D, R2C only supports an INPLACE input; C2R only supports an INPLACE_SHUFFLED input"
  if (format == CUFFT_XT_FORMAT_INPLACE && !(shape.rank == 2 && shape.kind == Kind::ComplexToReal))
    return CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  // "2D and 3D multi-GPU transforms support execution of a transform given permuted order results as input."
  if (format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED && shape.rank > 1 &&
      !(shape.rank == 2 && shape.kind == Kind::RealToComplex))
    return CUFFT_XT_FORMAT_INPLACE;
  return std::nullopt;
}

using Bytes = std::unique_ptr<char[]>;
Bytes bytesFor(const Pieces &pieces) { return Bytes(new (std::nothrow) char[wholeOf(pieces)]); }

/// One transform of numbers that are on several devices, which the host computes.
cufftResult executeDivided(const char *function, const Plan &plan, cudaLibXtDesc *in, cudaLibXtDesc *out,
                           bool isInverse) {
  const std::optional<int> after = formatAfter(plan.made->shape, in->subFormat);
  if (!after) {
    math::say(function, "a transform of this plan cannot start with numbers of the format %d", in->subFormat);
    return CUFFT_INVALID_TYPE;
  }
  const Pieces from = piecesOf(plan, in->subFormat), into = piecesOf(plan, *after);
  if (!isFor(plan, in, from) || !isFor(plan, out, into)) return CUFFT_INVALID_VALUE;
  if (!std::equal(in->descriptor->data, in->descriptor->data + plan.shares.size(), out->descriptor->data)) {
    math::say(function, "one transform on several devices is computed in place only");
    return CUFFT_INVALID_VALUE;
  }
  const Bytes numbers = bytesFor(from);
  if (!numbers) return CUFFT_ALLOC_FAILED;
  cufftResult result = wait(plan);
  if (result == CUFFT_SUCCESS) result = gather(plan, from, *in, numbers.get());
  if (result == CUFFT_SUCCESS) result = executeHere(*plan.made, numbers.get(), isInverse);
  if (result == CUFFT_SUCCESS) result = scatter(plan, into, numbers.get(), *out);
  if (result == CUFFT_SUCCESS) out->subFormat = *after;
  return result;
}

cufftResult execute(const char *function, cufftHandle handle, std::optional<cufftType> type, cudaLibXtDesc *in,
                    cudaLibXtDesc *out, int direction) {
  const auto [made, plan] = madePlan(handle);
  if (made != CUFFT_SUCCESS) return made;
  const auto [result, isInverse] = directionOf(*plan->made, type, direction);
  if (result != CUFFT_SUCCESS) return result;
  if (!in || !out || !in->descriptor || !out->descriptor) return CUFFT_INVALID_VALUE;
  if (isDivided(*plan, *plan->made)) return executeDivided(function, *plan, in, out, isInverse);
  void **const from = in->descriptor->data, **const into = out->descriptor->data;
  const bool isInPlace = from[0] == into[0];
  if (!isFor(*plan, in, piecesOf(*plan, isInPlace ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPUT)) ||
      !isFor(*plan, out, piecesOf(*plan, isInPlace ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_OUTPUT)))
    return CUFFT_INVALID_VALUE;
  if (plan->shares.empty())
    return us::cufft::execute(function, plan->session, *plan->made, from[0], into[0], isInverse);
  if (const cufftResult waited = wait(*plan); waited != CUFFT_SUCCESS) return waited;
  for (size_t i = 0; i < plan->shares.size(); ++i) {
    const Share &share = plan->shares[i];
    if (!share.made) continue;
    if (const cufftResult started =
            us::cufft::execute(function, share.session, *share.made, from[i], into[i], isInverse);
        started != CUFFT_SUCCESS)
      return started;
  }
  return wait(*plan); // what follows may be on any stream of any device
}

/// What is said of a plan for several devices that there is none for.
cufftResult refuse(const char *function, cufftResult result, const char *what) {
  math::say(function, "on several devices %s", what);
  return result;
}

bool hasLargePrime(int64_t n) {
  for (int64_t prime = 2; prime <= 127; ++prime)
    while (n % prime == 0) n /= prime;
  return n != 1;
}

} // namespace

// What "Multiple GPU cuFFT transforms" says of "Supported functionality".
cufftResult checkShares(const char *function, const Plan &plan, const Made &made) {
  if (plan.shares.empty()) return CUFFT_SUCCESS;
  const Shape &shape = made.shape;
  if (!isDivided(plan, made)) {
    Made one = made;
    one.shape.batch = 1;
    const Extent extent = extentOf(one, false), distance = distanceOf(made, false);
    if (extent.in > distance.in || extent.out > distance.out)
      return refuse(function, CUFFT_NOT_SUPPORTED, "transforms whose numbers are between each other's are not divided");
    return CUFFT_SUCCESS;
  }
  if (!isPlain(made)) return refuse(function, CUFFT_NOT_SUPPORTED, "one transform's numbers must follow each other");
  if (shape.rank > 1) {
    for (unsigned i = 0; i < 2; ++i) // of a volume NVIDIA's takes a last dimension of 16
      if (shape.sizes[i] < 32 || (hasLargePrime(shape.sizes[i]) && shape.sizes[i] > (made.isDouble ? 2048 : 4096)))
        return refuse(function, CUFFT_INVALID_SIZE,
                      "a dimension has at least 32 numbers, and of those beyond 4096 (of doubles "
                      "2048) none is a multiple of a prime above 127");
    return CUFFT_SUCCESS;
  }
  if (shape.kind != Kind::Complex)
    return refuse(function, CUFFT_INVALID_SIZE, "one transform of one dimension is of complex numbers");
  const size_t devices = plan.shares.size();
  if (devices & (devices - 1))
    return refuse(function, CUFFT_INVALID_VALUE, "one transform of one dimension is computed by 2, 4, 8 or 16");
  const int64_t smallest = devices <= 4 ? 64 : devices == 8 ? 128 : 1024;
  if (shape.sizes[0] < smallest || (shape.sizes[0] & (shape.sizes[0] - 1)))
    return refuse(function, CUFFT_INVALID_SIZE,
                  "one transform of one dimension has a power of 2 of numbers, at least 64 on 2 "
                  "and 4 devices, 128 on 8, and 1024 on 16");
  return CUFFT_SUCCESS;
}

std::vector<size_t> workSizesOf(const Plan &plan, const Made &made) {
  if (plan.shares.empty()) return {0};
  const Extent distance = distanceOf(made, false);
  size_t each = std::max(distance.in, distance.out);
  int64_t all = made.shape.batch;
  if (isDivided(plan, made)) {
    const Grid grid = gridOf(made);
    each = grid.bytes;
    for (unsigned i = 1; i < grid.rank; ++i) each *= size_t(grid.sizes[i]);
    all = grid.sizes[0];
  }
  std::vector<size_t> sizes;
  for (size_t i = 0; i < plan.shares.size(); ++i)
    sizes.push_back(size_t(partOf(all, plan.shares.size(), i).count) * each);
  return sizes;
}

cufftResult makeShares(Plan &plan, Made &made) {
  if (isDivided(plan, made)) return makeTransform(made);
  std::vector<Share> shares = plan.shares;
  for (size_t i = 0; i < shares.size(); ++i) {
    // "The first m % n GPUs execute floor(m / n) + 1 transforms. The remaining GPUs execute floor(m / n)."
    const int64_t count = partOf(made.shape.batch, shares.size(), i).count;
    if (count == 0) break;
    if (i > 0 && shares[i - 1].made->shape.batch == count) {
      shares[i].made = shares[i - 1].made;
      continue;
    }
    shares[i].made = made;
    shares[i].made->shape.batch = count;
    if (const cufftResult result = makeTransform(*shares[i].made); result != CUFFT_SUCCESS) return result;
  }
  plan.shares = std::move(shares);
  return CUFFT_SUCCESS;
}

} // namespace us::cufft

using namespace us;
using namespace us::cufft;

// "This function must be called before the plan is made."
US_EXPORT cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int *whichGPUs) {
  const std::shared_ptr<Plan> plan = find(handle);
  if (!plan || plan->made) return CUFFT_INVALID_PLAN;
  // "CUFFT_INVALID_VALUE: The requested number of GPUs was less than 2 or more than" what is supported
  if (nGPUs < 2 || nGPUs > kMostDevices || !whichGPUs) return CUFFT_INVALID_VALUE;
  // Callbacks that are linked while the program runs are for one device (cuFFT, "LTO callbacks").
  if (!plan->callbackCode.empty()) return refuse(__func__, CUFFT_NOT_SUPPORTED, "no callbacks are called");
  int device = 0, count = 0;
  if (const CUresult result = plan->session.where(&device, &count); result != CUDA_SUCCESS) return resultOf(result);
  // "CUFFT_INVALID_DEVICE: An invalid GPU index was specified". The same one twice is valid to NVIDIA's.
  if (std::any_of(whichGPUs, whichGPUs + nGPUs, [&](int gpu) { return gpu < 0 || gpu >= count; }))
    return CUFFT_INVALID_DEVICE;
  // "Running cuFFT on multiple GPUs is only compatible with applications using the primary context on each GPU."
  std::vector<Share> shares;
  for (int i = 0; i < nGPUs; ++i) {
    shares.push_back({whichGPUs[i], {}, {}});
    if (shares.back().session.startOn(__func__, whichGPUs[i]) != CUDA_SUCCESS) return CUFFT_SETUP_FAILED;
  }
  plan->shares = std::move(shares);
  return CUFFT_SUCCESS;
}

US_EXPORT cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc **descriptor, cufftXtSubFormat format) {
  const auto [result, plan] = madePlan(handle);
  if (result != CUFFT_SUCCESS) return result;
  const Pieces pieces = piecesOf(*plan, format);
  if (!descriptor || pieces.empty()) return CUFFT_INVALID_VALUE;
  int device = 0, count = 0;
  if (const CUresult got = plan->session.where(&device, &count); got != CUDA_SUCCESS) return resultOf(got);
  std::vector<size_t> sizes = sizesOf(*plan, pieces);
  if (isDivided(*plan, *plan->made)) { // the transform leaves another order
    const std::vector<size_t> other =
        sizesOf(*plan, piecesOf(*plan, format == CUFFT_XT_FORMAT_INPLACE ? CUFFT_XT_FORMAT_INPLACE_SHUFFLED
                                                                         : CUFFT_XT_FORMAT_INPLACE));
    for (size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::max(sizes[i], other[i]);
  }
  auto *const made = new cudaLibXtDesc{CUDA_XT_DESCRIPTOR_VERSION, new cudaXtDesc{}, LIB_FORMAT_CUFFT, format, nullptr};
  cudaXtDesc &memory = *made->descriptor;
  memory.version = CUDA_XT_DESCRIPTOR_VERSION;
  memory.nGPUs = int(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    const math::Session &session = plan->shares.empty() ? plan->session : plan->shares[i].session;
    memory.GPUs[i] = plan->shares.empty() ? device : plan->shares[i].device;
    if (sizes[i] == 0) continue;
    if (const CUresult got = session.allocate(&memory.data[i], sizes[i]); got != CUDA_SUCCESS) {
      memory.data[i] = nullptr;
      cufftXtFree(made);
      return resultOf(got);
    }
    memory.size[i] = sizes[i];
  }
  *descriptor = made;
  return CUFFT_SUCCESS;
}

US_EXPORT cufftResult cufftXtFree(cudaLibXtDesc *descriptor) {
  if (!descriptor) return CUFFT_SUCCESS;
  CUresult result = CUDA_SUCCESS;
  if (const cudaXtDesc *const memory = descriptor->descriptor)
    for (int i = 0; i < std::min(memory->nGPUs, MAX_CUDA_DESCRIPTOR_GPUS); ++i)
      if (memory->data[i])
        if (const CUresult released = math::Session::release(memory->data[i]); released != CUDA_SUCCESS)
          result = released;
  delete descriptor->descriptor;
  delete descriptor;
  return resultOf(result);
}

// "cufftXtMemcpy copies from the host to the devices, from them to the host, or between them", after what the plan's
// stream has still to do. The host's numbers are in their order, those of a descriptor in that of its format.
US_EXPORT cufftResult cufftXtMemcpy(cufftHandle handle, void *into, void *from, cufftXtCopyType type) {
  const auto [result, plan] = madePlan(handle);
  if (result != CUFFT_SUCCESS) return result;
  if (!into || !from || type < CUFFT_COPY_HOST_TO_DEVICE || type > CUFFT_COPY_DEVICE_TO_DEVICE)
    return CUFFT_INVALID_VALUE;
  const auto *const target = type == CUFFT_COPY_DEVICE_TO_HOST ? nullptr : static_cast<cudaLibXtDesc *>(into);
  const auto *const source = type == CUFFT_COPY_HOST_TO_DEVICE ? nullptr : static_cast<cudaLibXtDesc *>(from);
  const Pieces sources = source ? piecesOf(*plan, source->subFormat) : Pieces();
  // One device has one order: what the source has is copied.
  const Pieces targets = !target                          ? Pieces()
                         : source && plan->shares.empty() ? sources
                                                          : piecesOf(*plan, target->subFormat);
  if ((source && !isFor(*plan, source, sources)) || (target && !isFor(*plan, target, targets)) ||
      (source && target && wholeOf(sources) != wholeOf(targets)))
    return CUFFT_INVALID_VALUE;
  if (const cufftResult waited = wait(*plan); waited != CUFFT_SUCCESS) return waited;
  if (!source) return scatter(*plan, targets, from, *target);
  if (!target) return gather(*plan, sources, *source, into);
  if (plan->shares.empty()) return gather(*plan, sources, *source, target->descriptor->data[0]);
  const Bytes numbers = bytesFor(sources);
  if (!numbers) return CUFFT_ALLOC_FAILED;
  const cufftResult gathered = gather(*plan, sources, *source, numbers.get());
  return gathered == CUFFT_SUCCESS ? scatter(*plan, targets, numbers.get(), *target) : gathered;
}

US_EXPORT cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *input, cudaLibXtDesc *output,
                                            int direction) {
  return execute(__func__, plan, std::nullopt, input, output, direction);
}
#define US_EXECUTE(NAME)                                                                                               \
  US_EXPORT cufftResult cufftXtExecDescriptor##NAME(cufftHandle plan, cudaLibXtDesc *input, cudaLibXtDesc *output) {   \
    return execute(__func__, plan, CUFFT_##NAME, input, output, 0);                                                    \
  }
#define US_EXECUTE_BOTH(NAME)                                                                                          \
  US_EXPORT cufftResult cufftXtExecDescriptor##NAME(cufftHandle plan, cudaLibXtDesc *input, cudaLibXtDesc *output,     \
                                                    int direction) {                                                   \
    return execute(__func__, plan, CUFFT_##NAME, input, output, direction);                                            \
  }
US_EXECUTE_BOTH(C2C)
US_EXECUTE_BOTH(Z2Z)
US_EXECUTE(R2C)
US_EXECUTE(C2R)
US_EXECUTE(D2Z)
US_EXECUTE(Z2D)

// No work needs memory of the device.
US_EXPORT cufftResult cufftXtSetWorkArea(cufftHandle plan, void **) {
  return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
US_EXPORT cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t *workSize) {
  const std::shared_ptr<Plan> found = find(plan);
  if (!found) return CUFFT_INVALID_PLAN;
  if (policy < CUFFT_WORKAREA_MINIMAL || policy > CUFFT_WORKAREA_PERFORMANCE) return CUFFT_INVALID_VALUE;
  if (workSize) {
    const std::vector<size_t> sizes =
        found->made ? workSizesOf(*found, *found->made) : std::vector<size_t>(found->deviceCount());
    std::copy(sizes.begin(), sizes.end(), workSize);
  }
  return CUFFT_SUCCESS;
}

// "cufftXtQueryPlan only supports multiple GPU 1D transforms": it tells in which order these leave their numbers.
US_EXPORT cufftResult cufftXtQueryPlan(cufftHandle handle, void *queryStruct, cufftXtQueryType queryType) {
  const auto [result, plan] = madePlan(handle);
  if (result != CUFFT_SUCCESS) return result;
  if (!queryStruct || queryType != CUFFT_QUERY_1D_FACTORS) return CUFFT_INVALID_VALUE;
  if (!isDivided(*plan, *plan->made) || plan->made->shape.rank != 1) {
    math::say(__func__, "only one transform of one dimension on several devices has its numbers in strings");
    return CUFFT_NOT_SUPPORTED;
  }
  const Strings strings = stringsOf(plan->made->shape.sizes[0], plan->shares.size());
  // All are powers of 2: "mask" is one less, and "shift" the logarithm.
  const auto shift = [](int64_t size) { return __builtin_ctzll(uint64_t(size)); };
  *static_cast<cufftXt1dFactors *>(queryStruct) = {
      strings.size,           strings.count,         strings.length,        strings.substringLength,
      strings.factor1,        strings.factor2,       strings.length - 1,    strings.substringLength - 1,
      strings.factor1 - 1,    strings.factor2 - 1,   shift(strings.length), shift(strings.substringLength),
      shift(strings.factor1), shift(strings.factor2)};
  return CUFFT_SUCCESS;
}
