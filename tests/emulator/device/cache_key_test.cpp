// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever changes in a description of what is to be made, the key is another one.
#include "emulator/device/cache_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

namespace us::emulator {
namespace {

/// So many initializers an aggregate takes, which is how many fields it has.
struct Any {
  template <class T> operator T() const;
};
template <class Aggregate, class... Fields> constexpr size_t fieldCount() {
  if constexpr (requires { Aggregate{Fields{}..., Any{}}; })
    return fieldCount<Aggregate, Fields..., Any>();
  else
    return sizeof...(Fields);
}

template <class Description> using Change = std::function<void(Description &)>;

/// `keyOf` gives another key after each change, and the changes are of every field.
template <class Description, class KeyOf>
void expectEachFieldCounts(const Description &plain, const std::vector<Change<Description>> &changes, KeyOf keyOf) {
  EXPECT_GE(changes.size(), fieldCount<Description>()) << "a field has no change here";
  std::set<CacheKey> keys = {keyOf(plain)};
  EXPECT_TRUE(keys.contains(keyOf(plain)));
  for (size_t i = 0; i < changes.size(); ++i) {
    Description changed = plain;
    changes[i](changed);
    EXPECT_TRUE(keys.insert(keyOf(changed)).second) << "change " << i;
  }
}

TEST(KeyBuilder, PartsDoNotRunTogether) {
  EXPECT_EQ(KeyBuilder().add("ab").add("c").key(), KeyBuilder().add("ab").add("c").key());
  EXPECT_NE(KeyBuilder().add("ab").add("c").key(), KeyBuilder().add("a").add("bc").key());
  EXPECT_EQ(KeyBuilder().add("x").key().size(), 32u);
}

TEST(CacheKey, ARequestCountsWhole) {
  const CompileRequest plain{"source", "-w", {{"a.h", "text"}}, true, SourceLanguage::OpenClC, {{1, {std::byte{2}}}}};
  expectEachFieldCounts<CompileRequest>(
      plain,
      {[](CompileRequest &r) { r.source = "Source"; }, [](CompileRequest &r) { r.options = ""; },
       [](CompileRequest &r) { r.headers.clear(); }, [](CompileRequest &r) { r.headers[0].name = "b.h"; },
       [](CompileRequest &r) { r.headers[0].text = "other"; }, [](CompileRequest &r) { r.link = false; },
       [](CompileRequest &r) { r.language = SourceLanguage::SpirV; },
       [](CompileRequest &r) { r.language = SourceLanguage::Ptx; },
       [](CompileRequest &r) { r.specializations.clear(); }, [](CompileRequest &r) { r.specializations[0].id = 2; },
       [](CompileRequest &r) { r.specializations[0].bytes = {std::byte{3}}; }},
      [](const CompileRequest &request) { return compileKey("id", request, {}); });
  EXPECT_NE(compileKey("id", plain, {}), compileKey("other compiler", plain, {}));
}

TEST(CacheKey, TheFactsOfTheDeviceCountWhole) {
  expectEachFieldCounts<LanguageFacts>(
      {},
      {[](LanguageFacts &f) { f.extensions = {"a"}; }, [](LanguageFacts &f) { f.features = {"a"}; },
       [](LanguageFacts &f) { f.openclVersion = 300; }, [](LanguageFacts &f) { f.hasFma = false; },
       [](LanguageFacts &f) { f.localMemory = 1; }, [](LanguageFacts &f) { f.maxProgramVariable = 1; },
       [](LanguageFacts &f) { f.keepsNames = true; }},
      [](const LanguageFacts &facts) { return compileKey("id", {}, facts); });
}

TEST(CacheKey, WhatIsLinkedCountsInItsOrder) {
  abi::ModuleData a, b, other;
  a.ir = {'a'};
  b.ir = {'b'};
  other.ir = {'a'};
  other.options = "-cl-mad-enable";
  expectEachFieldCounts<abi::LinkInput>({{&a, &b}, ""},
                                        {[&](abi::LinkInput &input) { input.inputs = {&b, &a}; },
                                         [&](abi::LinkInput &input) { input.inputs = {&a}; },
                                         [&](abi::LinkInput &input) { input.inputs = {&other, &b}; },
                                         [](abi::LinkInput &input) { input.options = "-create-library"; }},
                                        [](const abi::LinkInput &input) { return linkKey("id", input, {}); });
  EXPECT_NE(linkKey("id", {{&a}, ""}, {}), linkKey("id", {{&a}, ""}, {{}, {}, true, 1}));
}

TEST(CacheKey, ASpecializationCountsWhole) {
  const CacheKey program = programKey({});
  expectEachFieldCounts<abi::Specialization>(
      {},
      {[](abi::Specialization &s) { s.tier = abi::Tier::Fiber; },
       [](abi::Specialization &s) { s.target = abi::Target::Avx2; }, [](abi::Specialization &s) { s.baseline = true; },
       [](abi::Specialization &s) { s.workDimensions = 2; }, [](abi::Specialization &s) { s.localSize[0] = 1; },
       [](abi::Specialization &s) { s.localSize[1] = 1; }, [](abi::Specialization &s) { s.localSize[2] = 1; },
       [](abi::Specialization &s) { s.subGroupSize = 16; }, [](abi::Specialization &s) { s.smallIndex = true; },
       [](abi::Specialization &s) { s.zeroOffset = true; }, [](abi::Specialization &s) { s.ragged = true; },
       [](abi::Specialization &s) { s.instrumentation = 1; },
       [](abi::Specialization &s) { s.vectorPlan = abi::VectorPlan::Never; },
       [](abi::Specialization &s) { s.exhaustive = 1; }, [](abi::Specialization &s) { s.followed = 1; },
       [](abi::Specialization &s) { s.copied = 1; }, [](abi::Specialization &s) { s.tellsAccesses = true; },
       [](abi::Specialization &s) { s.opaque.front() = 1; }, [](abi::Specialization &s) { s.opaque.back() = 1; }},
      [&](const abi::Specialization &wanted) { return codeKey("id", program, "kernel", wanted); });
  EXPECT_NE(codeKey("id", program, "a", {}), codeKey("id", program, "b", {}));
  EXPECT_NE(codeKey("id", "1", "a", {}), codeKey("id", "2", "a", {}));
}

} // namespace
} // namespace us::emulator
