// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's txq and suq. The numbers are those of frontend/ptx/textures.cpp.
#include "emulator/builtins/opencl/texture/texture.h"

__attribute__((cold)) uint us_query(ulong handle, uint what) __asm("ptx.query");

// The driver's numbers of filters and addressing are our own.
uint us_query(ulong handle, uint what) {
  us_texture t = (us_texture)handle;
  switch (what) {
  case 0:
    return t->width;
  case 1:
    return t->height;
  case 2:
    return t->depth;
  case 3:
    return t->layers;
  case 4:
    return t->channelOrder;
  case 5:
    return t->channelType;
  case 6:
    return (t->mode & US_LINEAR) != 0;
  case 7:
  case 8:
  case 9:
    return t->mode >> (8 + 2 * (what - 7)) & 3;
  case 10:
    return (t->mode & US_NORMALIZED) != 0;
  case 12:
    return t->levels ? t->levelCount : 1;
  case 13:
    return 1; // samples
  default:
    return 0;
  }
}
