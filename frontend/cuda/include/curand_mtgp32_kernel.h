/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   The last file that Clang's own header for CUDA includes, with other meanings of dim3 and uint3: what of ours has to
   be behind Clang's. There is no Mersenne twister for devices. */
#if defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__) && !defined(UNDERSTUDY_BEHIND_CLANGS_HEADERS)
#define UNDERSTUDY_BEHIND_CLANGS_HEADERS
#pragma push_macro("dim3")
#pragma push_macro("uint3")
#undef dim3
#undef uint3
#include "understudy/reductions.h"

#include "understudy/math.h"

#include "cuda_device_runtime_api.h"
#include "understudy/atomics.h"
#include "understudy/ordered_atomics.h"
#include "understudy/runtime_overloads.h"
#include "understudy/textures.h"
#pragma pop_macro("dim3")
#pragma pop_macro("uint3")
#endif
