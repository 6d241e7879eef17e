// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang 19 has no dynamic parallelism: it refuses a kernel's name in device code, in overload resolution and again
// where the name is used, and has no option that lets it through. Its code generation would do. The linker sends
// Clang's calls of the two functions that refuse here instead (--wrap), and a kernel's name in device code is as good
// as in host code; everything else is Clang's own answer. docs/decisions/0035-dynamic-parallelism.md
#include <clang/Basic/Cuda.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaCUDA.h>

// A member function is called like a function that gets the object first.
#define US_PREFERENCE "_ZN5clang8SemaCUDA18IdentifyPreferenceEPKNS_12FunctionDeclES3_"
#define US_CHECK_CALL "_ZN5clang8SemaCUDA9CheckCallENS_14SourceLocationEPNS_12FunctionDeclE"

namespace us::frontend::cuda {
namespace {
using clang::FunctionDecl;
using clang::SemaCUDA;
using Target = clang::CUDAFunctionTarget;

bool namesKernelOnDevice(SemaCUDA &sema, const FunctionDecl *caller, const FunctionDecl *callee) {
  if (!caller || !callee || sema.IdentifyTarget(callee) != Target::Global) return false;
  const Target target = sema.IdentifyTarget(caller);
  return target == Target::Global || target == Target::Device ||
         (target == Target::HostDevice && sema.getLangOpts().CUDAIsDevice);
}
} // namespace

SemaCUDA::CUDAFunctionPreference clangsPreference(SemaCUDA *sema, const FunctionDecl *caller,
                                                  const FunctionDecl *callee) __asm__("__real_" US_PREFERENCE);
bool clangsCheckCall(SemaCUDA *sema, clang::SourceLocation place,
                     FunctionDecl *callee) __asm__("__real_" US_CHECK_CALL);

SemaCUDA::CUDAFunctionPreference preference(SemaCUDA *sema, const FunctionDecl *caller,
                                            const FunctionDecl *callee) __asm__("__wrap_" US_PREFERENCE);
SemaCUDA::CUDAFunctionPreference preference(SemaCUDA *sema, const FunctionDecl *caller, const FunctionDecl *callee) {
  return namesKernelOnDevice(*sema, caller, callee) ? SemaCUDA::CFP_Native : clangsPreference(sema, caller, callee);
}

bool checkCall(SemaCUDA *sema, clang::SourceLocation place, FunctionDecl *callee) __asm__("__wrap_" US_CHECK_CALL);
bool checkCall(SemaCUDA *sema, clang::SourceLocation place, FunctionDecl *callee) {
  const FunctionDecl *caller = sema->SemaRef.getCurFunctionDecl(/*AllowLambda=*/true);
  if (!namesKernelOnDevice(*sema, caller, callee)) return clangsCheckCall(sema, place, callee);
  // As NVIDIA's compilers, but for functions that are the host's as well: who launches in them asks where he runs.
  if (!sema->getLangOpts().GPURelocatableDeviceCode && sema->IdentifyTarget(caller) != Target::HostDevice)
    sema->Diag(place, sema->getDiagnostics().getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                             "kernel launch from a __device__ or __global__ function "
                                                             "requires separate compilation (-rdc=true or -dc)"));
  return true;
}

} // namespace us::frontend::cuda
