// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/texture_reference.h"

#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/memory.h"
#include "icd/cuda/module.h"

#include <cstring>

namespace us::cuda {
namespace {

auto &textures() {
  static auto &set = *new HandleSet<TextureReference, CUtexref>;
  return set;
}
auto &surfaces() {
  static auto &set = *new HandleSet<SurfaceReference, CUsurfref>;
  return set;
}

/// A reference and its lock.
struct Held {
  Ref<TextureReference> reference;
  std::unique_lock<std::mutex> lock;
  TextureReference *operator->() const { return reference.get(); }
};

Expected<Held> held(CUtexref handle) {
  US_CHECK(currentContext());
  Ref<TextureReference> reference = textures().find(handle);
  if (!reference) return fail(CUDA_ERROR_INVALID_HANDLE, "the texture reference is not valid");
  std::unique_lock lock(reference->mutex);
  return Held{std::move(reference), std::move(lock)};
}

Expected<Ref<SurfaceReference>> surfaceOf(CUsurfref handle) {
  US_CHECK(currentContext());
  Ref<SurfaceReference> reference = surfaces().find(handle);
  if (!reference) return fail(CUDA_ERROR_INVALID_HANDLE, "the surface reference is not valid");
  return reference;
}

/// A variable of the frontend's kinds, by the name that only it has.
Expected<TextureVariable> variableOf(DeviceProgram &program, const char *kind, const std::string &name) {
  Expected<TextureVariable> variable = program.textureVariable(std::string(kind) + "." + name);
  if (!variable && variable.error().code == ErrorCode::InvalidValue)
    return fail(CUDA_ERROR_NOT_FOUND, format("the module has no .{} {}", kind, name));
  return variable;
}

/// The dimension of an addressing mode.
Expected<void> checkDimension(int dimension) {
  if (dimension < 0 || dimension > 2)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no dimension {}", dimension));
  return {};
}

Expected<void> setRows(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *text, CUdeviceptr pointer, size_t pitch,
                       bool checksPitch) {
  US_CHECK(checkOut(text, "the descriptor"));
  US_TRY(const Held reference, held(handle));
  US_CHECK(checkRows(reference->context().device(), pointer, text->Format, text->NumChannels, text->Width, text->Height,
                     pitch, checksPitch));
  reference->source.array = nullptr;
  reference->source.mipmaps = nullptr;
  reference->source.resource = {};
  reference->source.resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  reference->source.resource.res.pitch2D = {pointer, text->Format, text->NumChannels, text->Width, text->Height, pitch};
  reference->format = text->Format;
  reference->channels = text->NumChannels;
  reference->address = pointer;
  reference->isBound = reference->hasChanged = true;
  return {};
}

/// Members of the description that are set and read back as they are.
template <class T, class Member> Expected<void> setMember(CUtexref handle, Member member, const T &value) {
  US_TRY(const Held reference, held(handle));
  reference->source.texture.*member = value;
  reference->hasChanged = true;
  return {};
}
template <class T, class Member> Expected<void> getMember(T *value, CUtexref handle, Member member) {
  US_CHECK(checkOut(value, "the result"));
  US_TRY(const Held reference, held(handle));
  *value = T(reference->source.texture.*member);
  return {};
}

} // namespace

Expected<std::optional<BoundVariable::Change>> BoundVariable::bind(Device &device, TextureRequest request) {
  if (address_ == 0 || (texture_ && request == request_)) return std::nullopt;
  US_TRY(Ref<DeviceTexture> texture, device.createTexture(request));
  request_ = std::move(request);
  Change change{{address_, texture.get()}, texture, std::move(texture_)};
  texture_ = std::move(texture);
  return change;
}

TextureReference::TextureReference(Context &context, const TextureVariable &variable)
    : context_(&context), variable_(variable.address) {
  for (CUaddress_mode &mode : source.texture.addressMode) mode = CU_TR_ADDRESS_MODE_CLAMP;
  if (variable.address == 0) return;
  // What the variable's own text says of its sampler.
  for (unsigned i = 0; i < 3; ++i) source.texture.addressMode[i] = CUaddress_mode(variable.sampling.addressing[i]);
  if (variable.sampling.linear) source.texture.filterMode = CU_TR_FILTER_MODE_LINEAR;
  if (variable.sampling.normalized) source.texture.flags |= CU_TRSF_NORMALIZED_COORDINATES;
}

Expected<std::optional<BoundVariable::Change>> TextureReference::pending() {
  std::lock_guard hold(mutex);
  if (!hasChanged || !isBound) return std::nullopt;
  hasChanged = false;
  if (!source.array && source.resource.resType == CU_RESOURCE_TYPE_LINEAR)
    source.resource.res.linear = {address, format, channels, bytes};
  return variable_.bind(context_->device(), requestOf(source));
}

Expected<std::optional<BoundVariable::Change>> SurfaceReference::pending() {
  std::lock_guard hold(mutex);
  if (!hasChanged || !array) return std::nullopt;
  hasChanged = false;
  return variable_.bind(context_->device(), requestOfSurface(*array));
}

ReferenceTable::~ReferenceTable() {
  for (const auto &[name, reference] : textures_) textures().remove(handleTo<CUtexref>(*reference));
  for (const auto &[name, reference] : surfaces_) surfaces().remove(handleTo<CUsurfref>(*reference));
}

namespace {

/// The one that is known by this name, or a new one for the module's variable.
template <class Reference, class Handles>
Expected<Ref<Reference>> referenceTo(const std::string &name, std::map<std::string, Ref<Reference>> &known,
                                     Handles &handles, const char *kind, Context &context, DeviceProgram &program) {
  if (const auto found = known.find(name); found != known.end()) return found->second;
  US_TRY(const TextureVariable variable, variableOf(program, kind, name));
  Ref<Reference> reference(new Reference(context, variable));
  handles.add(reference);
  known[name] = reference;
  return reference;
}

} // namespace

Expected<Ref<TextureReference>> ReferenceTable::texture(Context &context, DeviceProgram &program,
                                                        const std::string &name) {
  std::lock_guard hold(mutex_);
  return referenceTo(name, textures_, textures(), "texref", context, program);
}

Expected<Ref<SurfaceReference>> ReferenceTable::surface(Context &context, DeviceProgram &program,
                                                        const std::string &name) {
  std::lock_guard hold(mutex_);
  return referenceTo(name, surfaces_, surfaces(), "surfref", context, program);
}

Expected<void> ReferenceTable::bind(Stream &stream) {
  std::lock_guard hold(mutex_);
  const auto put = [&](auto &reference) -> Expected<void> {
    US_TRY(const std::optional<BoundVariable::Change> change, reference.pending());
    if (!change) return {};
    core::CommandRequest request;
    request.command = change->command;
    request.keep.push_back(change->texture);
    if (change->before) request.keep.push_back(change->before);
    return stream.enqueueBetweenAll(std::move(request));
  };
  for (const auto &[name, reference] : textures_) US_CHECK(put(*reference));
  for (const auto &[name, reference] : surfaces_) US_CHECK(put(*reference));
  return {};
}

void forgetReferencesOf(const Context &context) {
  textures().removeIf([&](const TextureReference &reference) { return &reference.context() == &context; });
  surfaces().removeIf([&](const SurfaceReference &reference) { return &reference.context() == &context; });
}

// --- Of modules ---

Expected<void> moduleGetTexRef(CUtexref *handle, CUmodule moduleHandle, const char *name) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkOut(name, "the name"));
  US_CHECK(currentContext());
  US_TRY(const Ref<Module> module, moduleOf(moduleHandle));
  US_TRY(const Ref<DeviceProgram> program, module->programOf(name));
  US_TRY(const Ref<TextureReference> found, module->references.texture(module->context(), *program, name));
  *handle = handleTo<CUtexref>(*found);
  return {};
}

