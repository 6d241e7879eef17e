// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuFFT's functions: checks of what they are given, and transforms when the stream gets there.
#include "icd/cufft/plan.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <tuple>

namespace us::cufft {
namespace {

/// "The maximum size of a dimension": what a transform of single precision has there on a device.
constexpr int64_t kLargestSize = int64_t{1} << 27, kLargestTotal = int64_t{1} << 40;

std::mutex plansMutex;
std::map<cufftHandle, std::shared_ptr<Plan>> &plans() { // guarded by plansMutex
  static auto *const all = new std::map<cufftHandle, std::shared_ptr<Plan>>;
  return *all;
}

} // namespace

std::shared_ptr<Plan> find(cufftHandle handle) {
  const std::lock_guard lock(plansMutex);
  const auto found = plans().find(handle);
  return found == plans().end() ? nullptr : found->second;
}

cufftResult resultOf(CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return CUFFT_SUCCESS;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return CUFFT_ALLOC_FAILED;
  default:
    return CUFFT_EXEC_FAILED;
  }
}

namespace {

/// Where every number is, of lines of that many.
Layout layoutOf(const Shape &shape, const Given &given, int64_t lineSize) {
  Layout layout;
  int64_t stride = given.isGiven ? given.stride : 1;
  for (unsigned i = shape.rank; i-- > 0;) {
    layout.strides[i] = stride;
    stride *= given.isGiven ? given.embed[i] : i + 1 == shape.rank ? lineSize : shape.sizes[i];
  }
  layout.distance = given.isGiven ? given.distance : stride;
  return layout;
}

/// How many numbers there are from the first one to the last; none if that is beyond all memory.
std::optional<int64_t> spanOf(const Shape &shape, const Layout &layout, int64_t lineSize) {
  __int128 last = __int128(shape.batch - 1) * layout.distance;
  for (unsigned i = 0; i < shape.rank; ++i)
    last += __int128((i + 1 == shape.rank ? lineSize : shape.sizes[i]) - 1) * layout.strides[i];
  if (last >= kLargestTotal) return std::nullopt;
  return int64_t(last) + 1;
}

bool isOfDoubles(cufftType type) { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }

/// Everything that makes a plan, as the widest of the functions has it.
struct Asked {
  int rank;
  std::array<int64_t, 3> sizes;
  Given in, out;
  cufftType type;
  int64_t batch;
};

template <class Size>
cufftResult ask(Asked &asked, int rank, const Size *n, const Size *inembed, int64_t istride, int64_t idist,
                const Size *onembed, int64_t ostride, int64_t odist, cufftType type, int64_t batch) {
  // "rank: Dimensionality of the transform (1, 2, or 3)"
  if (rank < 1 || rank > 3) return CUFFT_INVALID_SIZE;
  if (!n) return CUFFT_INVALID_VALUE;
  asked = {rank, {}, {}, {}, type, batch};
  std::copy_n(n, rank, asked.sizes.begin());
  // "If inembed or onembed is set to NULL, all other stride information is ignored, and default strides are used."
  if (!inembed || !onembed) return CUFFT_SUCCESS;
  asked.in = {true, {}, istride, idist};
  asked.out = {true, {}, ostride, odist};
  std::copy_n(inembed, rank, asked.in.embed.begin());
  std::copy_n(onembed, rank, asked.out.embed.begin());
  return CUFFT_SUCCESS;
}

cufftResult check(const Asked &asked, Made &made) {
  switch (asked.type) {
  case CUFFT_C2C:
  case CUFFT_Z2Z:
    made.shape.kind = Kind::Complex;
    break;
  case CUFFT_R2C:
  case CUFFT_D2Z:
    made.shape.kind = Kind::RealToComplex;
    break;
  case CUFFT_C2R:
  case CUFFT_Z2D:
    made.shape.kind = Kind::ComplexToReal;
    break;
  default:
    return CUFFT_INVALID_TYPE; // "The type parameter is not supported"
  }
  made.isDouble = isOfDoubles(asked.type);
  made.shape.rank = unsigned(asked.rank);
  made.shape.sizes = asked.sizes;
  made.shape.batch = asked.batch;
  made.in = asked.in;
  made.out = asked.out;
  // "CUFFT_INVALID_SIZE: One or more of the nx, ny, ... batch parameters is not a supported size"
  if (asked.batch < 1) return CUFFT_INVALID_SIZE;
  for (int i = 0; i < asked.rank; ++i)
    if (asked.sizes[i] < 1 || asked.sizes[i] > kLargestSize) return CUFFT_INVALID_SIZE;
  for (const Given &given : {asked.in, asked.out}) {
    if (!given.isGiven) continue;
    if (given.stride < 1 || given.distance < 0 || given.stride > kLargestTotal || given.distance > kLargestTotal)
      return CUFFT_INVALID_VALUE;
    for (int i = 1; i < asked.rank; ++i)
      if (given.embed[i] < 1 || given.embed[i] > kLargestSize) return CUFFT_INVALID_VALUE;
  }
  const int64_t lineSize = asked.sizes[asked.rank - 1];
  if (asked.batch > kLargestTotal || !spanOf(made.shape, layoutOf(made.shape, made.in, lineSize), lineSize) ||
      !spanOf(made.shape, layoutOf(made.shape, made.out, lineSize), lineSize))
    return CUFFT_INVALID_SIZE;
  return CUFFT_SUCCESS;
}

/// "One value per GPU."
void tellSizes(const Plan &plan, const Made &made, size_t *workSize) {
  const std::vector<size_t> sizes = workSizesOf(plan, made);
  std::copy(sizes.begin(), sizes.end(), workSize);
}

cufftResult tellSizeOf(const char *function, const Plan &plan, cufftResult result, const Asked &asked,
                       size_t *workSize) {
  if (result != CUFFT_SUCCESS) return result;
  Made made;
  if (result = check(asked, made); result != CUFFT_SUCCESS) return result;
  if (result = checkShares(function, plan, made); result != CUFFT_SUCCESS) return result;
  if (!workSize) return CUFFT_INVALID_VALUE;
  tellSizes(plan, made, workSize);
  return CUFFT_SUCCESS;
}
cufftResult tellSize(const char *function, cufftResult result, const Asked &asked, size_t *workSize) {
  return tellSizeOf(function, Plan(), result, asked, workSize);
}

cufftResult tellSizeFor(const char *function, cufftHandle handle, cufftResult result, const Asked &asked,
                        size_t *workSize) {
  const std::shared_ptr<Plan> plan = find(handle);
  return plan ? tellSizeOf(function, *plan, result, asked, workSize) : CUFFT_INVALID_PLAN;
}

cufftResult make(const char *function, cufftHandle handle, cufftResult result, const Asked &asked, size_t *workSize) {
  // "The plan parameter is not a valid handle." A handle has a plan once.
  const std::shared_ptr<Plan> plan = find(handle);
  if (!plan || plan->made) return CUFFT_INVALID_PLAN;
  if (result = tellSizeOf(function, *plan, result, asked, workSize); result != CUFFT_SUCCESS) return result;
  Made made;
  check(asked, made);
  if (result = plan->shares.empty() ? makeTransform(made) : makeShares(*plan, made); result != CUFFT_SUCCESS)
    return result;
  if (result = makeCallbacks(function, *plan, made); result != CUFFT_SUCCESS) return result;
  plan->made = std::move(made);
  return CUFFT_SUCCESS;
}

cufftResult create(const char *function, cufftHandle *handle) {
  if (!handle) return CUFFT_INVALID_VALUE;
  auto plan = std::make_shared<Plan>();
  if (const CUresult result = plan->session.start(function); result != CUDA_SUCCESS)
    return result == CUDA_ERROR_OUT_OF_MEMORY ? CUFFT_ALLOC_FAILED : CUFFT_SETUP_FAILED;
  const std::lock_guard lock(plansMutex);
  static cufftHandle last = 0; // guarded by plansMutex
  *handle = ++last;
  plans()[last] = std::move(plan);
  return CUFFT_SUCCESS;
}

cufftResult createAndMake(const char *function, cufftHandle *handle, cufftResult result, const Asked &asked) {
  if (!handle) return CUFFT_INVALID_VALUE;
  cufftHandle created = CUFFT_PLAN_NULL;
  size_t workSize = 0;
  if (result == CUFFT_SUCCESS) result = tellSize(function, result, asked, &workSize);
  if (result == CUFFT_SUCCESS) result = create(function, &created);
  if (result == CUFFT_SUCCESS) result = make(function, created, result, asked, &workSize);
  if (result == CUFFT_SUCCESS)
    *handle = created;
  else
    cufftDestroy(created);
  return result;
}

struct Layouts {
  Layout in, out;
};
Layouts layoutsOf(const Made &made, bool isInPlace) {
  const Shape &shape = made.shape;
  const int64_t size = shape.sizes[shape.rank - 1];
  // "In-place: 2 * (n / 2 + 1) reals": they are padded so that the complex numbers fit.
  const int64_t realSize = isInPlace ? 2 * (size / 2 + 1) : size;
  const bool isFromReal = shape.kind == Kind::RealToComplex, isToReal = shape.kind == Kind::ComplexToReal;
  return {layoutOf(shape, made.in, isFromReal ? realSize : shape.complexSize()),
          layoutOf(shape, made.out, isToReal ? realSize : shape.complexSize())};
}

/// Numbers one after another: what a load callback gave, or what a store callback gets.
class Packed {
public:
  Packed(const math::Session &session, const Made &made, bool isInput)
      : session_(session), side_(isInput ? made.load : made.store), shape_(made.shape),
        isReal_(shape_.kind == (isInput ? Kind::RealToComplex : Kind::ComplexToReal)) {
    bytesEach_ = (made.isDouble ? sizeof(double) : sizeof(float)) * (isReal_ ? 1 : 2);
  }
  ~Packed() {
    if (memory_) session_.releaseOnStream(memory_);
  }
  Packed(const Packed &) = delete;
  Packed &operator=(const Packed &) = delete;

