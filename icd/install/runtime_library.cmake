# libunderstudy.so: the runtime, the emulator without its compiler, and what composes them. One in a process, shared by
# the surfaces (libunderstudy-icd.so), which find it beside themselves. No LLVM in it: listing devices must cost nothing.
set(US_PRIVATE_VERSION UNDERSTUDY_PRIVATE_${PROJECT_VERSION})
configure_file(runtime_library.map.in runtime_library.map @ONLY)
set(empty ${CMAKE_CURRENT_BINARY_DIR}/runtime_library.cpp)
if(NOT EXISTS ${empty})
  file(WRITE ${empty} "// All of the library is in the archives it is linked from.\n")
endif()

# What the surfaces use must be visible before the version script can choose; everything else the script hides.
set(parts us_base us_device us_core us_memory us_exec us_profiles us_object_cache us_emulator_device us_forward_loader us_forward_opencl us_compare us_platform)
set_target_properties(${parts} PROPERTIES CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)

add_library(understudy SHARED ${empty})
# All of each archive, since nothing in the library itself refers to it; the libraries they need follow by themselves.
list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
list(JOIN archives "," archives)
target_link_options(understudy PRIVATE LINKER:--whole-archive,${archives},--no-whole-archive)
target_link_libraries(understudy PRIVATE us_options ${parts})
# Users of the library see the headers; the code comes from the library alone.
target_include_directories(understudy INTERFACE ${CMAKE_SOURCE_DIR})
set_target_properties(understudy PROPERTIES LINK_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/runtime_library.map)
target_link_options(understudy PRIVATE
  LINKER:--version-script=${CMAKE_CURRENT_BINARY_DIR}/runtime_library.map
  LINKER:-Bsymbolic-functions # calls within the library stay direct
  LINKER:-z,nodelete          # its threads run until the process ends
  LINKER:--exclude-libs=libboost_context.a)
if(NOT US_SANITIZE) # whose run-time library is part of the program
  target_link_options(understudy PRIVATE LINKER:-z,defs)
endif()
