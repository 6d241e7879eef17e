// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// load: links a relocatable object into the code range of the reserved addresses, and takes it out again.
#include "emulator/codegen/codegen.h"

#include "emulator/codegen/debugger_registration.h"
#include "emulator/codegen/external_symbols.h"
#include "runtime/base/expected.h"

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/Shared/AllocationActions.h>

#include <unistd.h>

namespace us::codegen {
namespace {

namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;

bool has(orc::MemProt all, orc::MemProt one) { return (unsigned(all) & unsigned(one)) != 0; }

struct Pages {
  std::byte *begin = nullptr;
  uint64_t size = 0;
};

/// What unload() needs.
struct Loaded {
  abi::CodeMemory memory;
  Pages pages;
  void *debuggerEntry = nullptr;
};

/// One allocation: code and constants first, which become read-only and executable together, then (rarely) writable
/// data.
class CodeMemoryManager : public jitlink::JITLinkMemoryManager {
public:
  explicit CodeMemoryManager(const abi::CodeMemory &memory) : memory_(memory) {}

  void allocate(const jitlink::JITLinkDylib *, jitlink::LinkGraph &graph, OnAllocatedFunction done) override {
    jitlink::BasicLayout layout(graph);
    const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
    auto isWritable = [](orc::AllocGroup group) { return has(group.getMemProt(), orc::MemProt::Write); };
    uint64_t size = 0;
    llvm::SmallVector<std::pair<jitlink::BasicLayout::Segment *, uint64_t>, 4> places;
    for (bool writable : {false, true}) {
      for (auto &[group, segment] : layout.segments()) {
        if (isWritable(group) != writable) continue;
        size = llvm::alignTo(size, segment.Alignment);
        places.push_back({&segment, size});
        size += segment.ContentSize + segment.ZeroFillSize;
      }
      size = llvm::alignTo(size, page);
      if (!writable) codeSize_ = size;
    }
    pages_ = {memory_.allocate(memory_.user, size), size};
    if (!pages_.begin) return done(llvm::make_error<jitlink::JITLinkError>("no room for machine code is left"));
    for (auto [segment, offset] : places) {
      segment->WorkingMem = reinterpret_cast<char *>(pages_.begin + offset);
      segment->Addr = orc::ExecutorAddr::fromPtr(pages_.begin + offset);
      std::memset(segment->WorkingMem + segment->ContentSize, 0, segment->ZeroFillSize);
    }
    if (llvm::Error error = layout.apply()) return done(std::move(error));
    done(std::make_unique<InFlight>(*this));
  }

  void deallocate(std::vector<FinalizedAlloc> allocations, OnDeallocatedFunction done) override {
    for (FinalizedAlloc &allocation : allocations) allocation.release();
    done(llvm::Error::success());
  }

  /// Gives the pages back unless somebody has taken them over.
  ~CodeMemoryManager() override {
    if (pages_.begin) memory_.release(memory_.user, pages_.begin, pages_.size);
  }
  Pages takePages() { return std::exchange(pages_, {}); }
  uint64_t codeSize() const { return codeSize_; }

private:
  struct InFlight : InFlightAlloc {
    explicit InFlight(CodeMemoryManager &manager) : manager(manager) {}
    void abandon(OnAbandonedFunction done) override { done(llvm::Error::success()); }
    void finalize(OnFinalizedFunction done) override {
      const abi::CodeMemory &memory = manager.memory_;
      if (!memory.makeExecutable(memory.user, manager.pages_.begin, manager.codeSize_))
        return done(llvm::make_error<jitlink::JITLinkError>("machine code could not be made executable"));
      done(FinalizedAlloc(orc::ExecutorAddr::fromPtr(manager.pages_.begin)));
    }
    CodeMemoryManager &manager;
  };