  bool isAsked() const { return side_.callback.has_value(); }
  cufftResult allocate() {
    __int128 count = __int128(shape_.batch) * lineSize();
    for (unsigned i = 0; i + 1 < shape_.rank; ++i) count *= shape_.sizes[i];
    if (count > kLargestTotal) return CUFFT_ALLOC_FAILED; // transforms may lie on each other
    return resultOf(session_.allocateOnStream(&memory_, size_t(count) * bytesEach_));
  }
  cufftResult call(void *data, const Layout &layout) const {
    return us::cufft::call(session_, shape_, side_, data, layout, lineSize(), memory_);
  }
  void *memory() const { return memory_; }
  Layout layout() const { return layoutOf(shape_, Given(), lineSize()); }

private:
  int64_t lineSize() const { return isReal_ ? shape_.sizes[shape_.rank - 1] : shape_.complexSize(); }

  const math::Session &session_;
  const Side &side_;
  const Shape &shape_;
  bool isReal_;
  size_t bytesEach_;
  void *memory_ = nullptr;
};

template <class R>
cufftResult executeOf(const char *function, const math::Session &session, const Made &made, void *in, void *out,
                      bool isInverse) {
  auto [inLayout, outLayout] = layoutsOf(made, in == out);
  const Extent extent = extentOf(made, in == out);
  // What there is for a callback is the caller's business.
  for (const auto &[pointer, bytes, side] :
       {std::tuple(in, extent.in, &made.load), std::tuple(out, extent.out, &made.store)}) {
    if (side->callback) continue;
    if (reinterpret_cast<uintptr_t>(pointer) % sizeof(R) == 0 && math::Session::reaches(pointer, bytes)) continue;
    math::say(function, "%zu bytes at %p are not all in one allocation that the device can reach", bytes, pointer);
    return CUFFT_INVALID_VALUE;
  }
  Packed loaded(session, made, true), toStore(session, made, false);
  const Layout callersLayout = outLayout;
  void *const callers = out;
  if (loaded.isAsked()) {
    if (const cufftResult result = loaded.allocate(); result != CUFFT_SUCCESS) return result;
    if (const cufftResult result = loaded.call(in, inLayout); result != CUFFT_SUCCESS) return result;
    in = loaded.memory();
    inLayout = loaded.layout();
  }
  if (toStore.isAsked()) {
    if (const cufftResult result = toStore.allocate(); result != CUFFT_SUCCESS) return result;
    out = toStore.memory();
    outLayout = toStore.layout();
  }
  const CUresult started = session.run([=, transform = std::get<std::shared_ptr<const Transform<R>>>(made.transform),
                                        inLayout = inLayout, outLayout = outLayout] {
    try {
      transform->run(in, inLayout, out, outLayout, isInverse);
    } catch (const std::bad_alloc &) {
      math::say(function, "there is no memory for numbers between two dimensions: the transform is left out");
    }
  });
  if (started != CUDA_SUCCESS || !toStore.isAsked()) return resultOf(started);
  return toStore.call(callers, callersLayout);
}

} // namespace

