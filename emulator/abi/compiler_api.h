// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler library's one table. libunderstudy.so opens libunderstudy-compiler.so on the first build and calls it
// only through this; neither side sees the other's classes. Both are built together, so plain C++ data may cross.
#pragma once

#include "emulator/abi/argument_copies.h"
#include "emulator/abi/check_classes.h"
#include "emulator/abi/kernel_abi.h"
#include "emulator/abi/targets.h"
#include "emulator/abi/tiers.h"
#include "runtime/base/expected.h"
#include "runtime/device/compile_request.h"
#include "runtime/device/executable.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace us::abi {

/// Changes whenever generated code or the IR contract changes; a part of every cache key and program binary.
inline constexpr uint32_t kCodeVersion = 35;

/// How the compiler is to work. Nothing of it changes what is made.
struct CompilerSettings {
  std::string dumpDirectory; ///< empty: none
  uint64_t timeLimit = 0;    ///< milliseconds; 0: none
};

/// Where a program-scope variable lies in the storage.
struct NamedVariable {
  std::string name;
  uint64_t offset = 0, size = 0;
};

/// Storage of the program-scope (addrspace 1) variables of an executable.
struct ProgramVariables {
  uint64_t size = 0, alignment = 1;
  std::vector<char> image; ///< initial bytes; zeros follow
  /// The 64-bit word at .first is the address of the storage plus .second.
  std::vector<std::pair<uint64_t, uint64_t>> relocations;
  std::vector<NamedVariable> names;
};

/// A compiled object, a library or an executable: kernel IR as bitcode (host layout; the program's own functions are
/// unoptimised) and what is known of it. Only an executable has the builtin library linked in, and complete
/// KernelInfos.
struct ModuleData {
  uint8_t kind = 0; ///< us::ProgramKind
  std::vector<char> ir;
  std::vector<KernelInfo> kernels;
  ProgramVariables variables;
  std::string options;                                         ///< as given
  std::string expandedSource;                                  ///< with includes expanded
  std::vector<std::pair<std::string, uint64_t>> includedFiles; ///< path and xxh64 of every file read from disk
};

struct LinkInput {
  std::vector<const ModuleData *> inputs;
  std::string_view options; ///< the API's link options
};

/// So many image and sampler arguments of a kernel can be specialized on.
inline constexpr uint32_t kOpaqueArguments = 16;

/// Of Specialization::followed, the bit of an argument; those behind have none.
inline constexpr size_t kFollowedArguments = 63;
/// And of pointers that are no arguments.
inline constexpr uint64_t kFollowsPointers = uint64_t(1) << kFollowedArguments;

/// Whether work-items whose control flow differs are vectorized, with masks.
enum class VectorPlan : uint8_t { WhereFaster, Always, Never };

/// What one piece of machine code is made for.
struct Specialization {
  Tier tier = Tier::Loop;
  Target target = Target::Host;
  /// Made in a fraction of the time, and several times slower: for work that would not earn the difference. Gives the
  /// same results. Kernels with loops of their own get optimized code all the same.
  bool baseline = false;
  uint32_t workDimensions = 3;                     ///< dimensions above are known to have size 1 (and offset 0)
  uint32_t localSize[3] = {0, 0, 0};               ///< constant full local size (loop tier); zeros in the fiber tier
  uint32_t subGroupSize = 32;                      ///< work-items of a full sub-group, one of kSubGroupSizes
  bool smallIndex = false;                         ///< every global id (offset included) is below 2^31
  bool zeroOffset = false;                         ///< the global offset is zero
  bool ragged = false;                             ///< some group at an edge may be smaller
  VectorPlan vectorPlan = VectorPlan::WhereFaster; ///< loop tier
  CheckSet instrumentation = 0;                    ///< what the code checks
  /// Classes of which no check is left out. Of others those are that find nothing in a launch which meets the
  /// requirements of the code (us.require); another launch is given up before it has done anything.
  CheckSet exhaustive = 0;
  /// With races: the code tells of all accesses to global memory that may race, also where it could look by itself: the
  /// runtime has no cells for this launch.
  bool tellsAccesses = false;
  /// Where code is checked for uninitialized values: arguments that point to global memory of which not all was
  /// written. Other global memory counts as written, and whoever launches the code knows that it is.
  uint64_t followed = 0;
  /// Arguments, of the first 64, of whose memory each thread may have a copy: no other argument points to it, and it is
  /// not shared with the host.
  uint64_t copied = 0;
  /// Format or bits of the first image and sampler arguments, in the kernel's order (opaqueBits in image_abi.h); 0:
  /// nothing is known.
  std::array<uint16_t, kOpaqueArguments> opaque{};
  /// The address of kCounters zeros, in which the code counts how often its blocks ran; 0: it does not.
  uint64_t counters = 0;
  bool operator==(const Specialization &) const = default;
};