Expected<void> moduleGetSurfRef(CUsurfref *handle, CUmodule moduleHandle, const char *name) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkOut(name, "the name"));
  US_CHECK(currentContext());
  US_TRY(const Ref<Module> module, moduleOf(moduleHandle));
  US_TRY(const Ref<DeviceProgram> program, module->programOf(name));
  US_TRY(const Ref<SurfaceReference> found, module->references.surface(module->context(), *program, name));
  *handle = handleTo<CUsurfref>(*found);
  return {};
}

/// "the texture-reference must be obtained via cuModuleGetTexRef() and the texunit parameter must be set to
/// CU_PARAM_TR_DEFAULT": then it belongs to the function anyway.
Expected<void> paramSetTexRef(CUfunction function, int unit, CUtexref handle) {
  US_CHECK(functionOf(function));
  US_TRY(const Held reference, held(handle));
  if (unit != CU_PARAM_TR_DEFAULT) return fail(CUDA_ERROR_INVALID_VALUE, format("there is no texture unit {}", unit));
  return {};
}

// --- Texture references ---

Expected<void> texRefCreate(CUtexref *handle) {
  US_CHECK(checkOut(handle, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  *handle = textures().add(Ref<TextureReference>(new TextureReference(*context)));
  return {};
}

Expected<void> texRefDestroy(CUtexref handle) {
  US_CHECK(currentContext());
  if (!textures().remove(handle)) return fail(CUDA_ERROR_INVALID_HANDLE, "the texture reference is not valid");
  return {};
}

Expected<void> texRefSetArray(CUtexref handle, CUarray arrayHandle, unsigned flags) {
  US_TRY(const Held reference, held(handle));
  if (flags & ~unsigned(CU_TRSA_OVERRIDE_FORMAT))
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  US_TRY(Ref<Array> array, arrayOf(arrayHandle));
  if (flags & CU_TRSA_OVERRIDE_FORMAT) {
    reference->format = array->description().Format;
    reference->channels = array->description().NumChannels;
  }
  reference->source.resource = {};
  reference->source.resource.resType = CU_RESOURCE_TYPE_ARRAY;
  reference->source.resource.res.array.hArray = arrayHandle;
  reference->source.array = std::move(array);
  reference->source.mipmaps = nullptr;
  reference->isBound = reference->hasChanged = true;
  return {};
}

/// "Binds the CUDA mipmapped array to the texture reference"; the flags must be CU_TRSA_OVERRIDE_FORMAT.
Expected<void> texRefSetMipmappedArray(CUtexref handle, CUmipmappedArray arrayHandle, unsigned flags) {
  US_TRY(const Held reference, held(handle));
  if (flags != CU_TRSA_OVERRIDE_FORMAT) return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x}", flags));
  US_TRY(Ref<MipmappedArray> mipmaps, mipmappedArrayOf(arrayHandle));
  reference->source.resource = {};
  reference->source.resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  reference->source.resource.res.mipmap.hMipmappedArray = arrayHandle;
  reference->source.array = mipmaps->levels()[0];
  reference->format = reference->source.array->description().Format;
  reference->channels = reference->source.array->description().NumChannels;
  reference->source.mipmaps = std::move(mipmaps);
  reference->isBound = reference->hasChanged = true;
  return {};
}

/// "passes back a byte offset in *ByteOffset that must be applied to texture fetches"
Expected<void> texRefSetAddress(size_t *offset, CUtexref handle, CUdeviceptr pointer, size_t bytes) {
  US_TRY(const Held reference, held(handle));
  const Device &device = reference->context().device();
  const uint64_t beyond = pointer % textureAlignment(device);
  if (beyond != 0 && !offset)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is not aligned, and nobody takes the offset", pointer));
  if (pointer != 0) US_CHECK(checkLinear(device, pointer - beyond, reference->format, reference->channels, bytes));
  reference->source.array = nullptr;
  reference->source.mipmaps = nullptr;
  reference->source.resource = {};
  reference->source.resource.resType = CU_RESOURCE_TYPE_LINEAR;
  reference->address = pointer - beyond;
  reference->bytes = pointer == 0 ? 0 : bytes + beyond;
  reference->isBound = reference->hasChanged = true;
  if (offset) *offset = beyond;
  return {};
}

Expected<void> texRefSetAddress2D(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *text, CUdeviceptr pointer,
                                  size_t pitch) {
  return setRows(handle, text, pointer, pitch, true);
}
Expected<void> texRefSetAddress2DOld(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *text, CUdeviceptr pointer,
                                     size_t pitch) {
  return setRows(handle, text, pointer, pitch, false);
}

Expected<void> texRefSetFormat(CUtexref handle, CUarray_format format, int channels) {
  US_TRY(const Held reference, held(handle));
  US_CHECK(checkTexels(format, unsigned(channels)));
  reference->format = format;
  reference->channels = unsigned(channels);
  reference->hasChanged = true;
  return {};
}

Expected<void> texRefSetAddressMode(CUtexref handle, int dimension, CUaddress_mode mode) {
  US_TRY(const Held reference, held(handle));
  US_CHECK(checkDimension(dimension));
  US_CHECK(checkAddressMode(mode));
  reference->source.texture.addressMode[dimension] = mode;
  reference->hasChanged = true;
  return {};
}

Expected<void> texRefSetFilterMode(CUtexref handle, CUfilter_mode mode) {
  US_CHECK(checkFilterMode(mode));
  return setMember(handle, &CUDA_TEXTURE_DESC::filterMode, mode);
}
Expected<void> texRefSetFlags(CUtexref handle, unsigned flags) {
  US_CHECK(checkTextureFlags(flags));
  return setMember(handle, &CUDA_TEXTURE_DESC::flags, flags);
}
Expected<void> texRefSetBorderColor(CUtexref handle, float *color) {
  US_CHECK(checkOut(color, "the color"));
  US_TRY(const Held reference, held(handle));
  std::memcpy(reference->source.texture.borderColor, color, sizeof reference->source.texture.borderColor);
  reference->hasChanged = true;
  return {};
}
Expected<void> texRefSetMaxAnisotropy(CUtexref handle, unsigned anisotropy) {
  return setMember(handle, &CUDA_TEXTURE_DESC::maxAnisotropy, anisotropy);
}
Expected<void> texRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode) {
  US_CHECK(checkFilterMode(mode));
  return setMember(handle, &CUDA_TEXTURE_DESC::mipmapFilterMode, mode);
}
Expected<void> texRefSetMipmapLevelBias(CUtexref handle, float bias) {
  return setMember(handle, &CUDA_TEXTURE_DESC::mipmapLevelBias, bias);
}
Expected<void> texRefSetMipmapLevelClamp(CUtexref handle, float least, float most) {
  US_CHECK(setMember(handle, &CUDA_TEXTURE_DESC::minMipmapLevelClamp, least));
  return setMember(handle, &CUDA_TEXTURE_DESC::maxMipmapLevelClamp, most);
}

