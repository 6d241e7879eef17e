// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups: the block, its cluster, the grid, tiles of a warp, and the threads that happen to be together.
//
// The barrier of the grid lives in the workspace that the driver gives a cooperative launch: %envreg1 and %envreg2 hold
// the high and the low half of its address, 0 in other launches. Its first 32-bit word is its size, the second one is
// the barrier: each block adds 1 to it, but block 0 adds 2^31 - (blocks - 1), so that its highest bit changes when all
// have come.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__) // to other compilers it has nothing to say

namespace cooperative_groups {
// Header libraries declare groups by this name before they know of them.
namespace __v1 {

#define US_CG static __device__ __forceinline__
#define US_CG_MEMBER __device__ __forceinline__

namespace details {

struct grid_workspace {
  unsigned int size, barrier;
};

US_CG unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
US_CG unsigned int lanes_below() { return (1u << lane()) - 1; }

US_CG unsigned int thread_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
US_CG unsigned int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
US_CG unsigned int block_in_grid() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
US_CG unsigned int blocks_of_grid() { return gridDim.x * gridDim.y * gridDim.z; }

US_CG grid_workspace *workspace() {
  unsigned int high = 0, low = 0;
#if defined(__CUDA__)
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
#endif
  return reinterpret_cast<grid_workspace *>(static_cast<unsigned long long>(high) << 32 | low);
}

US_CG unsigned int arrive_at_grid() {
  grid_workspace *const place = workspace();
  if (!place) __trap(); // not a cooperative launch
  __threadfence();
  return atomicAdd(&place->barrier, block_in_grid() == 0 ? 0x80000001u - blocks_of_grid() : 1u);
}
US_CG void wait_for_grid(unsigned int before) {
  volatile unsigned int *const barrier = &workspace()->barrier;
  while (((before ^ *barrier) & 0x80000000u) == 0) {
  }
  __threadfence();
}

/// The lane of the n-th thread of a mask.
US_CG unsigned int nth_lane(unsigned int mask, unsigned int n) {
  for (; n > 0; --n) mask &= mask - 1;
  return static_cast<unsigned int>(__ffs(static_cast<int>(mask))) - 1;
}

/// A shuffle of any type that is copied byte by byte, 32 bits at a time. `from` is a lane.
template <class T> US_CG T shuffle(unsigned int mask, const T &value, unsigned int from) {
  static_assert(__is_trivially_copyable(T), "shuffles take types that are copied byte by byte");
  constexpr unsigned int kWords = (sizeof(T) + 3) / 4;
  unsigned int words[kWords] = {};
  memcpy(words, &value, sizeof(T));
  for (unsigned int i = 0; i < kWords; ++i)
    words[i] = static_cast<unsigned int>(__shfl_sync(mask, static_cast<int>(words[i]), static_cast<int>(from)));
  T result;
  memcpy(&result, words, sizeof(T));
  return result;
}

enum class kind : unsigned char { block, tile };

/// What tiles of several warps share: an arrival counter for each such tile of a block, of whatever size, and room for
/// a value of each warp. `Warps` is that of the largest block.
struct tile_scratch {
  static constexpr unsigned int kLargestValue = 32, kTiles = 32;
  unsigned int arrivals[kTiles];
};
template <unsigned int Warps> struct alignas(16) tile_scratch_of : tile_scratch {
  unsigned char values[Warps * kLargestValue];
};
US_CG void clear(tile_scratch *scratch) {
  __syncthreads(); // nobody uses it
  for (unsigned int i = thread_in_block(); i < tile_scratch::kTiles; i += threads_of_block()) scratch->arrivals[i] = 0;
  __syncthreads();
}

} // namespace details

/// What a program gives a block for its tiles of several warps.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory : details::tile_scratch_of<(MaxBlockSize + 31) / 32> {};

/// Any group: what the others become when their kind is forgotten.
class thread_group {
public:
  US_CG_MEMBER void sync() const {
    if (kind_ == details::kind::block)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  US_CG_MEMBER unsigned int num_threads() const {
    return kind_ == details::kind::block ? details::threads_of_block() : static_cast<unsigned int>(__popc(int(mask_)));
  }
  US_CG_MEMBER unsigned long long size() const { return num_threads(); }
  US_CG_MEMBER unsigned long long thread_rank() const {
    return kind_ == details::kind::block ? details::thread_in_block()
                                         : static_cast<unsigned int>(__popc(int(mask_ & details::lanes_below())));
  }
  US_CG_MEMBER bool is_valid() const { return true; }

protected:
  US_CG_MEMBER explicit thread_group(details::kind kind, unsigned int mask) : kind_(kind), mask_(mask) {}
  friend US_CG_MEMBER thread_group tiled_partition(const thread_group &parent, unsigned int size);

  details::kind kind_;
  unsigned int mask_; ///< of a warp's lanes
};

class thread_block : public thread_group {
public:
  struct arrival_token {};
  static US_CG_MEMBER void sync() { __syncthreads(); }
  static US_CG_MEMBER arrival_token barrier_arrive() { return {}; }
  static US_CG_MEMBER void barrier_wait(arrival_token &&) { __syncthreads(); }
  static US_CG_MEMBER unsigned int thread_rank() { return details::thread_in_block(); }
  static US_CG_MEMBER unsigned int num_threads() { return details::threads_of_block(); }
  static US_CG_MEMBER unsigned int size() { return details::threads_of_block(); }
  static US_CG_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static US_CG_MEMBER dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static US_CG_MEMBER dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static US_CG_MEMBER dim3 dim_threads() { return group_dim(); }
  /// All threads come here: of the block's own where the program gave none.
  US_CG_MEMBER details::tile_scratch *us_scratch() const {
    if (scratch_) return scratch_;
    static __shared__ details::tile_scratch_of<32> own;
    details::clear(&own);
    return &own;
  }

private:
  US_CG_MEMBER explicit thread_block(details::tile_scratch *scratch)
      : thread_group(details::kind::block, 0), scratch_(scratch) {}
  friend US_CG_MEMBER thread_block this_thread_block();
  template <unsigned int Size> friend US_CG_MEMBER thread_block this_thread_block(block_tile_memory<Size> &memory);

