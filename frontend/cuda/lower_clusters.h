// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <map>
#include <string>

namespace us::frontend::cuda {

/// By kernel, the directives of PTX that LLVM does not write.
using ClusterDirectives = std::map<std::string, std::string>;

/// note_clusters — "__cluster_dims__(x, y, z)", which headers make an annotation ("us.cluster_dims"), is noted.
///
///   before:  an entry of llvm.global.annotations with numbers
///   after:   directives["k"] = ".explicitcluster .reqnctapercluster x, y, z"
struct NoteClusters : llvm::PassInfoMixin<NoteClusters> {
  explicit NoteClusters(ClusterDirectives &directives) : directives(directives) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  ClusterDirectives &directives;
};

/// The same of NVVM IR's annotations "cluster_dim_x", "cluster_dim_y" and "cluster_dim_z". "cluster_max_blocks" becomes
/// "maxclusterrank", as LLVM calls it.
void noteNvvmClusters(llvm::Module &module, ClusterDirectives &directives);

/// Puts them into the text, between the parameters of each kernel and its body.
void addDirectives(std::string &ptx, const ClusterDirectives &directives);

} // namespace us::frontend::cuda
