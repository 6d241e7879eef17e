// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// KeepList: the objects that a command needs alive.
#pragma once

#include "runtime/base/inline_vector.h"
#include "runtime/base/ref.h"

namespace us::core {

using KeepList = InlineVector<Ref<Object>, 4>;

} // namespace us::core
