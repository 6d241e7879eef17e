// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images. No device has them yet: these make the API's checks and return its error for that case.
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"

namespace us::opencl {
namespace {

/// "CL_INVALID_OPERATION if there are no devices in context that support images".
Expected<cl_mem> refuseImage(cl_context context) {
  // "CL_INVALID_CONTEXT if context is not a valid context."
  US_CHECK(contextFrom(context));
  return fail(ErrorCode::InvalidOperation, "the context has no device with images");
}

/// "CL_INVALID_OPERATION if the device associated with command_queue does not support images".
Expected<void> refuse(cl_command_queue queue, cl_uint count, const cl_event *list) {
  US_TRY(ClQueue & known, queueFrom(queue));
  US_CHECK(waitListFrom(*known.context, count, list));
  return fail(ErrorCode::InvalidOperation, "the device has no images");
}

} // namespace

// clCreateImage
Expected<cl_mem> createImage(cl_context context, cl_mem_flags, const cl_image_format *, const cl_image_desc *, void *) {
  return refuseImage(context);
}

// clCreateImageWithProperties
Expected<cl_mem> createImageWithProperties(cl_context context, const cl_mem_properties *, cl_mem_flags,
                                           const cl_image_format *, const cl_image_desc *, void *) {
  return refuseImage(context);
}

// clCreateImage2D
Expected<cl_mem> createImage2D(cl_context context, cl_mem_flags, const cl_image_format *, size_t, size_t, size_t,
                               void *) {
  return refuseImage(context);
}

// clCreateImage3D
Expected<cl_mem> createImage3D(cl_context context, cl_mem_flags, const cl_image_format *, size_t, size_t, size_t,
                               size_t, size_t, void *) {
  return refuseImage(context);
}

// clGetSupportedImageFormats
Expected<void> getSupportedImageFormats(cl_context context, cl_mem_flags, cl_mem_object_type type, cl_uint entries,
                                        cl_image_format *formats, cl_uint *count) {
  US_CHECK(contextFrom(context));
  // "CL_INVALID_VALUE if flags or image_type are not valid, or if num_entries is 0 and image_formats is not NULL."
  if (type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return fail(ErrorCode::InvalidValue, icd::format("{:#x} is no image type", type));
  if (entries == 0 && formats) return fail(ErrorCode::InvalidValue, "no room for formats was given");
  if (count) *count = 0;
  return {};
}

// clGetImageInfo
Expected<void> getImageInfo(cl_mem image, cl_image_info, size_t, void *, size_t *) {
  // "CL_INVALID_MEM_OBJECT if image is a not a valid image object."
  US_CHECK(fromHandle<ClMem>(image));
  return fail(ErrorCode::InvalidMemObject, "the memory object is a buffer");
}

// clEnqueueReadImage
Expected<void> enqueueReadImage(cl_command_queue queue, cl_mem, cl_bool, const size_t *, const size_t *, size_t, size_t,
                                void *, cl_uint count, const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueWriteImage
Expected<void> enqueueWriteImage(cl_command_queue queue, cl_mem, cl_bool, const size_t *, const size_t *, size_t,
                                 size_t, const void *, cl_uint count, const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueCopyImage
Expected<void> enqueueCopyImage(cl_command_queue queue, cl_mem, cl_mem, const size_t *, const size_t *, const size_t *,
                                cl_uint count, const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueCopyImageToBuffer
Expected<void> enqueueCopyImageToBuffer(cl_command_queue queue, cl_mem, cl_mem, const size_t *, const size_t *, size_t,
                                        cl_uint count, const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueCopyBufferToImage
Expected<void> enqueueCopyBufferToImage(cl_command_queue queue, cl_mem, cl_mem, size_t, const size_t *, const size_t *,
                                        cl_uint count, const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueFillImage
Expected<void> enqueueFillImage(cl_command_queue queue, cl_mem, const void *, const size_t *, const size_t *,
                                cl_uint count, const cl_event *list, cl_event *) {
  return refuse(queue, count, list);
}

// clEnqueueMapImage
Expected<void *> enqueueMapImage(cl_command_queue queue, cl_mem, cl_bool, cl_map_flags, const size_t *, const size_t *,
                                 size_t *, size_t *, cl_uint count, const cl_event *list, cl_event *) {
  US_CHECK(refuse(queue, count, list));
  return nullptr;
}

} // namespace us::opencl