Expected<void> texRefGetAddress(CUdeviceptr *pointer, CUtexref handle) {
  US_CHECK(checkOut(pointer, "the result"));
  US_TRY(const Held reference, held(handle));
  if (!reference->isBound || reference->source.array)
    return fail(CUDA_ERROR_INVALID_VALUE, "the texture reference is not bound to memory");
  *pointer = reference->address;
  return {};
}
Expected<void> texRefGetArray(CUarray *array, CUtexref handle) {
  US_CHECK(checkOut(array, "the result"));
  US_TRY(const Held reference, held(handle));
  if (!reference->source.array || reference->source.mipmaps)
    return fail(CUDA_ERROR_INVALID_VALUE, "the texture reference is not bound to an array");
  *array = reference->source.resource.res.array.hArray;
  return {};
}
Expected<void> texRefGetMipmappedArray(CUmipmappedArray *array, CUtexref handle) {
  US_CHECK(checkOut(array, "the result"));
  US_TRY(const Held reference, held(handle));
  if (!reference->source.mipmaps)
    return fail(CUDA_ERROR_INVALID_VALUE, "the texture reference is not bound to a mipmapped array");
  *array = reference->source.resource.res.mipmap.hMipmappedArray;
  return {};
}
Expected<void> texRefGetAddressMode(CUaddress_mode *mode, CUtexref handle, int dimension) {
  US_CHECK(checkOut(mode, "the result"));
  US_TRY(const Held reference, held(handle));
  US_CHECK(checkDimension(dimension));
  *mode = reference->source.texture.addressMode[dimension];
  return {};
}
Expected<void> texRefGetFilterMode(CUfilter_mode *mode, CUtexref handle) {
  return getMember(mode, handle, &CUDA_TEXTURE_DESC::filterMode);
}
Expected<void> texRefGetFormat(CUarray_format *format, int *channels, CUtexref handle) {
  US_TRY(const Held reference, held(handle));
  if (format) *format = reference->format;
  if (channels) *channels = int(reference->channels);
  return {};
}
Expected<void> texRefGetFlags(unsigned *flags, CUtexref handle) {
  return getMember(flags, handle, &CUDA_TEXTURE_DESC::flags);
}
Expected<void> texRefGetBorderColor(float *color, CUtexref handle) {
  US_CHECK(checkOut(color, "the result"));
  US_TRY(const Held reference, held(handle));
  std::memcpy(color, reference->source.texture.borderColor, sizeof reference->source.texture.borderColor);
  return {};
}
Expected<void> texRefGetMaxAnisotropy(int *anisotropy, CUtexref handle) {
  return getMember(anisotropy, handle, &CUDA_TEXTURE_DESC::maxAnisotropy);
}
Expected<void> texRefGetMipmapFilterMode(CUfilter_mode *mode, CUtexref handle) {
  return getMember(mode, handle, &CUDA_TEXTURE_DESC::mipmapFilterMode);
}
Expected<void> texRefGetMipmapLevelBias(float *bias, CUtexref handle) {
  return getMember(bias, handle, &CUDA_TEXTURE_DESC::mipmapLevelBias);
}
Expected<void> texRefGetMipmapLevelClamp(float *least, float *most, CUtexref handle) {
  US_CHECK(getMember(least, handle, &CUDA_TEXTURE_DESC::minMipmapLevelClamp));
  return getMember(most, handle, &CUDA_TEXTURE_DESC::maxMipmapLevelClamp);
}

// --- Surface references ---

Expected<void> surfRefSetArray(CUsurfref handle, CUarray arrayHandle, unsigned flags) {
  US_TRY(const Ref<SurfaceReference> reference, surfaceOf(handle));
  // "Flags must be 0."
  if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  US_TRY(Ref<Array> array, arrayOf(arrayHandle));
  US_CHECK(checkSurface(*array));
  std::lock_guard hold(reference->mutex);
  reference->array = std::move(array);
  reference->hasChanged = true;
  return {};
}

Expected<void> surfRefGetArray(CUarray *array, CUsurfref handle) {
  US_CHECK(checkOut(array, "the result"));
  US_TRY(const Ref<SurfaceReference> reference, surfaceOf(handle));
  std::lock_guard hold(reference->mutex);
  if (!reference->array) return fail(CUDA_ERROR_INVALID_VALUE, "the surface reference is not bound");
  *array = handleOf(*reference->array);
  return {};
}

} // namespace us::cuda
