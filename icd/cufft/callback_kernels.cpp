// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cufft/callback_kernels.h"

#include <cstdarg>
#include <cstdio>

namespace us::cufft {

const CallbackType kCallbackTypeTable[kCallbackTypes] = {
    {"understudy_cufft_load_complex", "cufftJITCallbackLoadComplex", "PvyS_S_", false, false, false},
    {"understudy_cufft_load_double_complex", "cufftJITCallbackLoadDoubleComplex", "PvyS_S_", false, false, true},
    {"understudy_cufft_load_real", "cufftJITCallbackLoadReal", "PvyS_S_", false, true, false},
    {"understudy_cufft_load_double_real", "cufftJITCallbackLoadDoubleReal", "PvyS_S_", false, true, true},
    {"understudy_cufft_store_complex", "cufftJITCallbackStoreComplex", "Pvy6float2S_S_", true, false, false},
    {"understudy_cufft_store_double_complex", "cufftJITCallbackStoreDoubleComplex", "Pvy7double2S_S_", true, false,
     true},
    {"understudy_cufft_store_real", "cufftJITCallbackStoreReal", "PvyfS_S_", true, true, false},
    {"understudy_cufft_store_double_real", "cufftJITCallbackStoreDoubleReal", "PvydS_S_", true, true, true}};

namespace {

class Text {
public:
  Text(char *text, size_t room, size_t size) : text_(text), room_(room), size_(size) {}
  [[gnu::format(printf, 2, 3)]] void add(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int written = std::vsnprintf(text_ + size_, room_ - size_, format, arguments);
    va_end(arguments);
    size_ += written > 0 && size_t(written) < room_ - size_ ? size_t(written) : 0;
  }
  size_t size() const { return size_; }

private:
  char *text_;
  size_t room_, size_;
};

/// A parameter or result that is a number, as nvcc and Clang pass it: structures as their bytes.
void addNumber(Text &text, const CallbackType &type, const char *name) {
  const unsigned bits = type.isDouble ? 64 : 32;
  if (type.isReal)
    text.add(".param .b%u %s", bits, name);
  else
    text.add(".param .align %u .b8 %s[%u]", bits / 4, name, bits / 4);
}

/// "T load(void *dataIn, size_t offset, void *callerInfo, void *sharedPointer)" and
/// "void store(void *dataOut, size_t offset, T element, void *callerInfo, void *sharedPointer)", by this name.
void addSignature(Text &text, const CallbackType &type, const char *name, const char *number, const char *other) {
  if (!type.isStore) {
    text.add("(");
    addNumber(text, type, number);
    text.add(") ");
  }
  text.add("%s (.param .b64 %s0, .param .b64 %s1, ", name, other, other);
  if (type.isStore) {
    addNumber(text, type, number);
    text.add(", ");
  }
  text.add(".param .b64 %s2, .param .b64 %s3);\n", other, other);
}

} // namespace

size_t beginKernels(char *text, size_t room) {
  Text all(text, room, 0);
  all.add(".version 7.0\n.target sm_50\n.address_size 64\n"
          ".extern .shared .align 16 .b8 understudy_cufft_shared[];\n");
  return all.size();
}

size_t appendKernel(char *text, size_t room, size_t size, int number, const char *function) {
  Text all(text, room, size);
  const CallbackType &type = kCallbackTypeTable[number];
  const unsigned bits = type.isDouble ? 64 : 32;
  const char *const lanes = type.isReal ? "" : ".v2", *const values = type.isReal ? "%x" : "{%x, %y}";
  if (function) {
    all.add(".extern .func ");
    addSignature(all, type, function, "number", "other");
  }
  all.add(".visible .entry %s(.param .align 8 .b8 arguments[%zu])\n{\n"
          ".reg .pred %%p;\n.reg .b32 %%block, %%size, %%thread, %%blocks;\n.reg .f%u %%x, %%y;\n"
          ".reg .b64 %%data, %%numbers, %%info, %%count, %%n<3>, %%stride<3>, %%distance, %%routine, %%shared;\n"
          ".reg .b64 %%i, %%step, %%at, %%left, %%offset, %%place;\n",
          type.kernel, sizeof(CallbackArguments), bits);
  constexpr const char *kFields[] = {"data", "numbers", "info",    "count",   "n0",       "n1",
                                     "n2",   "stride0", "stride1", "stride2", "distance", "routine"};
  static_assert(sizeof kFields / sizeof *kFields * 8 == sizeof(CallbackArguments));
  for (size_t i = 0; i < sizeof kFields / sizeof *kFields; ++i)
    all.add("ld.param.u64 %%%s, [arguments+%zu];\n", kFields[i], i * 8);
  if (!function) {
    all.add("callback: .callprototype ");
    addSignature(all, type, "_", "_", "_");
  }
  all.add("mov.u64 %%shared, understudy_cufft_shared;\ncvta.shared.u64 %%shared, %%shared;\n"
          "mov.u32 %%block, %%ctaid.x;\nmov.u32 %%size, %%ntid.x;\nmov.u32 %%thread, %%tid.x;\n"
          "cvt.u64.u32 %%i, %%thread;\nmad.wide.u32 %%i, %%block, %%size, %%i;\n"
          "mov.u32 %%blocks, %%nctaid.x;\nmul.wide.u32 %%step, %%blocks, %%size;\n"
          "next:\nsetp.ge.u64 %%p, %%i, %%count;\n@%%p bra done;\n"
          "mov.u64 %%left, %%i;\nmov.u64 %%offset, 0;\n");
  // A division takes longer than all the rest.
  for (int dimension = 2; dimension >= 0; --dimension)
    all.add("setp.eq.u64 %%p, %%n%d, 1;\n@%%p bra after%d;\n"
            "rem.u64 %%at, %%left, %%n%d;\ndiv.u64 %%left, %%left, %%n%d;\n"
            "mad.lo.u64 %%offset, %%at, %%stride%d, %%offset;\nafter%d:\n",
            dimension, dimension, dimension, dimension, dimension, dimension);
  all.add("mad.lo.u64 %%offset, %%left, %%distance, %%offset;\nmad.lo.u64 %%place, %%i, %u, %%numbers;\n",
          bits / (type.isReal ? 8 : 4));
  if (type.isStore) all.add("ld.global%s.f%u %s, [%%place];\n", lanes, bits, values);
  all.add("{\n.param .b64 a0;\n.param .b64 a1;\n.param .b64 a2;\n.param .b64 a3;\n");
  addNumber(all, type, "number");
  all.add(";\nst.param.b64 [a0], %%data;\nst.param.b64 [a1], %%offset;\nst.param.b64 [a2], %%info;\n"
          "st.param.b64 [a3], %%shared;\n");
  const char *const callee = function ? function : "%routine", *const prototype = function ? "" : ", callback";
  if (type.isStore)
    all.add("st.param%s.f%u [number], %s;\ncall %s, (a0, a1, number, a2, a3)%s;\n}\n", lanes, bits, values, callee,
            prototype);
  else
    all.add("call (number), %s, (a0, a1, a2, a3)%s;\nld.param%s.f%u %s, [number];\n}\nst.global%s.f%u [%%place], %s;\n",
            callee, prototype, lanes, bits, values, lanes, bits, values);
  all.add("add.u64 %%i, %%i, %%step;\nbra next;\ndone:\nret;\n}\n");
  return all.size();
}

} // namespace us::cufft