Extent extentOf(const Made &made, bool isInPlace) {
  const Shape &shape = made.shape;
  const Layouts layouts = layoutsOf(made, isInPlace);
  const auto bytes = [&](const Layout &layout, bool isReal) {
    const std::optional<int64_t> count =
        spanOf(shape, layout, isReal ? shape.sizes[shape.rank - 1] : shape.complexSize());
    return size_t(count.value_or(kLargestTotal)) * (made.isDouble ? sizeof(double) : sizeof(float)) * (isReal ? 1 : 2);
  };
  return {bytes(layouts.in, shape.kind == Kind::RealToComplex), bytes(layouts.out, shape.kind == Kind::ComplexToReal)};
}

Extent distanceOf(const Made &made, bool isInPlace) {
  const Layouts layouts = layoutsOf(made, isInPlace);
  const auto bytes = [&](const Layout &layout, bool isReal) {
    return size_t(layout.distance) * (made.isDouble ? sizeof(double) : sizeof(float)) * (isReal ? 1 : 2);
  };
  return {bytes(layouts.in, made.shape.kind == Kind::RealToComplex),
          bytes(layouts.out, made.shape.kind == Kind::ComplexToReal)};
}

bool isPlain(const Made &made) {
  const Layouts own = layoutsOf(made, true);
  const Layouts plain = layoutsOf({made.shape, made.isDouble, {}, {}, {}}, true);
  return own.in.strides == plain.in.strides && own.out.strides == plain.out.strides;
}

