# Links everything so that it runs on machines with an older glibc and nothing else: with the stub libraries of
# US_OLD_GLIBC (old_glibc.py), and the rest but libgcc_s statically. libgcc_s is the build machine's, which refers to
# its own glibc; that of the machine it runs on will do.
add_library(us_newer_functions STATIC icd/wheel/newer_functions.cpp)
# libgcc's own functions, conversions of halves for one, are newer in libgcc_s than those of older machines.
target_link_libraries(us_options INTERFACE us_newer_functions -l:libgcc.a)
target_link_options(us_options INTERFACE -B${US_OLD_GLIBC} -L${US_OLD_GLIBC} -static-libstdc++
  LINKER:--allow-shlib-undefined)

# Found before the shared ones, by -l; LLVM names its own by their paths.
foreach(name IN ITEMS z zstd lz4 xxhash)
  find_library(US_STATIC_${name} NAMES lib${name}.a REQUIRED)
  file(WRITE ${US_OLD_GLIBC}/lib${name}.so "INPUT ( ${US_STATIC_${name}} )\n")
endforeach()
foreach(target IN ITEMS ZLIB::ZLIB zstd::libzstd_shared)
  set(name z)
  if(target MATCHES zstd)
    set(name zstd)
  endif()
  if(TARGET ${target})
    foreach(configuration IN ITEMS "" _RELEASE _NONE _RELWITHDEBINFO)
      set_target_properties(${target} PROPERTIES IMPORTED_LOCATION${configuration} ${US_STATIC_${name}})
    endforeach()
  endif()
endforeach()
