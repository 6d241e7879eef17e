// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the tests of images: short ways to describe and make them.
#pragma once

#include "tests/icd/opencl/opencl_test.h"

#include <array>

namespace us::test {

using Three = std::array<size_t, 3>;

inline cl_image_desc imageOf(cl_mem_object_type type, size_t width, size_t height = 0, size_t depthOrLayers = 0) {
  cl_image_desc description{};
  description.image_type = type;
  description.image_width = width;
  description.image_height = height;
  if (type == CL_MEM_OBJECT_IMAGE3D)
    description.image_depth = depthOrLayers;
  else
    description.image_array_size = depthOrLayers;
  return description;
}

class Images : public OpenCl {
protected:
  cl_mem makeImage(cl_image_desc description, cl_image_format format = {CL_RGBA, CL_UNORM_INT8},
                   cl_mem_flags flags = CL_MEM_READ_WRITE, void *pointer = nullptr) {
    cl_int error = 0;
    cl_mem made = clCreateImage(context, flags, &format, &description, pointer, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseMemObject);
  }
  template <class T> T infoOf(cl_mem image, cl_image_info name) { return ask<T>(clGetImageInfo, name, image); }
};

} // namespace us::test
