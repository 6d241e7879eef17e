/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   What clients ask of libcurand's host side: versions and the tables of quasi-random generators. Written for this
   project from public documentation. */
#ifndef UNDERSTUDY_CURAND_H
#define UNDERSTUDY_CURAND_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum curandStatus { CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_OUT_OF_RANGE = 104 } curandStatus_t;
typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

curandStatus_t curandGetVersion(int *version);
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set);
curandStatus_t curandGetScrambleConstants32(unsigned int **constants);
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants);

#ifdef __cplusplus
}
#endif

#endif
