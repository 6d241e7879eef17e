// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/lower_clusters.h"

#include "frontend/cuda/annotations.h"

namespace us::frontend::cuda {

llvm::PreservedAnalyses NoteClusters::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  for (const Annotated &kernel : takeAnnotated(module, "us.cluster_dims")) {
    std::string text = "\n.explicitcluster";
    // Without numbers the launch has to say them.
    for (size_t i = 0; i < 3 && !kernel.numbers.empty(); ++i)
      text +=
          (i == 0 ? "\n.reqnctapercluster " : ", ") + std::to_string(i < kernel.numbers.size() ? kernel.numbers[i] : 1);
    directives[kernel.object->getName().str()] = text;
  }
  return llvm::PreservedAnalyses::all();
}

void addDirectives(std::string &ptx, const ClusterDirectives &directives) {
  for (const auto &[kernel, text] : directives) {
    const size_t entry = ptx.find(".entry " + kernel + "("), body = ptx.find("\n{", entry);
    if (entry != std::string::npos && body != std::string::npos) ptx.insert(body, text);
  }
}

} // namespace us::frontend::cuda
