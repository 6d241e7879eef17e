// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/specialize_images.h"

#include "emulator/abi/image_abi.h"
#include "emulator/codegen/kernel_description.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <vector>

namespace us::codegen {
namespace {

/// Copies of copies: a chain of calls that is deeper (or recursive) goes on with what it has.
constexpr unsigned kDeepest = 12;
/// A copy up to this many instructions is inlined wherever it is called. One format and one sampler with the linear
/// filter need at most 350 (three directions with a border).
constexpr unsigned kInlined = 500;

/// What is known of a parameter: nothing, the format of an image, or all.
struct Fact {
  std::optional<abi::ImageFact> image;
  llvm::Constant *constant = nullptr;

  bool known() const { return image || constant; }
  auto operator<=>(const Fact &) const = default;
};
using Facts = std::vector<Fact>; ///< one per parameter

class Specializer {
public:
  /// Makes use of what is known of the function's parameters, in it and in what it calls.
  void process(llvm::Function &function, const Facts &facts, unsigned depth) {
    const bool library = depth > 0 && isLibrary(function);
    bool folded = false;
    for (llvm::Argument &argument : function.args()) {
      const Fact &fact = facts[argument.getArgNo()];
      if (fact.image) folded |= replaceFields(argument, *fact.image, 0);
      if (!fact.constant || argument.use_empty()) continue;
      argument.replaceAllUsesWith(fact.constant);
      folded = true;
    }
    if (library && folded) fold(function);
    if (depth == kDeepest) return;
    llvm::SmallVector<llvm::CallInst *> calls;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) calls.push_back(call);
    for (llvm::CallInst *call : calls) redirect(*call, facts, depth);
    if (library && function.getInstructionCount() <= kInlined) function.addFnAttr(llvm::Attribute::AlwaysInline);
  }

private:
  /// Programs have line tables, the builtin library has none.
  static bool isLibrary(const llvm::Function &function) { return function.getSubprogram() == nullptr; }

  void redirect(llvm::CallInst &call, const Facts &facts, unsigned depth) {
    llvm::Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || callee->isVarArg()) return;
    Facts passed(callee->arg_size());
    bool any = false;
    for (llvm::Argument &parameter : callee->args()) {
      Fact fact = factOf(call.getArgOperand(parameter.getArgNo()), facts);
      const bool pointer = parameter.getType()->isPointerTy();
      any |= pointer && fact.known();
      // A program's functions would be copied for each number that they are called with.
      if (pointer || isLibrary(*callee)) passed[parameter.getArgNo()] = fact;
    }
    if (any) call.setCalledFunction(&copyFor(*callee, passed, depth));
  }

  llvm::Function &copyFor(llvm::Function &function, const Facts &facts, unsigned depth) {
    auto [place, fresh] = copies_.try_emplace({&function, facts});
    if (!fresh) return *place->second;
    llvm::ValueToValueMapTy values;
    llvm::Function *copy = llvm::CloneFunction(&function, values);
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    copy->removeFnAttr(llvm::Attribute::Cold); // that was said of the whole
    place->second = copy;
    process(*copy, facts, depth + 1);
    return *copy;
  }

  /// What is known of a value, given what is known of the parameters of the function it is in.
  static Fact factOf(llvm::Value *value, const Facts &facts) {
    for (;;) {
      if (auto *argument = llvm::dyn_cast<llvm::Argument>(value)) return facts[argument->getArgNo()];
      if (auto *constant = llvm::dyn_cast<llvm::Constant>(value)) return {std::nullopt, literal(*constant)};
      if (auto *level = llvm::dyn_cast<llvm::GetElementPtrInst>(value); level && isLevel(*level)) {
        value = level->getPointerOperand();
        continue;
      }
      auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
      llvm::Value *stored = load ? onlyContents(*load) : nullptr;
      if (!stored) return {};
      value = stored;
    }
  }

