// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the machine's facts from the kernel's files and the processor.
#include "emulator/profiles/machine.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sched.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace us::profiles {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

uint64_t numberIn(const std::string &path) {
  std::ifstream file(path);
  std::string text;
  uint64_t value = kNoLimit;
  // "max" stands for no limit in version 2 of control groups.
  if (file >> text) std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The smallest limit of a group and all above it: each of them holds.
uint64_t limitAlong(const std::string &root, std::string group, const char *file) {
  uint64_t limit = kNoLimit;
  for (;;) {
    limit = std::min(limit, numberIn(root + group + file));
    size_t slash = group.find_last_of('/');
    if (slash == std::string::npos) return limit;
    group.resize(slash);
  }
}

uint64_t controlGroupLimit() {
  uint64_t limit = kNoLimit;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    // "hierarchy:controllers:path"; version 2 has no controllers.
    size_t first = line.find(':'), second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (controllers.empty()) limit = std::min(limit, limitAlong("/sys/fs/cgroup", path, "/memory.max"));
    if (controllers.find("memory") != std::string::npos)
      limit = std::min(limit, limitAlong("/sys/fs/cgroup/memory", path, "/memory.limit_in_bytes"));
  }
  return limit;
}

uint64_t memoryLimit() {
  uint64_t limit = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  limit = std::min(limit, controlGroupLimit());
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    limit = std::min<uint64_t>(limit, space.rlim_cur / 2); // the rest is the program's and ours
  return limit;
}

uint32_t coreCount() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

uint32_t clockRate() {
  uint64_t kilohertz = numberIn("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  if (kilohertz != kNoLimit) return static_cast<uint32_t>(kilohertz / 1000);
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("cpu MHz"))
      if (size_t digit = line.find_first_of("0123456789"); digit != std::string::npos) {
        uint32_t megahertz = 0; // the fraction is of no use
        std::from_chars(line.data() + digit, line.data() + line.size(), megahertz);
        return megahertz;
      }
  return 0;
}

Machine look() {
  Machine found;
  found.cores = coreCount();
  found.memory = memoryLimit();
  found.clockMhz = clockRate();
  for (int name : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL1_DCACHE_SIZE})
    if (long size = sysconf(name); size > 0 && !found.cache) found.cache = static_cast<uint64_t>(size);
#if defined(__x86_64__)
  __builtin_cpu_init();
  found.vectorBits = __builtin_cpu_supports("avx512f") ? 512 : __builtin_cpu_supports("avx2") ? 256 : 128;
  found.fma = __builtin_cpu_supports("fma");
  found.level = __builtin_cpu_supports("x86-64-v4")   ? 4
                : __builtin_cpu_supports("x86-64-v3") ? 3
                : __builtin_cpu_supports("x86-64-v2") ? 2
                                                      : 1;
#else
  found.vectorBits = 128;
  found.fma = true;
#endif
  return found;
}

} // namespace

const Machine &machine() {
  static const Machine found = look();
  return found;
}

std::string processorIdentity() {
#if defined(__x86_64__)
  std::string text = "x86_64";
  auto add = [&text](uint32_t leaf, uint32_t subleaf, uint32_t maskA, uint32_t maskB, uint32_t maskC, uint32_t maskD) {
    uint32_t a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid_count(leaf, subleaf, &a, &b, &c, &d)) return;
    char part[64];
    std::snprintf(part, sizeof(part), " %x.%x.%x.%x", a & maskA, b & maskB, c & maskC, d & maskD);
    text += part;
  };
  constexpr uint32_t kAll = ~0u;
  add(0, 0, 0, kAll, kAll, kAll); // vendor
  add(1, 0, kAll, 0, kAll, kAll); // family, model, stepping, features (EBX names the core that answers)
  add(7, 0, 0, kAll, kAll, kAll); // features
  add(7, 1, kAll, 0, 0, kAll);    // features
  add(0xd, 1, kAll, 0, 0, 0);     // XSAVE's features
  add(0x19, 0, 0, kAll, 0, 0);    // Key Locker
  add(0x24, 0, 0, kAll, 0, 0);    // AVX10
  add(0x80000001, 0, 0, 0, kAll, kAll);
  add(0x80000008, 0, 0, kAll, 0, 0);
  uint32_t a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE)) {
    // Which registers the operating system saves decides whether AVX and AVX-512 are used.
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    text += " " + std::to_string(low & 0xff);
  }
  return text;
#else
  // Without a cheap instruction that tells, the model lines of the kernel's list do.
  std::string text;
  utsname name{};
  if (uname(&name) == 0) text = name.machine;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line) && !line.empty();)
    if (line.starts_with("CPU") || line.starts_with("Features") || line.starts_with("isa")) text += " " + line;
  return text;
#endif
}

} // namespace us::profiles