  const abi::CodeMemory &memory_;
  Pages pages_;
  uint64_t codeSize_ = 0;
};

/// What the link found, or why it failed.
struct LinkResult {
  std::byte *entry = nullptr, *codeBegin = nullptr, *codeEnd = nullptr;
  std::vector<std::pair<std::string, uint64_t>> sections; ///< with their addresses
  std::string error;
};

class LinkContext : public jitlink::JITLinkContext {
public:
  LinkContext(CodeMemoryManager &manager, const std::string &symbol, LinkResult &result)
      : JITLinkContext(nullptr), manager_(manager), symbol_(symbol), result_(result) {}

  jitlink::JITLinkMemoryManager &getMemoryManager() override { return manager_; }
  void notifyFailed(llvm::Error error) override { result_.error = llvm::toString(std::move(error)); }

  void lookup(const LookupMap &symbols, std::unique_ptr<jitlink::JITLinkAsyncLookupContinuation> next) override {
    jitlink::AsyncLookupResult found;
    std::string missing;
    for (const auto &[name, flags] : symbols) {
      void *address = externalSymbol({name.data(), name.size()});
      if (!address) missing += " " + name.str();
      found[name] = {orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
    }
    if (missing.empty()) return next->run(std::move(found));
    next->run(llvm::make_error<jitlink::JITLinkError>("the kernel calls functions that do not exist:" + missing));
  }

  llvm::Error notifyResolved(jitlink::LinkGraph &graph) override {
    for (jitlink::Symbol *symbol : graph.defined_symbols())
      if (symbol->hasName() && symbol->getName() == symbol_) result_.entry = symbol->getAddress().toPtr<std::byte *>();
    for (jitlink::Section &section : graph.sections()) {
      const jitlink::SectionRange range(section);
      if (range.empty() || section.getMemLifetime() == orc::MemLifetime::NoAlloc) continue;
      result_.sections.push_back({section.getName().str(), range.getStart().getValue()});
      if (!has(section.getMemProt(), orc::MemProt::Exec)) continue;
      auto *begin = range.getStart().toPtr<std::byte *>(), *end = range.getEnd().toPtr<std::byte *>();
      result_.codeBegin = result_.codeBegin ? std::min(result_.codeBegin, begin) : begin;
      result_.codeEnd = std::max(result_.codeEnd, end);
    }
    return llvm::Error::success();
  }

  void notifyFinalized(jitlink::JITLinkMemoryManager::FinalizedAlloc allocation) override { allocation.release(); }

private:
  CodeMemoryManager &manager_;
  const std::string &symbol_;
  LinkResult &result_;
};

} // namespace

Expected<abi::LoadedCode> load(const abi::CodeData &code, const abi::CodeMemory &memory, bool registerWithDebuggers) {
  llvm::MemoryBufferRef object({code.object.data(), code.object.size()}, code.symbol);
  auto graph = jitlink::createLinkGraphFromObject(object);
  if (!graph) return fail(ErrorCode::Internal, "unreadable machine code: " + llvm::toString(graph.takeError()));
  CodeMemoryManager manager(memory);
  LinkResult result;
  jitlink::link(std::move(*graph), std::make_unique<LinkContext>(manager, code.symbol, result)); // runs to its end here
  if (!result.error.empty()) return fail(ErrorCode::OutOfResources, result.error);
  if (!result.entry) return fail(ErrorCode::Internal, "the machine code does not define " + code.symbol);
  auto *loaded = new Loaded{memory, manager.takePages(), nullptr};
  if (registerWithDebuggers)
    loaded->debuggerEntry = registerObject(code, result.sections, result.entry, result.codeEnd);
  return abi::LoadedCode{result.entry, loaded, result.codeBegin, result.codeEnd};
}

void unload(void *handle) {
  if (!handle) return;
  auto *loaded = static_cast<Loaded *>(handle);
  if (loaded->debuggerEntry) unregisterObject(loaded->debuggerEntry);
  loaded->memory.release(loaded->memory.user, loaded->pages.begin, loaded->pages.size);
  delete loaded;
}

} // namespace us::codegen
