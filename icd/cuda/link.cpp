// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuLink*: several PTX texts become one (merge_ptx.h), in a container that the module loader takes.
#include "frontend/cuda/ptx_container.h"
#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/file.h"
#include "icd/cuda/image.h"
#include "icd/cuda/jit_options.h"
#include "icd/cuda/merge_ptx.h"
#include "icd/cuda/module.h"
#include "icd/cuda/ptx_text.h"

#include <algorithm>
#include <chrono>

namespace us::cuda {
namespace {

class LinkState final : public Object {
public:
  LinkState(Context &context, JitOptions options) : context_(&context), options_(std::move(options)) {}

  Context &context() const { return *context_; }
  const JitOptions &options() const { return options_; }

  std::mutex mutex; ///< guards all below
  std::vector<PtxInput> inputs;
  StrongNames strong;
  std::string info, error, image;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

  void writeLogs() {
    options_.write(info, error,
                   std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }

private:
  const Ref<Context> context_;
  const JitOptions options_;
};

auto &states() {
  static auto &set = *new HandleSet<LinkState, CUlinkState>;
  return set;
}

Expected<Ref<LinkState>> stateOf(CUlinkState handle) {
  US_CHECK(checkInitialised());
  Ref<LinkState> state = states().find(handle);
  if (!state) return fail(CUDA_ERROR_INVALID_HANDLE, "the linker's state is not valid");
  return state;
}

/// An H200's driver answers so to what its linker finds, and the log says what.
Expected<void> failLink(LinkState &state, std::string what) {
  state.error += "error: " + what + "\n";
  state.writeLogs();
  return fail(CUDA_ERROR_INVALID_SOURCE, std::move(what));
}

BuildResult compile(LinkState &state, const std::string &text) {
  CompileRequest request;
  request.source = text;
  request.language = SourceLanguage::Ptx;
  return state.context().device().compile(request);
}

/// `registers`: what the linked text says of its kernels, for the image of it is loaded without options.
Expected<void> addText(LinkState &state, const char *name, std::string text, unsigned registers) {
  const PtxOutline outline = outlineOf(text);
  const std::string called = name && *name ? name : format("input {}", state.inputs.size() + 1);
  // What is complete in itself is checked now; the rest once everything is there.
  const bool isOpen = std::any_of(outline.symbols.begin(), outline.symbols.end(), [](const PtxSymbol &symbol) {
    return !symbol.isDefinition && symbol.space != "shared";
  });
  if (!isOpen)
    if (const BuildResult built = compile(state, text); !built) {
      state.error += called + ": " + built.log;
      state.writeLogs();
      return std::unexpected(Error{built.error().code, built.log});
    }
  if (std::string clash = clashOf(outline, called, state.strong); !clash.empty())
    return failLink(state, std::move(clash));
  state.inputs.push_back({called, limitedTo(registers, text)});
  return {};
}

/// The members of an archive, those of them that are images or have some. NVIDIA's device runtime is machine code.
Expected<void> addArchive(LinkState &state, std::string_view bytes, const char *name, unsigned registers) {
  const std::optional<std::vector<std::string>> texts = ptxsOfArchive(bytes);
  if (!texts) return fail(CUDA_ERROR_INVALID_IMAGE, format("{} is no library, or it is damaged", name));
  for (const std::string &ptx : *texts) US_CHECK(addText(state, name, ptx, registers));
  return {};
}

Expected<void> add(LinkState &state, CUjitInputType type, std::string bytes, const char *name,
                   const JitOptions &options) {
  std::lock_guard hold(state.mutex);
  // "Options specified here will override those that were specified for cuLinkCreate."
  const unsigned registers = options.mostRegisters ? options.mostRegisters : state.options().mostRegisters;
  switch (type) {
  case CU_JIT_INPUT_LIBRARY:
    return addArchive(state, bytes, name ? name : "a library", registers);
  case CU_JIT_INPUT_CUBIN:
  case CU_JIT_INPUT_PTX:
  case CU_JIT_INPUT_FATBINARY:
  case CU_JIT_INPUT_OBJECT: {
    const Expected<std::vector<std::string>> texts = ptxsOfLinkerInput(bytes);
    if (!texts) {
      state.error += "error: " + texts.error().message + "\n";
      state.writeLogs();
      return std::unexpected(texts.error());
    }
    for (const std::string &ptx : *texts) US_CHECK(addText(state, name, ptx, registers));
    return {};
  }
  default:
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no kind of input {}", int(type)));
  }
}

} // namespace

Expected<void> linkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *state) {
  US_CHECK(checkOut(state, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(JitOptions read, JitOptions::read(count, options, values));
  *state = states().add(Ref<LinkState>(new LinkState(*context, std::move(read))));
  return {};
}

Expected<void> linkAddData(CUlinkState handle, CUjitInputType type, void *data, size_t size, const char *name,
                           unsigned count, CUjit_option *options, void **values) {
  US_TRY(const Ref<LinkState> state, stateOf(handle));
  US_CHECK(checkOut(data, "the data"));
  US_TRY(const JitOptions read, JitOptions::read(count, options, values));
  return add(*state, type, std::string(static_cast<const char *>(data), size), name, read);
}

Expected<void> linkAddFile(CUlinkState handle, CUjitInputType type, const char *path, unsigned count,
                           CUjit_option *options, void **values) {
  US_TRY(const Ref<LinkState> state, stateOf(handle));
  US_TRY(const JitOptions read, JitOptions::read(count, options, values));
  US_TRY(std::string bytes, readFile(path));
  return add(*state, type, std::move(bytes), path, read);
}

Expected<void> linkComplete(CUlinkState handle, void **image, size_t *size) {
  US_TRY(const Ref<LinkState> state, stateOf(handle));
  US_CHECK(checkOut(image, "the result"));
  std::lock_guard hold(state->mutex);
  std::string text = mergedPtx(state->inputs);
  const BuildResult built = compile(*state, text);
  if (!built) return failLink(*state, "the linked text is not right: " + built.log);
  const PtxText texts[] = {{outlineOf(text).target, 0, text}};
  state->image = writePtxContainer(texts);
  state->info += built.log;
  state->writeLogs();
  // "The image belongs to the state and lives as long as it does."
  *image = state->image.data();
  if (size) *size = state->image.size();
  return {};
}

Expected<void> linkDestroy(CUlinkState handle) {
  US_TRY(const Ref<LinkState> state, stateOf(handle));
  states().remove(handle);
  return {};
}

} // namespace us::cuda