/// 64-bit counters of a kernel that counts; what does not fit in is not counted.
inline constexpr uint32_t kCounters = 16384;

/// What a block does in a line of the source each time that it runs.
struct CountedLine {
  uint32_t counter = 0; ///< of the block
  uint32_t copy = 0;    ///< of a function, that was inlined: each has a number of its own
  uint32_t line = 0;
  std::string file;
  uint64_t floatOperations = 0, integerOperations = 0;
  uint64_t bytesRead = 0, bytesWritten = 0; ///< of global memory
};

struct CodeInput {
  std::span<const char> ir; ///< ModuleData::ir of an executable
  std::string_view kernel;
  Specialization specialization;
};

/// Machine code of one kernel: a relocatable object.
struct CodeData {
  std::vector<char> object;
  std::string symbol;      ///< RangeEntry or ItemEntry
  uint64_t frameBytes = 0; ///< stack the entry needs (fiber: per work-item); 0: unknown
  bool baseline = false;   ///< it was asked for, and the kernel allowed it
  bool waits = false;      ///< for memory to change: its EntryShape is Group instead of Range
  bool inOrder = false;    ///< it tells of its accesses: its work-groups run one after the other
  /// Of code that is checked for uninitialized values: it writes global memory by pointers that are no arguments, or in
  /// functions that are not looked into.
  bool writesByPointer = false, writesUnseen = false;
  uint32_t localCellBytes = 0;  ///< of local memory, for each cell that it keeps beside it (race_cells.h); 0: none
  uint32_t globalCellBytes = 0; ///< the same of the memory of these arguments; its groups, too, run in order
  std::vector<uint32_t> cellArguments; ///< their numbers
  std::vector<ArgumentCopy> copies;    ///< what it wants copies of; arguments of Specialization::copied
  std::string vectors;                 ///< the vectors that most of it calculates with, as "8 x float"; empty: none
  std::vector<CountedLine> counted;    ///< of code with counters, which nobody stores
};

/// Gives the code range of the process's reserved addresses to the linker. All functions are thread-safe.
struct CodeMemory {
  void *user = nullptr;
  /// Pages, readable and writable, page-aligned; null if there are none.
  std::byte *(*allocate)(void *user, uint64_t size) = nullptr;
  /// Makes [begin, begin + size) executable and read-only.
  bool (*makeExecutable)(void *user, std::byte *begin, uint64_t size) = nullptr;
  void (*release)(void *user, std::byte *begin, uint64_t size) = nullptr;
};

struct LoadedCode {
  void *entry = nullptr;
  void *handle = nullptr;                             ///< for unload
  std::byte *codeBegin = nullptr, *codeEnd = nullptr; ///< executable range
};

/// A place in the source.
struct SourceLine {
  std::string function, file;
  uint32_t line = 0; ///< 0: unknown
};

struct CompilerApi {
  uint32_t size = sizeof(CompilerApi);
  uint32_t codeVersion = kCodeVersion;
  /// Identifies the host CPU and its features as code generation sees them; a part of cache keys.
  std::string (*hostIdentity)() = nullptr;
  Logged<ModuleData> (*compile)(const CompileRequest &request, const LanguageFacts &facts,
                                const CompilerSettings &settings) = nullptr;
  Logged<ModuleData> (*link)(const LinkInput &input, const LanguageFacts &facts,
                             const CompilerSettings &settings) = nullptr;
  /// `remarks`, unless null: what optimisations did and did not do, with places in the source.
  Expected<CodeData> (*generate)(const CodeInput &input, const CompilerSettings &settings,
                                 std::vector<std::string> *remarks) = nullptr;
  Expected<LoadedCode> (*load)(const CodeData &code, const CodeMemory &memory, bool registerWithDebuggers) = nullptr;
  void (*unload)(void *handle) = nullptr;
  /// The source line of an address inside loaded code (from the object's line table).
  SourceLine (*sourceLine)(const CodeData &code, uint64_t offsetFromEntry) = nullptr;
  /// The lines of an address of a program's or library's file, as the file counts: the innermost of what was inlined
  /// first; none that are not known.
  std::vector<SourceLine> (*hostLines)(const std::string &file, uint64_t address) = nullptr;
};

/// The exported symbol: `extern "C" const CompilerApi *understudy_compiler_api_1()`.
inline constexpr const char *kCompilerApiSymbol = "understudy_compiler_api_1";
using CompilerApiGetter = const CompilerApi *(*)();

} // namespace us::abi
