// Macros of what we have, and none of what we have not.
//! kernel features
//! options -cl-std=CL3.0
//! global 1
//! arg buffer int 1 expect(1)
#if !defined(__opencl_c_int64) || !defined(__opencl_c_fp64) || !defined(__opencl_c_generic_address_space) ||           \
    !defined(__opencl_c_program_scope_global_variables) || !defined(__opencl_c_atomic_order_acq_rel) ||                \
    !defined(__opencl_c_atomic_order_seq_cst) || !defined(__opencl_c_atomic_scope_device) ||                           \
    !defined(__opencl_c_atomic_scope_all_devices) || !defined(__opencl_c_subgroups) ||                                 \
    !defined(__opencl_c_work_group_collective_functions) || !defined(cl_khr_fp64) || !defined(cl_khr_fp16) ||          \
    !defined(cl_khr_byte_addressable_store) || !defined(cl_khr_int64_base_atomics) || !defined(__ENDIAN_LITTLE__) ||   \
    !defined(cl_khr_expect_assume) || !defined(__opencl_c_images) || !defined(__opencl_c_read_write_images) ||         \
    !defined(__opencl_c_3d_image_writes) || !defined(__IMAGE_SUPPORT__) || !defined(cl_khr_3d_image_writes) ||         \
    !defined(cl_khr_depth_images) || !defined(__opencl_c_pipes) || !defined(__opencl_c_device_enqueue) ||              \
    !defined(cl_khr_subgroups) || !defined(cl_khr_srgb_image_writes) || !defined(cl_intel_subgroups) ||                \
    !defined(cl_khr_mipmap_image) || !defined(cl_khr_mipmap_image_writes)
#error a macro is missing
#endif
#if defined(__SPIR__) || defined(__SPIRV__) || defined(cl_khr_gl_sharing) ||                                           \
    defined(cl_ext_cxx_for_opencl) // "there will be no preprocessor #define matching the extension name string"
#error a macro promises what there is not
#endif
kernel void features(global int *out) { *out = 1; }
