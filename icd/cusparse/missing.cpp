// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is declared and not made.
#include "icd/cuda/include/cusparse.h"
#include "icd/math/session.h"

#define US_EXPORT extern "C" __attribute__((visibility("default")))

static cusparseStatus_t missing(const char *function) {
  us::math::say(function, "not supported: it is not made yet");
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

#define US_MISSING(SYMBOL, ROUTINE, PARAMETERS, ARGUMENTS)                                                             \
  US_EXPORT cusparseStatus_t SYMBOL PARAMETERS { return missing(#SYMBOL); }
US_CUSPARSE(US_MISSING)

US_EXPORT cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t, int, int64_t) { return missing(__func__); }
US_EXPORT cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t, int, int64_t, int64_t) {
  return missing(__func__);
}
US_EXPORT cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t,
                                                   cusparseConstDnVecDescr_t, const void *, cudaDataType, size_t *) {
  return missing(__func__);
}
US_EXPORT cusparseStatus_t cusparseSpVV(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t,
                                        cusparseConstDnVecDescr_t, void *, cudaDataType, void *) {
  return missing(__func__);
}
#define US_INFO(NAME, TYPE)                                                                                            \
  US_EXPORT cusparseStatus_t cusparseCreate##NAME(TYPE##_t *) { return missing(__func__); }                            \
  US_EXPORT cusparseStatus_t cusparseDestroy##NAME(TYPE##_t) { return missing(__func__); }
US_INFO(Csric02Info, csric02Info)
US_INFO(Bsric02Info, bsric02Info)
US_INFO(Csrilu02Info, csrilu02Info)
US_INFO(Bsrilu02Info, bsrilu02Info)