  details::tile_scratch *scratch_;
};
US_CG_MEMBER thread_block this_thread_block() { return thread_block(nullptr); }
/// All threads come here.
template <unsigned int MaxBlockSize>
US_CG_MEMBER thread_block this_thread_block(block_tile_memory<MaxBlockSize> &memory) {
  details::clear(&memory);
  return thread_block(&memory);
}

class grid_group {
public:
  struct arrival_token {
    unsigned int before;
  };
  static US_CG_MEMBER bool is_valid() { return details::workspace() != nullptr; }
  static US_CG_MEMBER arrival_token barrier_arrive() {
    __syncthreads();
    return {details::thread_in_block() == 0 ? details::arrive_at_grid() : 0};
  }
  static US_CG_MEMBER void barrier_wait(arrival_token &&token) {
    if (details::thread_in_block() == 0) details::wait_for_grid(token.before);
    __syncthreads();
  }
  static US_CG_MEMBER void sync() { barrier_wait(barrier_arrive()); }
  static US_CG_MEMBER unsigned long long thread_rank() {
    return static_cast<unsigned long long>(details::block_in_grid()) * details::threads_of_block() +
           details::thread_in_block();
  }
  static US_CG_MEMBER unsigned long long num_threads() {
    return static_cast<unsigned long long>(details::blocks_of_grid()) * details::threads_of_block();
  }
  static US_CG_MEMBER unsigned long long size() { return num_threads(); }
  static US_CG_MEMBER unsigned long long block_rank() { return details::block_in_grid(); }
  static US_CG_MEMBER unsigned long long num_blocks() { return details::blocks_of_grid(); }
  static US_CG_MEMBER dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static US_CG_MEMBER dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static US_CG_MEMBER dim3 group_dim() { return dim_blocks(); }

private:
  US_CG_MEMBER grid_group() {}
  friend US_CG_MEMBER grid_group this_grid();
};
US_CG_MEMBER grid_group this_grid() { return grid_group(); }

#if UNDERSTUDY_ARCH >= 900
#define _CG_HAS_CLUSTER_GROUP
namespace details {
#define US_CLUSTER_REGISTER(function, name)                                                                            \
  US_CG unsigned int function() {                                                                                      \
    unsigned int value;                                                                                                \
    asm("mov.u32 %0, %%" name ";" : "=r"(value));                                                                      \
    return value;                                                                                                      \
  }
US_CLUSTER_REGISTER(rank_in_cluster, "cluster_ctarank")
US_CLUSTER_REGISTER(blocks_of_cluster, "cluster_nctarank")
US_CLUSTER_REGISTER(cluster_block_x, "cluster_ctaid.x")
US_CLUSTER_REGISTER(cluster_block_y, "cluster_ctaid.y")
US_CLUSTER_REGISTER(cluster_block_z, "cluster_ctaid.z")
US_CLUSTER_REGISTER(cluster_blocks_x, "cluster_nctaid.x")
US_CLUSTER_REGISTER(cluster_blocks_y, "cluster_nctaid.y")
US_CLUSTER_REGISTER(cluster_blocks_z, "cluster_nctaid.z")
#undef US_CLUSTER_REGISTER
} // namespace details

/// The blocks that run together and reach each other's shared memory.
class cluster_group {
public:
  struct arrival_token {};
  static US_CG_MEMBER arrival_token barrier_arrive() {
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    return {};
  }
  static US_CG_MEMBER void barrier_wait() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }
  static US_CG_MEMBER void barrier_wait(arrival_token &&) { barrier_wait(); }
  static US_CG_MEMBER void sync() {
    barrier_arrive();
    barrier_wait();
  }
  static US_CG_MEMBER unsigned int query_shared_rank(const void *address) {
    unsigned int rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
    return rank;
  }
  template <class T> static US_CG_MEMBER T *map_shared_rank(T *address, int rank) {
    T *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(rank));
    return there;
  }
  static US_CG_MEMBER dim3 block_index() {
    return dim3(details::cluster_block_x(), details::cluster_block_y(), details::cluster_block_z());
  }
  static US_CG_MEMBER unsigned int block_rank() { return details::rank_in_cluster(); }
  static US_CG_MEMBER dim3 dim_blocks() {
    return dim3(details::cluster_blocks_x(), details::cluster_blocks_y(), details::cluster_blocks_z());
  }
  static US_CG_MEMBER unsigned int num_blocks() { return details::blocks_of_cluster(); }
  static US_CG_MEMBER dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  static US_CG_MEMBER unsigned int thread_rank() {
    return block_rank() * details::threads_of_block() + details::thread_in_block();
  }
  static US_CG_MEMBER dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static US_CG_MEMBER unsigned int num_threads() { return num_blocks() * details::threads_of_block(); }
  static US_CG_MEMBER unsigned int size() { return num_threads(); }

private:
  US_CG_MEMBER cluster_group() {}
  friend US_CG_MEMBER cluster_group this_cluster();
};
US_CG_MEMBER cluster_group this_cluster() { return cluster_group(); }
#endif

namespace details {

/// Lanes of one warp, with what they can do together. Ranks count the mask's lanes.
class lanes : public thread_group {
public:
  US_CG_MEMBER void sync() const { __syncwarp(mask_); }
  US_CG_MEMBER unsigned int thread_rank() const {
    return static_cast<unsigned int>(__popc(int(mask_ & lanes_below())));
  }
  US_CG_MEMBER unsigned int num_threads() const { return static_cast<unsigned int>(__popc(int(mask_))); }
  US_CG_MEMBER unsigned int size() const { return num_threads(); }

