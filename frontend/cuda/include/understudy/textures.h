// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of textures and reads and writes of surfaces, through objects and, before CUDA 12, through references.
#pragma once

#include "texture_types.h"

#if defined(__CUDA__)
#define US_DEVICE static __device__ __forceinline__
#define US_LIST(...) __VA_ARGS__

namespace us_texture {

// What an instruction returns for a texel type: four 32-bit values of the kind of its channels.
template <class T> struct Kind {
  using Channel = decltype(T::x);
  using Fetched = typename Kind<Channel>::Fetched;
};
#define US_KIND(T, FETCHED)                                                                                            \
  template <> struct Kind<T> {                                                                                         \
    using Channel = T;                                                                                                 \
    using Fetched = FETCHED;                                                                                           \
  };
US_KIND(float, float4)
US_KIND(char, int4)
US_KIND(signed char, int4)
US_KIND(short, int4)
US_KIND(int, int4)
US_KIND(long, int4)
US_KIND(unsigned char, uint4)
US_KIND(unsigned short, uint4)
US_KIND(unsigned int, uint4)
US_KIND(unsigned long, uint4)
#undef US_KIND

// The first channels of what was fetched, as T.
template <class T, class F> US_DEVICE T texel(F v) {
  using C = typename Kind<T>::Channel;
  constexpr int n = sizeof(T) / sizeof(C);
  T result;
  C *to = reinterpret_cast<C *>(&result);
  to[0] = static_cast<C>(v.x);
  if constexpr (n > 1) to[1] = static_cast<C>(v.y);
  if constexpr (n > 2) to[2] = static_cast<C>(v.z);
  if constexpr (n > 3) to[3] = static_cast<C>(v.w);
  return result;
}

// In normalized mode the texel is of floats, as many as the type has channels.
template <class T, int n = sizeof(T) / sizeof(typename Kind<T>::Channel)> struct Floats {
  using Type = float;
};
template <class T> struct Floats<T, 2> {
  using Type = float2;
};
template <class T> struct Floats<T, 3> {
  using Type = float3;
};
template <class T> struct Floats<T, 4> {
  using Type = float4;
};

// A reference is a handle for the compiler but not for C++.
template <class H> US_DEVICE unsigned long long handle(H reference) {
  unsigned long long object;
  asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
  return object;
}

#define US_FETCH(NAME, F, PTX, REGISTER, OPERATION, CTYPE, PARAMETERS, COORDINATES, OPERANDS)                          \
  US_DEVICE F NAME(F *, unsigned long long texture, US_LIST PARAMETERS) {                                              \
    F v;                                                                                                               \
    asm(OPERATION ".v4." PTX "." CTYPE " {%0, %1, %2, %3}, [%4, " COORDINATES ";"                                      \
        : "=" REGISTER(v.x), "=" REGISTER(v.y), "=" REGISTER(v.z), "=" REGISTER(v.w)                                   \
        : "l"(texture), US_LIST OPERANDS);                                                                             \
    return v;                                                                                                          \
  }

#if __CUDACC_VER_MAJOR__ < 12
#define US_REFERENCE(NAME, TYPE, PARAMETERS, ARGUMENTS)                                                                \
  template <class T> US_DEVICE T NAME(texture<T, TYPE, cudaReadModeElementType> t, US_LIST PARAMETERS) {               \
    using F = typename us_texture::Kind<T>::Fetched;                                                                   \
    return us_texture::texel<T>(us_texture::NAME((F *)nullptr, us_texture::handle(t), US_LIST ARGUMENTS));             \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  US_DEVICE typename us_texture::Floats<T>::Type NAME(texture<T, TYPE, cudaReadModeNormalizedFloat> t,                 \
                                                      US_LIST PARAMETERS) {                                            \
    return us_texture::texel<typename us_texture::Floats<T>::Type>(                                                    \
        us_texture::NAME((float4 *)nullptr, us_texture::handle(t), US_LIST ARGUMENTS));                                \
  }
#else
#define US_REFERENCE(NAME, TYPE, PARAMETERS, ARGUMENTS)
#endif

// One row for each function: its instruction, the coordinates' type, the parameters, how PTX orders the coordinates.
#define US_TEXTURE(NAME, TYPE, OPERATION, CTYPE, PARAMETERS, ARGUMENTS, COORDINATES, OPERANDS)                         \
  namespace us_texture {                                                                                               \
  US_FETCH(NAME, float4, "f32", "f", OPERATION, CTYPE, PARAMETERS, COORDINATES, OPERANDS)                              \
  US_FETCH(NAME, int4, "s32", "r", OPERATION, CTYPE, PARAMETERS, COORDINATES, OPERANDS)                                \
  US_FETCH(NAME, uint4, "u32", "r", OPERATION, CTYPE, PARAMETERS, COORDINATES, OPERANDS)                               \
  }                                                                                                                    \
  template <class T> US_DEVICE T NAME(cudaTextureObject_t t, US_LIST PARAMETERS) {                                     \
    using F = typename us_texture::Kind<T>::Fetched;                                                                   \
    return us_texture::texel<T>(us_texture::NAME((F *)nullptr, t, US_LIST ARGUMENTS));                                 \
  }                                                                                                                    \
  template <class T> US_DEVICE void NAME(T *result, cudaTextureObject_t t, US_LIST PARAMETERS) {                       \
    *result = NAME<T>(t, US_LIST ARGUMENTS);                                                                           \
  }                                                                                                                    \
  US_REFERENCE(NAME, TYPE, PARAMETERS, ARGUMENTS)

} // namespace us_texture

US_TEXTURE(tex1Dfetch, cudaTextureType1D, "tex.1d", "s32", (int x), (x), "{%5}]", ("r"(x)))
US_TEXTURE(tex1D, cudaTextureType1D, "tex.1d", "f32", (float x), (x), "{%5}]", ("f"(x)))
US_TEXTURE(tex2D, cudaTextureType2D, "tex.2d", "f32", (float x, float y), (x, y), "{%5, %6}]", ("f"(x), "f"(y)))
US_TEXTURE(tex3D, cudaTextureType3D, "tex.3d", "f32", (float x, float y, float z), (x, y, z), "{%5, %6, %7, %7}]",
           ("f"(x), "f"(y), "f"(z)))
US_TEXTURE(tex1DLayered, cudaTextureType1DLayered, "tex.a1d", "f32", (float x, int layer), (x, layer), "{%6, %5}]",
           ("f"(x), "r"(layer)))
US_TEXTURE(tex2DLayered, cudaTextureType2DLayered, "tex.a2d", "f32", (float x, float y, int layer), (x, y, layer),
           "{%7, %5, %6, %6}]", ("f"(x), "f"(y), "r"(layer)))
US_TEXTURE(texCubemap, cudaTextureTypeCubemap, "tex.cube", "f32", (float x, float y, float z), (x, y, z),
           "{%5, %6, %7, %7}]", ("f"(x), "f"(y), "f"(z)))
US_TEXTURE(texCubemapLayered, cudaTextureTypeCubemapLayered, "tex.acube", "f32", (float x, float y, float z, int layer),
           (x, y, z, layer), "{%8, %5, %6, %7}]", ("f"(x), "f"(y), "f"(z), "r"(layer)))

US_TEXTURE(tex1DLod, cudaTextureType1D, "tex.level.1d", "f32", (float x, float level), (x, level), "{%5}], %6",
           ("f"(x), "f"(level)))
US_TEXTURE(tex2DLod, cudaTextureType2D, "tex.level.2d", "f32", (float x, float y, float level), (x, y, level),
           "{%5, %6}], %7", ("f"(x), "f"(y), "f"(level)))
US_TEXTURE(tex3DLod, cudaTextureType3D, "tex.level.3d", "f32", (float x, float y, float z, float level),
           (x, y, z, level), "{%5, %6, %7, %7}], %8", ("f"(x), "f"(y), "f"(z), "f"(level)))
US_TEXTURE(tex1DLayeredLod, cudaTextureType1DLayered, "tex.level.a1d", "f32", (float x, int layer, float level),
           (x, layer, level), "{%6, %5}], %7", ("f"(x), "r"(layer), "f"(level)))
US_TEXTURE(tex2DLayeredLod, cudaTextureType2DLayered, "tex.level.a2d", "f32",
           (float x, float y, int layer, float level), (x, y, layer, level), "{%7, %5, %6, %6}], %8",
           ("f"(x), "f"(y), "r"(layer), "f"(level)))
US_TEXTURE(texCubemapLod, cudaTextureTypeCubemap, "tex.level.cube", "f32", (float x, float y, float z, float level),
           (x, y, z, level), "{%5, %6, %7, %7}], %8", ("f"(x), "f"(y), "f"(z), "f"(level)))
US_TEXTURE(texCubemapLayeredLod, cudaTextureTypeCubemapLayered, "tex.level.acube", "f32",
           (float x, float y, float z, int layer, float level), (x, y, z, layer, level), "{%8, %5, %6, %7}], %9",
           ("f"(x), "f"(y), "f"(z), "r"(layer), "f"(level)))

US_TEXTURE(tex1DGrad, cudaTextureType1D, "tex.grad.1d", "f32", (float x, float dx, float dy), (x, dx, dy),
           "{%5}], {%6}, {%7}", ("f"(x), "f"(dx), "f"(dy)))
US_TEXTURE(tex2DGrad, cudaTextureType2D, "tex.grad.2d", "f32", (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
           "{%5, %6}], {%7, %8}, {%9, %10}", ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
US_TEXTURE(tex3DGrad, cudaTextureType3D, "tex.grad.3d", "f32", (float x, float y, float z, float4 dx, float4 dy),
           (x, y, z, dx, dy), "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
           ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))
US_TEXTURE(tex1DLayeredGrad, cudaTextureType1DLayered, "tex.grad.a1d", "f32", (float x, int layer, float dx, float dy),
           (x, layer, dx, dy), "{%6, %5}], {%7}, {%8}", ("f"(x), "r"(layer), "f"(dx), "f"(dy)))
US_TEXTURE(tex2DLayeredGrad, cudaTextureType2DLayered, "tex.grad.a2d", "f32",
           (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
           "{%7, %5, %6, %6}], {%8, %9}, {%10, %11}",
           ("f"(x), "f"(y), "r"(layer), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))

// Four texels' channel, by the channel's number, which is part of the instruction.
US_TEXTURE(us_gather0, cudaTextureType2D, "tld4.r.2d", "f32", (float x, float y), (x, y), "{%5, %6}]", ("f"(x), "f"(y)))
US_TEXTURE(us_gather1, cudaTextureType2D, "tld4.g.2d", "f32", (float x, float y), (x, y), "{%5, %6}]", ("f"(x), "f"(y)))
US_TEXTURE(us_gather2, cudaTextureType2D, "tld4.b.2d", "f32", (float x, float y), (x, y), "{%5, %6}]", ("f"(x), "f"(y)))
US_TEXTURE(us_gather3, cudaTextureType2D, "tld4.a.2d", "f32", (float x, float y), (x, y), "{%5, %6}]", ("f"(x), "f"(y)))
template <class T> US_DEVICE T tex2Dgather(cudaTextureObject_t t, float x, float y, int channel = 0) {
  return channel == 0   ? us_gather0<T>(t, x, y)
         : channel == 1 ? us_gather1<T>(t, x, y)
         : channel == 2 ? us_gather2<T>(t, x, y)
                        : us_gather3<T>(t, x, y);
}
template <class T> US_DEVICE void tex2Dgather(T *result, cudaTextureObject_t t, float x, float y, int channel = 0) {
  *result = tex2Dgather<T>(t, x, y, channel);
}
#if __CUDACC_VER_MAJOR__ < 12
// Four values, also of a texel type with fewer channels.
namespace us_texture {
template <class T, enum cudaTextureReadMode mode> struct Gathered {
  using Type = float4;
};
template <class T> struct Gathered<T, cudaReadModeElementType> {
  using Type = typename Kind<T>::Fetched;
};
} // namespace us_texture
template <class T, enum cudaTextureReadMode mode>
US_DEVICE typename us_texture::Gathered<T, mode>::Type tex2Dgather(texture<T, cudaTextureType2D, mode> t, float x,
                                                                   float y, int channel = 0) {
  return tex2Dgather<typename us_texture::Gathered<T, mode>::Type>(us_texture::handle(t), x, y, channel);
}
#endif

// ---- surfaces: x counts bytes
// ------------------------------------------------------------------------------------------
namespace us_texture {

// Bits of a texel, by its size.
template <int size> struct Bits;
template <> struct Bits<1> {
  unsigned short x;
};
template <> struct Bits<2> {
  unsigned short x;
};
template <> struct Bits<4> {
  unsigned int x;
};
template <> struct Bits<8> {
  unsigned int x, y;
};
template <> struct Bits<16> {
  unsigned int x, y, z, w;
};

#define US_SURFACE_MODE(SIZE, WIDTH, VALUES, OUTPUTS, INPUTS, OPERATION, MODE, PARAMETERS, COORDINATES, OPERANDS)      \
  asm volatile("suld.b." OPERATION WIDTH MODE " " VALUES ", [%[surface], " COORDINATES "];"                            \
               : US_LIST OUTPUTS                                                                                       \
               : [surface] "l"(surface), US_LIST OPERANDS                                                              \
               : "memory")
#define US_SURFACE_WRITE(SIZE, WIDTH, VALUES, OUTPUTS, INPUTS, OPERATION, MODE, PARAMETERS, COORDINATES, OPERANDS)     \
  asm volatile("sust.b." OPERATION WIDTH MODE " [%[surface], " COORDINATES "], " VALUES ";"                            \
               :                                                                                                       \
               : [surface] "l"(surface), US_LIST OPERANDS, US_LIST INPUTS                                              \
               : "memory")
#define US_SURFACE_SIZE(NAME, SIZE, WIDTH, VALUES, OUTPUTS, INPUTS, OPERATION, PARAMETERS, COORDINATES, OPERANDS)      \
  US_DEVICE void NAME##Read(Bits<SIZE> *v, unsigned long long surface, cudaSurfaceBoundaryMode mode,                   \
                            US_LIST PARAMETERS) {                                                                      \
    if (mode == cudaBoundaryModeTrap)                                                                                  \
      US_SURFACE_MODE(SIZE, WIDTH, VALUES, OUTPUTS, INPUTS, OPERATION, ".trap", PARAMETERS, COORDINATES, OPERANDS);    \
    else if (mode == cudaBoundaryModeClamp)                                                                            \
      US_SURFACE_MODE(SIZE, WIDTH, VALUES, OUTPUTS, INPUTS, OPERATION, ".clamp", PARAMETERS, COORDINATES, OPERANDS);   \
    else                                                                                                               \
      US_SURFACE_MODE(SIZE, WIDTH, VALUES, OUTPUTS, INPUTS, OPERATION, ".zero", PARAMETERS, COORDINATES, OPERANDS);    \
  }                                                                                                                    \
  US_DEVICE void NAME##Write(const Bits<SIZE> *v, unsigned long long surface, cudaSurfaceBoundaryMode mode,            \
                             US_LIST PARAMETERS) {                                                                     \
    if (mode == cudaBoundaryModeTrap)                                                                                  \
      US_SURFACE_WRITE(SIZE, WIDTH, VALUES, OUTPUTS, INPUTS, OPERATION, ".trap", PARAMETERS, COORDINATES, OPERANDS);   \
    else if (mode == cudaBoundaryModeClamp)                                                                            \
      US_SURFACE_WRITE(SIZE, WIDTH, VALUES, OUTPUTS, INPUTS, OPERATION, ".clamp", PARAMETERS, COORDINATES, OPERANDS);  \
    else                                                                                                               \
      US_SURFACE_WRITE(SIZE, WIDTH, VALUES, OUTPUTS, INPUTS, OPERATION, ".zero", PARAMETERS, COORDINATES, OPERANDS);   \
  }
#define US_SURFACE_SIZES(NAME, ...)                                                                                    \
  US_SURFACE_SIZE(NAME, 1, ".b8", "{%[x]}", ([x] "=h"(v->x)), ([x] "h"(v->x)), __VA_ARGS__)                            \
  US_SURFACE_SIZE(NAME, 2, ".b16", "{%[x]}", ([x] "=h"(v->x)), ([x] "h"(v->x)), __VA_ARGS__)                           \
  US_SURFACE_SIZE(NAME, 4, ".b32", "{%[x]}", ([x] "=r"(v->x)), ([x] "r"(v->x)), __VA_ARGS__)                           \
  US_SURFACE_SIZE(NAME, 8, ".v2.b32", "{%[x], %[y]}", ([x] "=r"(v->x), [y] "=r"(v->y)),                                \
                  ([x] "r"(v->x), [y] "r"(v->y)), __VA_ARGS__)                                                         \
  US_SURFACE_SIZE(NAME, 16, ".v4.b32", "{%[x], %[y], %[z], %[w]}",                                                     \
                  ([x] "=r"(v->x), [y] "=r"(v->y), [z] "=r"(v->z), [w] "=r"(v->w)),                                    \
                  ([x] "r"(v->x), [y] "r"(v->y), [z] "r"(v->z), [w] "r"(v->w)), __VA_ARGS__)

#if __CUDACC_VER_MAJOR__ < 12
#define US_SURFACE_REFERENCE(NAME, TYPE, PARAMETERS, ARGUMENTS)                                                        \
  template <class T>                                                                                                   \
  US_DEVICE T NAME##read(surface<void, TYPE> s, US_LIST PARAMETERS,                                                    \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                        \
    return NAME##read<T>(us_texture::handle(s), US_LIST ARGUMENTS, mode);                                              \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  US_DEVICE void NAME##read(T *result, surface<void, TYPE> s, US_LIST PARAMETERS,                                      \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                     \
    *result = NAME##read<T>(us_texture::handle(s), US_LIST ARGUMENTS, mode);                                           \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  US_DEVICE void NAME##write(T value, surface<void, TYPE> s, US_LIST PARAMETERS,                                       \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                    \
    NAME##write<T>(value, us_texture::handle(s), US_LIST ARGUMENTS, mode);                                             \
  }
#else
#define US_SURFACE_REFERENCE(NAME, TYPE, PARAMETERS, ARGUMENTS)
#endif

#define US_SURFACE(NAME, TYPE, OPERATION, PARAMETERS, ARGUMENTS, COORDINATES, OPERANDS)                                \
  namespace us_texture {                                                                                               \
  US_SURFACE_SIZES(NAME, OPERATION, PARAMETERS, COORDINATES, OPERANDS)                                                 \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  US_DEVICE T NAME##read(cudaSurfaceObject_t s, US_LIST PARAMETERS,                                                    \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                        \
    us_texture::Bits<sizeof(T)> bits;                                                                                  \
    us_texture::NAME##Read(&bits, s, mode, US_LIST ARGUMENTS);                                                         \
    T value;                                                                                                           \
    __builtin_memcpy(&value, &bits, sizeof(T));                                                                        \
    return value;                                                                                                      \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  US_DEVICE void NAME##read(T *result, cudaSurfaceObject_t s, US_LIST PARAMETERS,                                      \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                     \
    *result = NAME##read<T>(s, US_LIST ARGUMENTS, mode);                                                               \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  US_DEVICE void NAME##write(T value, cudaSurfaceObject_t s, US_LIST PARAMETERS,                                       \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                    \
    us_texture::Bits<sizeof(T)> bits;                                                                                  \
    __builtin_memcpy(&bits, &value, sizeof(T));                                                                        \
    us_texture::NAME##Write(&bits, s, mode, US_LIST ARGUMENTS);                                                        \
  }                                                                                                                    \
  US_SURFACE_REFERENCE(NAME, TYPE, PARAMETERS, ARGUMENTS)

} // namespace us_texture