cufftResult makeTransform(Made &made) {
  try {
    if (made.isDouble)
      made.transform = std::make_shared<const Transform<double>>(made.shape);
    else
      made.transform = std::make_shared<const Transform<float>>(made.shape);
  } catch (const std::bad_alloc &) {
    return CUFFT_ALLOC_FAILED; // "The allocation of GPU or CPU memory for the plan failed"
  }
  return CUFFT_SUCCESS;
}

Direction directionOf(const Made &made, std::optional<cufftType> type, int direction) {
  const Kind kind = made.shape.kind;
  const cufftType own = kind == Kind::Complex         ? (made.isDouble ? CUFFT_Z2Z : CUFFT_C2C)
                        : kind == Kind::RealToComplex ? (made.isDouble ? CUFFT_D2Z : CUFFT_R2C)
                                                      : (made.isDouble ? CUFFT_Z2D : CUFFT_C2R);
  if (type && *type != own) return {CUFFT_INVALID_TYPE, false};
  if (kind != Kind::Complex) return {CUFFT_SUCCESS, kind == Kind::ComplexToReal};
  // "At least one of the parameters idata, odata, and direction is not valid."
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return {CUFFT_INVALID_VALUE, false};
  return {CUFFT_SUCCESS, direction == CUFFT_INVERSE};
}

cufftResult execute(const char *function, const math::Session &session, const Made &made, void *in, void *out,
                    bool isInverse) {
  return made.isDouble ? executeOf<double>(function, session, made, in, out, isInverse)
                       : executeOf<float>(function, session, made, in, out, isInverse);
}

cufftResult executeHere(const Made &made, void *numbers, bool isInverse) {
  const auto [in, out] = layoutsOf(made, true);
  try {
    std::visit([&, in = in, out = out](const auto &transform) { transform->run(numbers, in, numbers, out, isInverse); },
               made.transform);
  } catch (const std::bad_alloc &) {
    return CUFFT_ALLOC_FAILED;
  }
  return CUFFT_SUCCESS;
}

cufftResult execute(const char *function, cufftHandle handle, std::optional<cufftType> type, void *in, void *out,
                    int direction) {
  const std::shared_ptr<Plan> plan = find(handle);
  if (!plan || !plan->made) return CUFFT_INVALID_PLAN;
  if (!plan->shares.empty()) {
    math::say(function, "a plan for several devices is executed by cufftXtExecDescriptor and the functions like it");
    return CUFFT_INVALID_PLAN;
  }
  const auto [result, isInverse] = directionOf(*plan->made, type, direction);
  if (result != CUFFT_SUCCESS) return result;
  if (!in || !out) return CUFFT_INVALID_VALUE;
  return execute(function, plan->session, *plan->made, in, out, isInverse);
}

