// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/lower_clusters.h"

#include "frontend/cuda/annotations.h"
#include "frontend/cuda/nvvm_annotations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace us::frontend::cuda {
namespace {

/// Three numbers, of which those that are not said are 1; without any the launch has to say them.
std::string directiveOf(const std::vector<uint64_t> &numbers) {
  std::string text = "\n.explicitcluster";
  for (size_t i = 0; i < 3 && !numbers.empty(); ++i)
    text += (i == 0 ? "\n.reqnctapercluster " : ", ") + std::to_string(i < numbers.size() ? numbers[i] : 1);
  return text;
}

} // namespace

llvm::PreservedAnalyses NoteClusters::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  for (const Annotated &kernel : takeAnnotated(module, "us.cluster_dims"))
    directives[kernel.object->getName().str()] = directiveOf(kernel.numbers);
  return llvm::PreservedAnalyses::all();
}

void noteNvvmClusters(llvm::Module &module, ClusterDirectives &directives) {
  std::map<std::string, std::vector<uint64_t>> sizes;
  forEachNvvmAnnotation(module, [&](const NvvmAnnotation &one) {
    if (!one.number) return;
    if (one.name == "cluster_max_blocks")
      one.row.replaceOperandWith(one.place, llvm::MDString::get(module.getContext(), "maxclusterrank"));
    const size_t dimension = one.name.starts_with("cluster_dim_") ? llvm::StringRef("xyz").find(one.name.back()) : 3;
    if (dimension >= 3) return;
    std::vector<uint64_t> &size = sizes[one.of.getName().str()];
    size.resize(3, 1);
    size[dimension] = one.number->getZExtValue();
  });
  for (const auto &[kernel, size] : sizes) directives[kernel] = directiveOf(size);
}

void addDirectives(std::string &ptx, const ClusterDirectives &directives) {
  for (const auto &[kernel, text] : directives) {
    const size_t entry = ptx.find(".entry " + kernel + "("), body = ptx.find("\n{", entry);
    if (entry != std::string::npos && body != std::string::npos) ptx.insert(body, text);
  }
}

} // namespace us::frontend::cuda