US_SURFACE(surf1D, cudaSurfaceType1D, "1d", (int x), (x), "{%[px]}", ([px] "r"(x)))
US_SURFACE(surf2D, cudaSurfaceType2D, "2d", (int x, int y), (x, y), "{%[px], %[py]}", ([px] "r"(x), [py] "r"(y)))
US_SURFACE(surf3D, cudaSurfaceType3D, "3d", (int x, int y, int z), (x, y, z), "{%[px], %[py], %[pz], %[pz]}",
           ([px] "r"(x), [py] "r"(y), [pz] "r"(z)))
US_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, "a1d", (int x, int layer), (x, layer), "{%[layer], %[px]}",
           ([px] "r"(x), [layer] "r"(layer)))
US_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, "a2d", (int x, int y, int layer), (x, y, layer),
           "{%[layer], %[px], %[py], %[py]}", ([px] "r"(x), [py] "r"(y), [layer] "r"(layer)))
// A cube map is an array of its faces.
US_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, "a2d", (int x, int y, int face), (x, y, face),
           "{%[layer], %[px], %[py], %[py]}", ([px] "r"(x), [py] "r"(y), [layer] "r"(face)))
US_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, "a2d", (int x, int y, int layerFace), (x, y, layerFace),
           "{%[layer], %[px], %[py], %[py]}", ([px] "r"(x), [py] "r"(y), [layer] "r"(layerFace)))

#undef US_TEXTURE
#undef US_FETCH
#undef US_REFERENCE
#undef US_SURFACE
#undef US_SURFACE_REFERENCE
#undef US_SURFACE_SIZES
#undef US_SURFACE_SIZE
#undef US_SURFACE_WRITE
#undef US_SURFACE_MODE
#undef US_LIST
#undef US_DEVICE
#endif