namespace {

/// The type whose numbers are of these types; none that we compute if there is no other.
std::optional<cufftType> typeOf(cudaDataType in, cudaDataType out, cudaDataType execution) {
  const auto are = [&](cudaDataType a, cudaDataType b, cudaDataType c) {
    return in == a && out == b && execution == c;
  };
  if (are(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F)) return CUFFT_C2C;
  if (are(CUDA_R_32F, CUDA_C_32F, CUDA_C_32F)) return CUFFT_R2C;
  if (are(CUDA_C_32F, CUDA_R_32F, CUDA_C_32F)) return CUFFT_C2R;
  if (are(CUDA_C_64F, CUDA_C_64F, CUDA_C_64F)) return CUFFT_Z2Z;
  if (are(CUDA_R_64F, CUDA_C_64F, CUDA_C_64F)) return CUFFT_D2Z;
  if (are(CUDA_C_64F, CUDA_R_64F, CUDA_C_64F)) return CUFFT_Z2D;
  return std::nullopt;
}

Asked plain(std::initializer_list<int> sizes, cufftType type, int batch) {
  Asked asked = {int(sizes.size()), {}, {}, {}, type, batch};
  std::copy(sizes.begin(), sizes.end(), asked.sizes.begin());
  return asked;
}

} // namespace
} // namespace us::cufft

using namespace us;
using namespace us::cufft;

US_EXPORT cufftResult cufftCreate(cufftHandle *plan) { return create(__func__, plan); }

US_EXPORT cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) {
  return createAndMake(__func__, plan, CUFFT_SUCCESS, plain({nx}, type, batch));
}
US_EXPORT cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) {
  return createAndMake(__func__, plan, CUFFT_SUCCESS, plain({nx, ny}, type, 1));
}
US_EXPORT cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type) {
  return createAndMake(__func__, plan, CUFFT_SUCCESS, plain({nx, ny, nz}, type, 1));
}
US_EXPORT cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                                    int *onembed, int ostride, int odist, cufftType type, int batch) {
  Asked asked;
  const cufftResult result = ask(asked, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  return createAndMake(__func__, plan, result, asked);
}

#define US_PLAIN(NAME, DECLARED, PASSED, WHAT)                                                                         \
  US_EXPORT cufftResult cufft##NAME##1d(DECLARED int nx, cufftType type, int batch, size_t *workSize) {                \
    return WHAT(__func__, PASSED CUFFT_SUCCESS, plain({nx}, type, batch), workSize);                                   \
  }                                                                                                                    \
  US_EXPORT cufftResult cufft##NAME##2d(DECLARED int nx, int ny, cufftType type, size_t *workSize) {                   \
    return WHAT(__func__, PASSED CUFFT_SUCCESS, plain({nx, ny}, type, 1), workSize);                                   \
  }                                                                                                                    \
  US_EXPORT cufftResult cufft##NAME##3d(DECLARED int nx, int ny, int nz, cufftType type, size_t *workSize) {           \
    return WHAT(__func__, PASSED CUFFT_SUCCESS, plain({nx, ny, nz}, type, 1), workSize);                               \
  }
#define US_MANY(NAME, DECLARED, PASSED, WHAT, I)                                                                       \
  US_EXPORT cufftResult cufft##NAME(DECLARED int rank, I *n, I *inembed, I istride, I idist, I *onembed, I ostride,    \
                                    I odist, cufftType type, I batch, size_t *workSize) {                              \
    Asked asked;                                                                                                       \
    const cufftResult result = ask(asked, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);     \
    return WHAT(__func__, PASSED result, asked, workSize);                                                             \
  }
#define US_NONE
#define US_DECLARED cufftHandle plan,
#define US_PASSED plan,
US_PLAIN(MakePlan, US_DECLARED, US_PASSED, make)
US_PLAIN(GetSize, US_DECLARED, US_PASSED, tellSizeFor)
US_PLAIN(Estimate, US_NONE, US_NONE, tellSize)
US_MANY(MakePlanMany, US_DECLARED, US_PASSED, make, int)
US_MANY(MakePlanMany64, US_DECLARED, US_PASSED, make, long long)
US_MANY(GetSizeMany, US_DECLARED, US_PASSED, tellSizeFor, int)
US_MANY(GetSizeMany64, US_DECLARED, US_PASSED, tellSizeFor, long long)
US_MANY(EstimateMany, US_NONE, US_NONE, tellSize, int)

// "Half-precision" and what else has no type of its own is not computed.
#define US_XT(NAME, WHAT)                                                                                              \
  US_EXPORT cufftResult cufftXt##NAME(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride, \
                                      long long idist, cudaDataType inputtype, long long *onembed, long long ostride,  \
                                      long long odist, cudaDataType outputtype, long long batch, size_t *workSize,     \
                                      cudaDataType executiontype) {                                                    \
    const std::optional<cufftType> type = typeOf(inputtype, outputtype, executiontype);                                \
    if (!type) return CUFFT_NOT_SUPPORTED;                                                                             \
    Asked asked;                                                                                                       \
    const cufftResult result = ask(asked, rank, n, inembed, istride, idist, onembed, ostride, odist, *type, batch);    \
    return WHAT(__func__, plan, result, asked, workSize);                                                              \
  }
