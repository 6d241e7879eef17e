// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_site.h"

#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>

namespace us::codegen {
namespace {

/// Of a place in a source of which PTX was made: where it is in the PTX; else 0.
unsigned lineOfText(const llvm::DILocation &location) {
  auto *block = llvm::dyn_cast<llvm::DILexicalBlock>(location.getScope());
  const bool isOfPtx = block && block->getSubprogram()->getUnit()->getFilename() == "<ptx>";
  return isOfPtx ? block->getLine() : 0;
}

void describe(const llvm::DILocation &location, llvm::json::Object &into) {
  into["line"] = location.getLine();
  if (location.getColumn()) into["column"] = location.getColumn();
  if (const llvm::StringRef file = location.getFilename(); !file.empty()) into["file"] = file.str();
  if (const unsigned line = lineOfText(location)) into["lineOfPtx"] = line;
  if (const llvm::DISubprogram *function = location.getScope()->getSubprogram())
    into["function"] = function->getName().str();
}

} // namespace

llvm::json::Object sourceSite(const llvm::Instruction &at) {
  llvm::json::Object site;
  const llvm::DILocation *location = at.getDebugLoc();
  if (!location) return site;
  describe(*location, site);
  llvm::json::Array callers;
  while ((location = location->getInlinedAt())) {
    llvm::json::Object caller;
    describe(*location, caller);
    callers.push_back(std::move(caller));
  }
  if (!callers.empty()) site["inlinedFrom"] = std::move(callers);
  return site;
}

void addReads(llvm::json::Object &site, llvm::ArrayRef<llvm::Value *> values) {
  constexpr size_t kMostSteps = 100, kMostReads = 8;
  llvm::SmallSetVector<llvm::Value *, 16> seen;
  for (llvm::Value *value : values)
    if (value) seen.insert(value);
  llvm::json::Array reads;
  for (size_t i = 0; i < seen.size() && i < kMostSteps && reads.size() < kMostReads; ++i) {
    auto *user = llvm::dyn_cast<llvm::User>(seen[i]);
    auto *load = llvm::dyn_cast<llvm::LoadInst>(seen[i]);
    auto *variable = load ? llvm::dyn_cast<llvm::AllocaInst>(withoutSteps(load->getPointerOperand())) : nullptr;
    if (variable) {
      for (llvm::User *use : variable->users())
        if (auto *store = llvm::dyn_cast<llvm::StoreInst>(use); store && store->getPointerOperand() == variable)
          seen.insert(store->getValueOperand());
    } else if (load) {
      if (const llvm::DILocation *place = load->getDebugLoc())
        reads.push_back(llvm::json::Array{place->getLine(), place->getColumn()});
    } else if (user && !llvm::isa<llvm::Constant, llvm::AllocaInst>(user)) {
      for (llvm::Value *operand : user->operands())
        if (!llvm::isa<llvm::BasicBlock, llvm::Function>(operand)) seen.insert(operand);
    }
  }
  if (!reads.empty()) site["from"] = std::move(reads);
}

llvm::Constant *siteText(llvm::Module &module, const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  const std::string name = "us.site." + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
  if (llvm::GlobalVariable *known = module.getNamedGlobal(name)) return known;
  llvm::Constant *bytes = llvm::ConstantDataArray::getString(module.getContext(), text);
  auto *made = new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes, name,
                                        nullptr, llvm::GlobalValue::NotThreadLocal, 2);
  made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  made->setAlignment(llvm::Align(1));
  return made;
}

void createCheckFailed(llvm::IRBuilderBase &builder, abi::CheckKind kind, llvm::json::Object site,
                       llvm::ArrayRef<llvm::Value *> numbers) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  llvm::SmallVector<llvm::Value *, 5> arguments{builder.getInt32(uint32_t(kind)), siteText(module, std::move(site))};
  for (llvm::Value *number : numbers) arguments.push_back(number);
  while (arguments.size() < 5) arguments.push_back(builder.getInt64(0));
  createMachineCall(builder, "check_failed", builder.getVoidTy(), arguments);
}

std::string typeText(const llvm::Type &type, bool isSigned) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    return typeText(*vector->getElementType(), isSigned) + std::to_string(vector->getNumElements());
  if (type.isHalfTy()) return "half";
  if (type.isFloatTy()) return "float";
  if (type.isDoubleTy()) return "double";
  if (type.isPointerTy()) return "pointer";
  const std::string sign = isSigned ? "" : "u";
  if (type.isIntegerTy(8)) return sign + "char";
  if (type.isIntegerTy(16)) return sign + "short";
  if (type.isIntegerTy(32)) return sign + "int";
  if (type.isIntegerTy(64)) return sign + "long";
  return "value";
}

void createRequire(llvm::IRBuilderBase &builder, abi::CheckClass checks, llvm::Value *holds) {
  createMachineCall(builder, "require", builder.getVoidTy(),
                    {builder.getInt32(uint32_t(abi::bitOf(checks))), builder.CreateZExt(holds, builder.getInt32Ty())});
}

} // namespace us::codegen