  template <class T> US_CG_MEMBER T shfl(T value, int from) const {
    return shuffle(mask_, value, nth_lane(mask_, static_cast<unsigned int>(from) % num_threads()));
  }
  /// Threads without a partner keep their own.
  template <class T> US_CG_MEMBER T shfl_up(T value, unsigned int distance) const {
    const unsigned int rank = thread_rank();
    return shuffle(mask_, value, nth_lane(mask_, rank < distance ? rank : rank - distance));
  }
  template <class T> US_CG_MEMBER T shfl_down(T value, unsigned int distance) const {
    const unsigned int rank = thread_rank();
    return shuffle(mask_, value, nth_lane(mask_, rank + distance < num_threads() ? rank + distance : rank));
  }
  US_CG_MEMBER int any(int predicate) const { return __ballot_sync(mask_, predicate) != 0; }
  US_CG_MEMBER int all(int predicate) const { return __ballot_sync(mask_, predicate) == mask_; }
  /// A bit for each rank.
  US_CG_MEMBER unsigned int ballot(int predicate) const { return by_rank(__ballot_sync(mask_, predicate)); }
  template <class T> US_CG_MEMBER unsigned int match_any(T value) const { return by_rank(equals(value)); }
  template <class T> US_CG_MEMBER unsigned int match_all(T value, int &predicate) const {
    predicate = __all_sync(mask_, equals(value) == mask_);
    return predicate ? by_rank(mask_) : 0;
  }
  US_CG_MEMBER unsigned int us_mask() const { return mask_; }

protected:
  US_CG_MEMBER explicit lanes(unsigned int mask) : thread_group(kind::tile, mask) {}
  US_CG_MEMBER unsigned int by_rank(unsigned int bits) const {
    unsigned int result = 0, place = 1;
    for (unsigned int rest = mask_; rest != 0; rest &= rest - 1, place <<= 1)
      if (bits & rest & (0u - rest)) result |= place;
    return result;
  }
  /// The lanes that have the same value.
  template <class T> US_CG_MEMBER unsigned int equals(const T &value) const {
    unsigned int same = 0;
    for (unsigned int rest = mask_; rest != 0; rest &= rest - 1) {
      const unsigned int from = static_cast<unsigned int>(__ffs(int(rest))) - 1;
      same |= shuffle(mask_, value, from) == value ? 1u << from : 0u;
    }
    return same;
  }
};

/// Where a thread is in a tile, and the tile among those of its parent.
template <unsigned int Size> class tile_place {
public:
  static US_CG_MEMBER unsigned int num_threads() { return Size; }
  static US_CG_MEMBER unsigned int size() { return Size; }
  static US_CG_MEMBER unsigned int thread_rank() { return thread_in_block() & (Size - 1); }
  US_CG_MEMBER unsigned int meta_group_rank() const { return thread_in_block() % parent_ / Size; }
  US_CG_MEMBER unsigned int meta_group_size() const { return (parent_ + Size - 1) / Size; }

protected:
  US_CG_MEMBER explicit tile_place(unsigned int parent) : parent_(parent) {}

private:
  unsigned int parent_; ///< its threads
};

template <unsigned int Size> class tile : public lanes, public tile_place<Size> {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "tiles are of 1, 2, 4, 8, 16 or 32 threads");

public:
  using tile_place<Size>::num_threads;
  using tile_place<Size>::size;
  using tile_place<Size>::thread_rank;
  template <class T> US_CG_MEMBER T shfl(T value, int from) const {
    return shuffle(mask_, value, first() + (static_cast<unsigned int>(from) & (Size - 1)));
  }
  template <class T> US_CG_MEMBER T shfl_up(T value, unsigned int distance) const {
    const unsigned int rank = thread_rank();
    return shuffle(mask_, value, first() + (rank < distance ? rank : rank - distance));
  }
  template <class T> US_CG_MEMBER T shfl_down(T value, unsigned int distance) const {
    const unsigned int rank = thread_rank();
    return shuffle(mask_, value, first() + (rank + distance < Size ? rank + distance : rank));
  }
  template <class T> US_CG_MEMBER T shfl_xor(T value, unsigned int bits) const {
    return shuffle(mask_, value, first() + ((thread_rank() ^ bits) & (Size - 1)));
  }
  US_CG_MEMBER unsigned int ballot(int predicate) const { return __ballot_sync(mask_, predicate) >> first(); }
  template <class T> US_CG_MEMBER unsigned int match_any(T value) const { return equals(value) >> first(); }

protected:
  US_CG_MEMBER explicit tile(unsigned int parent) : lanes(here()), tile_place<Size>(parent) {}
  static US_CG_MEMBER unsigned int first() { return lane() & ~(Size - 1); }
  /// The last tile of a block may lack threads.
  static US_CG_MEMBER unsigned int here() {
    const unsigned int begin = thread_in_block() & ~(Size - 1), left = threads_of_block() - begin;
    return (left < Size ? (1u << left) - 1 : 0xffffffffu >> (32 - Size)) << first();
  }
};

/// The calling thread's warp.
struct warp : tile<32> {
  US_CG_MEMBER warp() : tile<32>(threads_of_block()) {}
};

/// A tile of several warps. They meet at a counter of arrivals, and exchange values by shared memory.
template <unsigned int Size> class wide_tile : public tile_place<Size> {
  static_assert(Size > 32 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "tiles of several warps are of 64 to 1024 threads");

public:
  US_CG_MEMBER void sync() const {
    const warp mine;
    mine.sync();
    if (lane() == 0) {
      // Counters count on: each barrier is over at the next multiple of the number of warps.
      unsigned int *const arrivals = &scratch_->arrivals[1024 / Size + thread_in_block() / Size];
      __threadfence_block();
      const unsigned int end = (atomicAdd(arrivals, 1u) / us_warps() + 1) * us_warps();
      while (static_cast<int>(*static_cast<volatile unsigned int *>(arrivals) - end) < 0) {
      }
      __threadfence_block();
    }
    mine.sync();
  }
  using tile_place<Size>::num_threads;
  using tile_place<Size>::size;
  using tile_place<Size>::thread_rank;

  template <class T> US_CG_MEMBER T shfl(T value, int from) const {
    if (thread_rank() == (static_cast<unsigned int>(from) & (Size - 1))) us_give(value, 0);
    sync();
    const T result = us_given<T>(0);
    sync();
    return result;
  }
  US_CG_MEMBER int any(int predicate) const { return us_warps_with(predicate) != 0; }
  US_CG_MEMBER int all(int predicate) const { return us_warps_with(!predicate) == 0; }

  /// Into the place of one of the tile's warps.
  template <class T> US_CG_MEMBER void us_give(const T &value, unsigned int warp) const {
    static_assert(__is_trivially_copyable(T) && sizeof(T) <= tile_scratch::kLargestValue,
                  "tiles of several warps exchange values of up to 32 bytes that are copied byte by byte");
    memcpy(place(warp), &value, sizeof(T));
  }
  template <class T> US_CG_MEMBER T us_given(unsigned int warp) const {
    T value;
    memcpy(&value, place(warp), sizeof(T));
    return value;
  }
  /// Its own warps: the last tile of a block may lack some.
  static US_CG_MEMBER unsigned int us_warps() {
    const unsigned int left = threads_of_block() - (thread_in_block() & ~(Size - 1));
    return ((left < Size ? left : Size) + 31) / 32;
  }
  US_CG_MEMBER tile_scratch *us_scratch() const { return scratch_; }

protected:
  US_CG_MEMBER explicit wide_tile(unsigned int parent, tile_scratch *scratch)
      : tile_place<Size>(parent), scratch_(scratch) {}
  US_CG_MEMBER unsigned char *place(unsigned int warp) const {
    return reinterpret_cast<unsigned char *>(scratch_) + sizeof(tile_scratch) +
           (thread_in_block() / Size * (Size / 32) + warp) * tile_scratch::kLargestValue;
  }
  US_CG_MEMBER unsigned int us_warps_with(int predicate) const {
    const int here = warp().any(predicate);
    if (lane() == 0) us_give(here, thread_rank() / 32);
    sync();
    unsigned int count = 0;
    for (unsigned int i = 0; i < us_warps(); ++i) count += us_given<int>(i) != 0;
    sync();
    return count;
  }

  tile_scratch *scratch_;
};

template <bool IsWide, unsigned int Size> struct tile_kind {
  typedef tile<Size> type;
};
template <unsigned int Size> struct tile_kind<true, Size> {
  typedef wide_tile<Size> type;
};
template <unsigned int Size> using tile_of = typename tile_kind<(Size > 32), Size>::type;

} // namespace details

