/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What this driver has beside CUDA's own functions. Real drivers do not: look it up before use.
 *
 *   void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
 *   cuUnderstudySetFindingCallback_t *set = dlsym(driver, "cuUnderstudySetFindingCallback");
 *   if (set) set(found, NULL);
 */
#ifndef UNDERSTUDY_H
#define UNDERSTUDY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called with each finding (UNDERSTUDY_CHECK), once in a process, when the launch that has it ends, or the call is made
 * that is wrong, but not when the process ends: a sentence, and `size` bytes of JSON with all that is known
 * (docs/howto/check.md, "finding"). Both end with a zero byte and are gone afterwards. It is called on whatever thread
 * ran the kernel or made the call, perhaps on several at once, and may call no function of CUDA. */
typedef void (*UnderstudyFindingCallback)(const char *sentence, const char *json, size_t size, void *userData);

/* Sets the callback of the process; NULL: there is none. May be called at any time, also before cuInit. */
typedef void cuUnderstudySetFindingCallback_t(UnderstudyFindingCallback callback, void *userData);
void cuUnderstudySetFindingCallback(UnderstudyFindingCallback callback, void *userData);

#ifdef __cplusplus
}
#endif
#endif