US_XT(MakePlanMany, make)
US_XT(GetSizeMany, tellSizeFor)

US_EXPORT cufftResult cufftGetSize(cufftHandle plan, size_t *workSize) {
  const std::shared_ptr<Plan> found = find(plan);
  if (!found || !found->made) return CUFFT_INVALID_PLAN;
  if (!workSize) return CUFFT_INVALID_VALUE;
  tellSizes(*found, *found->made, workSize);
  return CUFFT_SUCCESS;
}
US_EXPORT cufftResult cufftSetWorkArea(cufftHandle plan, void *) {
  return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
US_EXPORT cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
  return find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

#define US_EXECUTE(NAME, IN, OUT)                                                                                      \
  US_EXPORT cufftResult cufftExec##NAME(cufftHandle plan, IN *idata, OUT *odata) {                                     \
    return execute(__func__, plan, CUFFT_##NAME, idata, odata, 0);                                                     \
  }
#define US_EXECUTE_BOTH(NAME, TYPE)                                                                                    \
  US_EXPORT cufftResult cufftExec##NAME(cufftHandle plan, TYPE *idata, TYPE *odata, int direction) {                   \
    return execute(__func__, plan, CUFFT_##NAME, idata, odata, direction);                                             \
  }
US_EXECUTE_BOTH(C2C, cufftComplex)
US_EXECUTE_BOTH(Z2Z, cufftDoubleComplex)
US_EXECUTE(R2C, cufftReal, cufftComplex)
US_EXECUTE(C2R, cufftComplex, cufftReal)
US_EXECUTE(D2Z, cufftDoubleReal, cufftDoubleComplex)
US_EXECUTE(Z2D, cufftDoubleComplex, cufftDoubleReal)
US_EXPORT cufftResult cufftXtExec(cufftHandle plan, void *input, void *output, int direction) {
  return execute(__func__, plan, std::nullopt, input, output, direction);
}

US_EXPORT cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  const std::shared_ptr<Plan> found = find(plan);
  if (!found) return CUFFT_INVALID_PLAN;
  found->session.stream = reinterpret_cast<CUstream>(stream);
  return CUFFT_SUCCESS;
}

US_EXPORT cufftResult cufftDestroy(cufftHandle plan) {
  const std::lock_guard lock(plansMutex);
  return plans().erase(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

US_EXPORT cufftResult cufftGetVersion(int *version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = US_CUFFT_MAJOR * 1000;
  return CUFFT_SUCCESS;
}
US_EXPORT cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  if (!value) return CUFFT_INVALID_VALUE;
  if (type < MAJOR_VERSION || type > PATCH_LEVEL) return CUFFT_INVALID_TYPE;
  *value = type == MAJOR_VERSION ? US_CUFFT_MAJOR : 0;
  return CUFFT_SUCCESS;
}

// Nothing here is compiled while the program runs: what is told is kept, and has no effect.
US_EXPORT cufftResult cufftSetPlanPropertyInt64(cufftHandle plan, cufftProperty property, const long long value) {
  const std::shared_ptr<Plan> found = find(plan);
  if (!found || found->made) return CUFFT_INVALID_PLAN; // "before the plan is made"
  if (property != NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT && property != NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS)
    return CUFFT_NOT_SUPPORTED;
  found->properties[property] = value;
  return CUFFT_SUCCESS;
}
US_EXPORT cufftResult cufftGetPlanPropertyInt64(cufftHandle plan, cufftProperty property, long long *value) {
  const std::shared_ptr<Plan> found = find(plan);
  if (!found) return CUFFT_INVALID_PLAN;
  if (!value) return CUFFT_INVALID_VALUE;
  if (property != NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT && property != NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS)
    return CUFFT_NOT_SUPPORTED;
  const auto told = found->properties.find(property);
  *value = told == found->properties.end() ? 0 : told->second;
  return CUFFT_SUCCESS;
}
US_EXPORT cufftResult cufftResetPlanProperty(cufftHandle plan, cufftProperty property) {
  const std::shared_ptr<Plan> found = find(plan);
  if (!found || found->made) return CUFFT_INVALID_PLAN;
  found->properties.erase(property);
  return CUFFT_SUCCESS;
}
