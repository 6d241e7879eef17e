// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuRAND's host functions: checks of what they are given, and numbers when the stream gets there.
#include "icd/cuda/include/curand.h"
#include "icd/curand/direction_vectors.h"
#include "icd/curand/distributions.h"
#include "icd/curand/engines.h"
#include "icd/math/session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numbers>

#define US_EXPORT extern "C" __attribute__((visibility("default")))

namespace us::curand {

/// The engines are used by work on the stream, which comes in order but in any thread.
struct Shared {
  std::mutex mutex; ///< guards engine
  std::unique_ptr<Engine> engine;
};

} // namespace us::curand

struct curandGenerator_st {
  us::math::Session session;
  curandRngType_t type;
  bool isHost;
  unsigned long long seed = 0, position = 0;
  unsigned dimensions = 1;
  curandOrdering_t ordering;
  std::shared_ptr<us::curand::Shared> shared; ///< none until numbers are asked for, and after another seed
};

namespace us::curand {
namespace {

constexpr size_t kPiece = 1 << 14; ///< words that are made at a time; even

bool isQuasi(curandRngType_t type) { return type >= CURAND_RNG_QUASI_DEFAULT; }
bool isWide(curandRngType_t type) {
  return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

std::unique_ptr<Engine> makeEngine(curandRngType_t type, uint64_t seed) {
  switch (type) {
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return makeMrg32k3a(seed);
  case CURAND_RNG_PSEUDO_MT19937:
    return makeMt19937(seed);
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return makePhilox(seed);
  default:
    return makeXorwow(seed);
  }
}

curandStatus_t create(const char *function, curandGenerator_t *generator, curandRngType_t type, bool isHost) {
  if (!generator) return CURAND_STATUS_OUT_OF_RANGE;
  // "CURAND_STATUS_TYPE_ERROR if the value for rng_type is invalid"
  switch (type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
    type = CURAND_RNG_PSEUDO_XORWOW;
    break;
  case CURAND_RNG_QUASI_DEFAULT:
    type = CURAND_RNG_QUASI_SOBOL32;
    break;
  case CURAND_RNG_PSEUDO_XORWOW:
  case CURAND_RNG_PSEUDO_MRG32K3A:
  case CURAND_RNG_PSEUDO_MT19937:
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    break;
  case CURAND_RNG_PSEUDO_MTGP32:
    math::say(function, "there are no parameters for MTGP32: use MT19937, or another generator");
    return CURAND_STATUS_TYPE_ERROR;
  default:
    return CURAND_STATUS_TYPE_ERROR;
  }
  auto made = std::make_unique<curandGenerator_st>();
  made->type = type;
  made->isHost = isHost;
  made->ordering = isQuasi(type) ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT;
  // What computes for the host's memory needs no device.
  if (!isHost)
    if (const CUresult result = made->session.start(function); result != CUDA_SUCCESS)
      return result == CUDA_ERROR_NOT_SUPPORTED ? CURAND_STATUS_ARCH_MISMATCH : CURAND_STATUS_INITIALIZATION_FAILED;
  math::addHandle(made.get());
  *generator = made.release();
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t statusOf(CUresult result) {
  switch (result) {
  case CUDA_SUCCESS:
    return CURAND_STATUS_SUCCESS;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return CURAND_STATUS_ALLOCATION_FAILED;
  default:
    return CURAND_STATUS_LAUNCH_FAILURE;
  }
}

/// n numbers of T: each from `words` words of a pseudorandom sequence, by make(words, numbers, how many); or each from
/// one of a quasirandom sequence, by one(word).
template <class T, class Make, class One>
curandStatus_t generate(const char *function, curandGenerator_t generator, T *output, size_t n, unsigned words,
                        Make make, One one) {
  curandGenerator_st &own = *generator;
  const bool quasi = isQuasi(own.type);
  // "CURAND_STATUS_LENGTH_NOT_MULTIPLE if the number of output samples is not a multiple of the quasirandom dimension"
  if (quasi && n % own.dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (n == 0) return CURAND_STATUS_SUCCESS;
  if (!output) return CURAND_STATUS_OUT_OF_RANGE;
  if (n > SIZE_MAX / sizeof(T) || (!own.isHost && !math::Session::reaches(output, n * sizeof(T)))) {
    math::say(function, "%zu numbers at %p are not all in one allocation that the device can reach", n,
              static_cast<void *>(output));
    return CURAND_STATUS_LAUNCH_FAILURE;
  }
  const uint64_t position = own.position;
  own.position += quasi ? n / own.dimensions : n * words;
  if (!quasi && !own.shared) {
    own.shared = std::make_shared<Shared>();
    own.shared->engine = makeEngine(own.type, own.seed);
  }
  auto work = [=, shared = own.shared, type = own.type, dimensions = own.dimensions] {
    if (!quasi) {
      const std::lock_guard lock(shared->mutex);
      const std::unique_ptr<uint32_t[]> piece(new uint32_t[kPiece]);
      const size_t each = kPiece / words;
      for (size_t done = 0; done < n; done += each) {
        const size_t count = std::min(each, n - done);
        shared->engine->generate(position + done * words, piece.get(), count * words);
        make(piece.get(), output + done, count);
      }
      return;
    }
    // "All results for dimension 1, then all for dimension 2, ..."
    const auto points = [&](const auto *vectors, const auto *constants, auto word) {
      using Word = decltype(word);
      const std::unique_ptr<Word[]> piece(new Word[kPiece]);
      const size_t each = n / dimensions;
      for (unsigned dimension = 0; dimension < dimensions; ++dimension)
        for (size_t done = 0; done < each; done += kPiece) {
          const size_t count = std::min(kPiece, each - done);
          generateSobol<Word>(vectors + size_t(dimension) * sizeof(Word) * 8, constants ? constants[dimension] : 0,
                              position + done, piece.get(), count);
          for (size_t i = 0; i < count; ++i) output[dimension * each + done + i] = one(piece[i]);
        }
    };
    const bool isScrambled = type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
    if (isWide(type))
      points(directionVectors64(), isScrambled ? scrambleConstants64() : nullptr, 0ull);
    else
      points(directionVectors32(), isScrambled ? scrambleConstants32() : nullptr, 0u);
  };
  if (!own.isHost) return statusOf(own.session.run(std::move(work)));
  work();
  return CURAND_STATUS_SUCCESS;
}

// One word, or two for a double of a pseudorandom sequence.
float uniform32(const uint32_t *words, size_t i) { return uniformOf(words[i]); }
double uniform64(const uint32_t *words, size_t i) {
  return uniformDoubleOf(uint64_t{words[2 * i + 1]} << 32 | words[2 * i]);
}
uint64_t wide(unsigned long long word) { return word; }
uint32_t wide(unsigned word) { return word; }

template <class T> T uniformAt(const uint32_t *words, size_t i) {
  if constexpr (sizeof(T) == sizeof(float))
    return uniform32(words, i);
  else
    return uniform64(words, i);
}

/// Box and Muller's pairs for a pseudorandom sequence, the inverse of the distribution for Sobol's points.
template <class T, class Finish>
curandStatus_t generateNormal(const char *function, curandGenerator_t generator, T *output, size_t n, T mean, T stddev,
                              Finish finish) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  // "... or is not a multiple of two for pseudorandom generators"
  if (!isQuasi(generator->type) && n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return generate(
      function, generator, output, n, sizeof(T) / 4,
      [=](const uint32_t *words, T *numbers, size_t count) {
        for (size_t i = 0; i < count; i += 2) {
          const T radius = std::sqrt(T(-2) * std::log(uniformAt<T>(words, i)));
          const T angle = T(2 * std::numbers::pi) * uniformAt<T>(words, i + 1);
          numbers[i] = finish(mean + stddev * radius * std::sin(angle));
          numbers[i + 1] = finish(mean + stddev * radius * std::cos(angle));
        }
      },
      [=](auto word) { return finish(mean + stddev * T(inverseNormal(uniformDoubleOf(wide(word))))); });
}

curandStatus_t generateCounts(const char *function, curandGenerator_t generator, unsigned *output, size_t n,
                              Counts counts) {
  const auto shared = std::make_shared<const Counts>(std::move(counts));
  return generate(
      function, generator, output, n, 2,
      [=](const uint32_t *words, unsigned *numbers, size_t count) {
        for (size_t i = 0; i < count; ++i) numbers[i] = shared->at(uniform64(words, i));
      },
      [=](auto word) { return shared->at(uniformDoubleOf(wide(word))); });
}

} // namespace
} // namespace us::curand

using namespace us;
using namespace us::curand;

US_EXPORT curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  return create(__func__, generator, type, false);
}
US_EXPORT curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return create(__func__, generator, type, true);
}

US_EXPORT curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!math::removeHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

US_EXPORT curandStatus_t curandGetVersion(int *version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
US_EXPORT curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  const int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  *value = parts[type];
  return CURAND_STATUS_SUCCESS;
}

US_EXPORT curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->session.stream = reinterpret_cast<CUstream>(stream);
  return CURAND_STATUS_SUCCESS;
}