template <unsigned int Size, class Parent = void> class thread_block_tile : public details::tile_of<Size> {
public:
  /// Functions take tiles without a word about their parents.
  template <class Other>
  US_CG_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &other) : details::tile_of<Size>(other) {}

private:
  template <class... Arguments>
  US_CG_MEMBER explicit thread_block_tile(unsigned int parent, Arguments... arguments)
      : details::tile_of<Size>(parent, arguments...) {}
  template <unsigned int S, class P> friend US_CG_MEMBER thread_block_tile<S, P> tiled_partition(const P &parent);
};

namespace details {
template <class Group> struct is_wide {
  static constexpr bool value = false;
};
template <unsigned int Size, class Parent> struct is_wide<thread_block_tile<Size, Parent>> {
  static constexpr bool value = Size > 32;
};
} // namespace details

/// `parent` is the block, or a tile of at least that size. All its threads come here for tiles of several warps.
template <unsigned int Size, class Parent>
US_CG_MEMBER thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
  const unsigned int threads = static_cast<unsigned int>(parent.num_threads());
  if constexpr (Size > 32)
    return thread_block_tile<Size, Parent>(threads, parent.us_scratch());
  else
    return thread_block_tile<Size, Parent>(threads);
}

/// The threads that are together here.
class coalesced_group : public details::lanes {
public:
  US_CG_MEMBER unsigned int meta_group_rank() const { return rank_; }
  US_CG_MEMBER unsigned int meta_group_size() const { return groups_; }

private:
  US_CG_MEMBER explicit coalesced_group(unsigned int mask, unsigned int rank = 0, unsigned int groups = 1)
      : lanes(mask), rank_(rank), groups_(groups) {}
  friend US_CG_MEMBER coalesced_group coalesced_threads();
  template <class Label, class Group>
  friend US_CG_MEMBER coalesced_group labeled_partition(const Group &parent, Label label);
  friend US_CG_MEMBER coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size);

  unsigned int rank_, groups_;
};
US_CG_MEMBER coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