  /// A descriptor behind another: of a level of the same mipmap, which has the same format.
  static bool isLevel(const llvm::GetElementPtrInst &element) {
    const llvm::DataLayout &layout = element.getModule()->getDataLayout();
    return element.getNumIndices() == 1 && element.getSourceElementType()->isStructTy() &&
           layout.getTypeAllocSize(element.getSourceElementType()) == sizeof(abi::ImageDescriptor);
  }

  /// A number, or a sampler's bits.
  static llvm::Constant *literal(llvm::Constant &constant) {
    if (llvm::isa<llvm::ConstantInt>(constant)) return &constant;
    auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
    return expression && expression->getOpcode() == llvm::Instruction::IntToPtr ? expression : nullptr;
  }

  /// The one value that is ever stored in the variable that is loaded: as a front end keeps parameters and constants.
  static llvm::Value *onlyContents(llvm::LoadInst &load) {
    auto *slot = llvm::dyn_cast<llvm::AllocaInst>(load.getPointerOperand());
    if (!slot || slot->getAllocatedType() != load.getType()) return nullptr;
    llvm::Value *stored = nullptr;
    for (llvm::User *user : slot->users()) {
      if (llvm::isa<llvm::LoadInst>(user)) continue;
      if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
          intrinsic && (intrinsic->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic)))
        continue;
      auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (!store || store->getValueOperand() == slot || stored) return nullptr;
      stored = store->getValueOperand();
    }
    // A value that comes from the same variable would lead round and round.
    return stored && !llvm::isa<llvm::LoadInst>(stored) ? stored : nullptr;
  }

  /// Loads of a field that is known become the constant.
  static bool replaceFields(llvm::Value &descriptor, const abi::ImageFact &image, uint64_t offset) {
    const std::pair<uint64_t, uint32_t> fields[] = {{offsetof(abi::ImageDescriptor, order), image.order},
                                                    {offsetof(abi::ImageDescriptor, type), image.type},
                                                    {offsetof(abi::ImageDescriptor, elementSize), image.elementSize}};
    bool any = false;
    for (llvm::User *user : llvm::make_early_inc_range(descriptor.users())) {
      if (auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt distance(64, 0);
        if (element->accumulateConstantOffset(element->getModule()->getDataLayout(), distance))
          any |= replaceFields(*element, image, offset + distance.getZExtValue());
        continue;
      }
      auto *load = llvm::dyn_cast<llvm::LoadInst>(user);
      if (!load || !load->getType()->isIntegerTy(32)) continue;
      for (auto [place, value] : fields)
        if (place == offset) {
          load->replaceAllUsesWith(llvm::ConstantInt::get(load->getType(), value));
          load->eraseFromParent();
          any = true;
          break;
        }
    }
    return any;
  }

  /// Folds what has become constant and removes what cannot be reached any more.
  static void fold(llvm::Function &function) {
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock &block : function) {
        changed |= llvm::SimplifyInstructionsInBlock(&block);
        changed |= llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
      }
      changed |= llvm::removeUnreachableBlocks(function);
    }
  }

  std::map<std::pair<llvm::Function *, Facts>, llvm::Function *> copies_;
};

} // namespace

llvm::PreservedAnalyses SpecializeImages::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  Facts facts(kernel.arg_size());
  bool images = false;
  unsigned place = 0;
  for (llvm::Argument &argument : kernel.args()) {
    const ArgumentKind kind = argumentKind(argument);
    if (kind != ArgumentKind::Image && kind != ArgumentKind::Sampler) continue;
    images |= kind == ArgumentKind::Image;
    if (place == request.specialization.opaque.size()) break;
    const uint16_t bits = request.specialization.opaque[place++];
    if (bits == 0) continue;
    Fact &fact = facts[argument.getArgNo()];
    if (kind == ArgumentKind::Image)
      fact.image = abi::imageFactFrom(bits);
    else
      fact.constant = llvm::ConstantExpr::getIntToPtr(
          llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), abi::samplerBitsFrom(bits)),
          argument.getType());
  }
  if (!images) return llvm::PreservedAnalyses::all();
  Specializer().process(kernel, facts, 0);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
