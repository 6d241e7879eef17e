// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups: the barrier of the grid, tiles, and threads that are together.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// values holds two generations, one element for each block.
extern "C" __global__ void rounds(unsigned *values, int count) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ unsigned total;
  const unsigned blocks = unsigned(grid.num_blocks()), me = unsigned(grid.block_rank());
  for (int round = 0; round < count; ++round) {
    const volatile unsigned *before = values + round % 2 * blocks;
    if (block.thread_rank() == 0) total = me;
    block.sync();
    if (block.thread_rank() < blocks) atomicAdd(&total, before[block.thread_rank()]);
    cg::sync(block);
    if (block.thread_rank() == block.num_threads() - 1) values[(round + 1) % 2 * blocks + me] = total;
    grid.sync();
  }
}

struct Wide {
  long long first;
  int second;
  short third;
};

__device__ int greatest(cg::thread_block_tile<8> tile, int value) {
  return cg::reduce(tile, value, cg::greater<int>());
}

extern "C" __global__ void tiles(int *out, const int *values) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(warp);
  const unsigned at = unsigned(cg::this_grid().thread_rank());
  const int value = values[at];
  int *mine = out + at * 9;
  mine[0] = cg::reduce(tile, value, cg::plus<int>());
  mine[1] = greatest(tile, value);
  mine[2] = cg::inclusive_scan(tile, value);
  mine[3] = cg::exclusive_scan(tile, value, cg::plus<int>());
  mine[4] = tile.shfl_xor(value, 3);
  mine[5] = tile.shfl_up(value, 2);
  mine[6] = int(tile.ballot(value & 1));
  mine[7] = int(tile.match_any(value % 3));
  const Wide wide = tile.shfl(Wide{value * 100ll, value * 9, 7}, 5);
  mine[8] = int(wide.first * 10) + wide.third + (wide.second * 100 - int(wide.first) * 9);
}

struct Best {
  long long value;
  int rank;
};

template <class Tile> __device__ void several_warps(int *mine, const Tile &tile, int value) {
  const int rank = int(tile.thread_rank());
  mine[0] = cg::reduce(tile, value, cg::plus<int>());
  const Best best = cg::reduce(tile, Best{value, rank}, [](Best a, Best b) { return b.value > a.value ? b : a; });
  mine[1] = int(best.value) * 1000 + best.rank;
  mine[2] = tile.shfl(value, 37);
  mine[3] = tile.any(value == 100) + 2 * tile.all(value < 95);
  mine[4] = int(tile.meta_group_rank() * 100 + tile.meta_group_size());
  auto small = cg::tiled_partition<16>(tile);
  mine[5] = int(small.meta_group_rank() * 100 + small.meta_group_size());
  mine[6] = cg::inclusive_scan(tile, value, cg::plus<int>());
  mine[7] = cg::exclusive_scan(tile, value);
}

// Blocks of 256 threads, first with memory that the kernel gives them, then with the library's.
extern "C" __global__ void wide_tiles(int *out, const int *values) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int neighbours[256];
  const auto block = cg::this_thread_block(memory);
  const auto half = cg::tiled_partition<128>(block);
  const auto tile = cg::tiled_partition<64>(half);
  const unsigned at = unsigned(cg::this_grid().thread_rank());
  int *mine = out + at * 25;
  several_warps(mine, tile, values[at]);
  several_warps(mine + 8, half, values[at]);
  several_warps(mine + 16, cg::tiled_partition<64>(cg::this_thread_block()), values[at]);
  // What one thread wrote before the barrier, another one of the tile reads behind it.
  int sum = 0;
  for (int turn = 1; turn <= 3; ++turn) {
    neighbours[block.thread_rank()] = values[at] * turn;
    tile.sync();
    sum += neighbours[block.thread_rank() ^ 33];
    cg::sync(tile);
  }
  mine[24] = sum;
}

extern "C" __global__ void together(int *out, int *counter) {
  const unsigned id = threadIdx.x;
  if (id % 3 != 1) return;
  cg::coalesced_group group = cg::coalesced_threads();
  int before = 0;
  if (group.thread_rank() == 0) before = atomicAdd(counter, int(group.size()));
  before = group.shfl(before, 0);
  cg::coalesced_group half = cg::binary_partition(group, id % 2 == 0);
  int *mine = out + 5 * id;
  mine[0] = int(group.num_threads());
  mine[1] = int(group.thread_rank());
  mine[2] = cg::reduce(group, int(id), cg::plus<int>());
  mine[3] = cg::reduce(half, int(id), cg::plus<int>());
  mine[4] = before + int(group.thread_rank());
}