US_EXPORT curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  // "CURAND_STATUS_TYPE_ERROR if the generator is not a pseudorandom number generator"
  if (isQuasi(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  generator->seed = seed;
  generator->position = 0;
  generator->shared = nullptr; // work that was given has its own
  return CURAND_STATUS_SUCCESS;
}
US_EXPORT curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  // "The offset cannot be set for MTGP32 and MT19937 generators."
  if (generator->type == CURAND_RNG_PSEUDO_MT19937) return CURAND_STATUS_TYPE_ERROR;
  generator->position = offset;
  return CURAND_STATUS_SUCCESS;
}
US_EXPORT curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  // "CURAND_STATUS_OUT_OF_RANGE if the ordering is not valid"; of those of a kind each has the same results here.
  const bool isPseudo = order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
  if (isQuasi(generator->type) ? order != CURAND_ORDERING_QUASI_DEFAULT : !isPseudo) return CURAND_STATUS_OUT_OF_RANGE;
  generator->ordering = order;
  return CURAND_STATUS_SUCCESS;
}
US_EXPORT curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  // "Legal values for num_dimensions are 1 to 20000."
  if (dimensions < 1 || dimensions > kDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  if (!isQuasi(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  generator->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}
// "Generate the starting state of the generator": that is done with the first numbers.
US_EXPORT curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return math::isHandle(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

US_EXPORT curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *output, size_t n) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  // "CURAND_STATUS_TYPE_ERROR if the generator is a 64 bit quasirandom generator"
  if (isWide(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  return generate(
      __func__, generator, output, n, 1,
      [](const uint32_t *words, unsigned *numbers, size_t count) { std::copy_n(words, count, numbers); },
      [](auto word) { return unsigned(word); });
}
US_EXPORT curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *output, size_t n) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  // "CURAND_STATUS_TYPE_ERROR if the generator is not a 64 bit quasirandom generator"
  if (!isWide(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  return generate(
      __func__, generator, output, n, 2, [](const uint32_t *, unsigned long long *, size_t) {},
      [](auto word) { return static_cast<unsigned long long>(word); });
}

US_EXPORT curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, size_t n) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return generate(
      __func__, generator, output, n, 1,
      [](const uint32_t *words, float *numbers, size_t count) {
        for (size_t i = 0; i < count; ++i) numbers[i] = uniform32(words, i);
      },
      [](auto word) { return uniformOf(wide(word)); });
}
US_EXPORT curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output, size_t n) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  return generate(
      __func__, generator, output, n, 2,
      [](const uint32_t *words, double *numbers, size_t count) {
        for (size_t i = 0; i < count; ++i) numbers[i] = uniform64(words, i);
      },
      [](auto word) { return uniformDoubleOf(wide(word)); });
}