US_CG_MEMBER thread_group tiled_partition(const thread_group &parent, unsigned int size) {
  const bool isBlock = parent.kind_ == details::kind::block;
  const unsigned int rank = static_cast<unsigned int>(parent.thread_rank()), begin = rank - rank % size;
  unsigned int mask = isBlock ? 0xffffffffu : parent.mask_;
  // Those of the parent with ranks from `begin` on, at most `size` of them.
  unsigned int chosen = 0, place = isBlock ? begin - begin % 32 : 0;
  const unsigned int end = begin + size < parent.num_threads() ? begin + size : parent.num_threads();
  for (; mask != 0; mask &= mask - 1, ++place)
    if (place >= begin && place < end) chosen |= mask & (0u - mask);
  return thread_group(details::kind::tile, chosen);
}
US_CG_MEMBER coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size) {
  const unsigned int rank = parent.thread_rank(), begin = rank - rank % size;
  unsigned int chosen = 0, place = 0;
  for (unsigned int mask = parent.us_mask(); mask != 0; mask &= mask - 1, ++place)
    if (place >= begin && place < begin + size) chosen |= mask & (0u - mask);
  return coalesced_group(chosen, rank / size, (parent.num_threads() + size - 1) / size);
}

/// Those of the parent, lanes of a warp, that have the same label.
template <class Label, class Group> US_CG_MEMBER coalesced_group labeled_partition(const Group &parent, Label label) {
  const unsigned int all = parent.us_mask();
  unsigned int mine = 0, before = 0, groups = 0;
  // Label by label, in the order of their first lanes.
  for (unsigned int rest = all; rest != 0; ++groups) {
    const unsigned int from = static_cast<unsigned int>(__ffs(int(rest))) - 1;
    const unsigned int same = __ballot_sync(all, details::shuffle(all, label, from) == label);
    if (same >> details::lane() & 1) {
      mine = same;
      before = groups;
    }
    rest &= ~same;
  }
  return coalesced_group(mine, before, groups);
}
template <class Group> US_CG_MEMBER coalesced_group binary_partition(const Group &parent, bool predicate) {
  return labeled_partition(parent, predicate);
}

template <class Group> US_CG_MEMBER void sync(const Group &group) { group.sync(); }
template <class Group> US_CG_MEMBER void synchronize(const Group &group) { group.sync(); }
template <class Group> US_CG_MEMBER auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> US_CG_MEMBER auto group_size(const Group &group) { return group.size(); }

/// One thread of the group calls it.
template <class Group, class Function, class... Arguments>
US_CG_MEMBER void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments &&>(arguments)...);
}
/// And all have what it returned.
template <class Group, class Function, class... Arguments>
US_CG_MEMBER auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments) {
  decltype(function(static_cast<Arguments &&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

#undef US_CG
#undef US_CG_MEMBER

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#include "cooperative_groups/functors.h"
#endif
