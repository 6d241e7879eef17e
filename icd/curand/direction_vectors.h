// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Sobol's sequences are made from: for each dimension 32 or 64 vectors, and a word that scrambles.
#pragma once

namespace us::curand {

constexpr unsigned kDimensions = 20000;

// Tables are made once and live as long as the library.
const unsigned *directionVectors32();
const unsigned long long *directionVectors64();
const unsigned *scrambleConstants32();
const unsigned long long *scrambleConstants64();

} // namespace us::curand
