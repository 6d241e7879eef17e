// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the archive that programs are linked with asks of libstdc++ that those before GCC 11 do not have. Weak: of a
// newer one it is the same.
#include <bits/functexcept.h>

namespace std {

[[gnu::weak]] void __throw_bad_array_new_length() { __throw_bad_alloc(); }

} // namespace std
