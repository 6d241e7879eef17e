// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Header libraries declare what assert() calls once more, for host and device, as the host's and the device's header
// for nvcc do. Clang refuses that beside a declaration for the host alone and another for the device. The linker sends
// Clang's calls of the function that refuses here instead (--wrap): such a declaration is one more overload, which
// nobody prefers.
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaCUDA.h>

// A member function is called like a function that gets the object first.
#define US_CHECK_OVERLOAD "_ZN5clang8SemaCUDA19checkTargetOverloadEPNS_12FunctionDeclERKNS_12LookupResultE"

namespace us::frontend::cuda {

void clangsCheckOverload(clang::SemaCUDA *sema, clang::FunctionDecl *declared,
                         const clang::LookupResult &previous) __asm__("__real_" US_CHECK_OVERLOAD);

void checkOverload(clang::SemaCUDA *sema, clang::FunctionDecl *declared,
                   const clang::LookupResult &previous) __asm__("__wrap_" US_CHECK_OVERLOAD);
void checkOverload(clang::SemaCUDA *sema, clang::FunctionDecl *declared, const clang::LookupResult &previous) {
  const clang::IdentifierInfo *const name = declared->getIdentifier();
  if (name && name->isStr("__assert_fail")) return;
  clangsCheckOverload(sema, declared, previous);
}

} // namespace us::frontend::cuda