US_EXPORT curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, size_t n, float mean,
                                              float stddev) {
  return generateNormal(__func__, generator, output, n, mean, stddev, [](float x) { return x; });
}
US_EXPORT curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output, size_t n, double mean,
                                                    double stddev) {
  return generateNormal(__func__, generator, output, n, mean, stddev, [](double x) { return x; });
}
US_EXPORT curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output, size_t n, float mean,
                                                 float stddev) {
  return generateNormal(__func__, generator, output, n, mean, stddev, [](float x) { return std::exp(x); });
}
US_EXPORT curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output, size_t n,
                                                       double mean, double stddev) {
  return generateNormal(__func__, generator, output, n, mean, stddev, [](double x) { return std::exp(x); });
}

/// "CURAND_STATUS_OUT_OF_RANGE if lambda is non-positive or greater than 400,000"
static bool isMean(double lambda) { return lambda > 0 && lambda <= 400000; }

US_EXPORT curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *output, size_t n, double lambda) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!isMean(lambda)) return CURAND_STATUS_OUT_OF_RANGE;
  return generateCounts(__func__, generator, output, n, poissonCounts(lambda));
}
US_EXPORT curandStatus_t curandGenerateBinomial(curandGenerator_t generator, unsigned *output, size_t n,
                                                unsigned trials, double probability) {
  if (!math::isHandle(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!(probability >= 0 && probability <= 1)) return CURAND_STATUS_OUT_OF_RANGE;
  return generateCounts(__func__, generator, output, n, binomialCounts(trials, probability));
}

// A table in memory of the device, for curand_discrete() in kernels: two counts and as many doubles as the second says.
US_EXPORT curandStatus_t curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t *distribution) {
  if (!distribution || !isMean(lambda)) return CURAND_STATUS_OUT_OF_RANGE;
  math::Session session;
  if (const CUresult result = session.start(__func__); result != CUDA_SUCCESS)
    return result == CUDA_ERROR_NOT_SUPPORTED ? CURAND_STATUS_ARCH_MISMATCH : CURAND_STATUS_INITIALIZATION_FAILED;
  const Counts counts = poissonCounts(lambda);
  const size_t bytes = counts.cumulative.size() * sizeof(double);
  void *memory = nullptr;
  if (session.allocate(&memory, 8 + bytes) != CUDA_SUCCESS) return CURAND_STATUS_ALLOCATION_FAILED;
  const uint32_t head[2] = {counts.first, uint32_t(counts.cumulative.size())};
  std::memcpy(memory, head, sizeof head);
  std::memcpy(static_cast<char *>(memory) + sizeof head, counts.cumulative.data(), bytes);
  math::addHandle(memory);
  *distribution = static_cast<curandDiscreteDistribution_t>(memory);
  return CURAND_STATUS_SUCCESS;
}
US_EXPORT curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  if (!math::removeHandle(distribution)) return CURAND_STATUS_NOT_INITIALIZED;
  return statusOf(math::Session::release(distribution));
}

US_EXPORT curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                     curandDirectionVectorSet_t set) {
  if (!vectors || (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6))
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = reinterpret_cast<curandDirectionVectors32_t *>(const_cast<unsigned *>(directionVectors32()));
  return CURAND_STATUS_SUCCESS;
}
US_EXPORT curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                                     curandDirectionVectorSet_t set) {
  if (!vectors || (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6))
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = reinterpret_cast<curandDirectionVectors64_t *>(const_cast<unsigned long long *>(directionVectors64()));
  return CURAND_STATUS_SUCCESS;
}
US_EXPORT curandStatus_t curandGetScrambleConstants32(unsigned **constants) {
  if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
  *constants = const_cast<unsigned *>(scrambleConstants32());
  return CURAND_STATUS_SUCCESS;
}
US_EXPORT curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
  *constants = const_cast<unsigned long long *>(scrambleConstants64());
  return CURAND_STATUS_SUCCESS;
}
