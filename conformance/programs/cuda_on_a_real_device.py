# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs of CUDA's Python libraries, each compared with NumPy. For a machine with a GPU: run it plainly and
under `understudy run`, where libcuda.so.1 is ours and forwards, and compare. Libraries that are not there are skipped.

    cuda_on_a_real_device.py            all; prints a line each, exit status 1 if one fails
    cuda_on_a_real_device.py NAME       one, in this process
"""
import importlib.util
import os
import subprocess
import sys
import time

import numpy as np

RNG = np.random.default_rng(1)


def close(got, expected, tolerance=1e-4):
    error = np.abs(np.asarray(got, np.float64) - expected).max() / max(np.abs(expected).max(), 1e-30)
    assert error < tolerance, f"off by {error}"


def torch_matmul():
    import torch

    a, b = RNG.random((512, 384), np.float32), RNG.random((384, 256), np.float32)
    torch.backends.cuda.matmul.allow_tf32 = False
    close((torch.from_numpy(a).cuda() @ torch.from_numpy(b).cuda()).cpu().numpy(), a.astype(np.float64) @ b)


def torch_convolution():
    import torch

    torch.backends.cudnn.allow_tf32 = False
    x, w = torch.randn(4, 8, 32, 32), torch.randn(16, 8, 3, 3)
    on_gpu = torch.nn.functional.conv2d(x.cuda(), w.cuda(), padding=1).cpu()
    close(on_gpu.numpy(), torch.nn.functional.conv2d(x.double(), w.double(), padding=1).numpy())


def torch_graph():
    import torch

    x = torch.ones(1 << 16, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        y = torch.relu(x * 2 - 1) + 1
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = torch.relu(x * 2 - 1) + 1
    x.copy_(torch.full((1 << 16,), 3.0))
    graph.replay()
    close(y.cpu().numpy(), np.full(1 << 16, 6.0))


def torch_training():
    import torch

    torch.manual_seed(0)
    x = torch.randn(256, 10)
    target = x.sum(1, keepdim=True)
    model = torch.nn.Sequential(torch.nn.Linear(10, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1)).cuda()
    step = torch.optim.Adam(model.parameters(), 0.01)
    losses = []
    for _ in range(100):
        loss = torch.nn.functional.mse_loss(model(x.cuda()), target.cuda())
        step.zero_grad()
        loss.backward()
        step.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 20, losses[::20]


def cupy_arrays():
    import cupy

    a = RNG.random((300, 300))
    close(cupy.asnumpy(cupy.linalg.inv(cupy.asarray(a))) @ a, np.eye(300), 1e-6)
    close(cupy.asnumpy(cupy.fft.fft(cupy.asarray(a)).real), np.fft.fft(a).real, 1e-9)
    assert int(cupy.arange(100000).sum()) == 4999950000


def cupy_raw_kernel():
    import cupy

    kernel = cupy.RawKernel(
        """extern "C" __global__ void axpy(float a, const float *x, float *y, int n) {
             int i = blockIdx.x * blockDim.x + threadIdx.x;
             if (i < n) y[i] += a * x[i];
           }""",
        "axpy",
    )
    x, y = RNG.random(10001, np.float32), RNG.random(10001, np.float32)
    on_gpu = cupy.asarray(y)
    kernel((40,), (256,), (np.float32(2.5), cupy.asarray(x), on_gpu, np.int32(10001)))
    close(cupy.asnumpy(on_gpu), y + np.float32(2.5) * x, 1e-6)


def numba_kernel():
    from numba import cuda

    @cuda.jit
    def scale(values, factor):
        i = cuda.grid(1)
        if i < values.size:
            values[i] *= factor

    values = RNG.random(5000)
    on_gpu = cuda.to_device(values)
    scale[20, 256](on_gpu, 3.0)
    close(on_gpu.copy_to_host(), values * 3, 1e-12)


def triton_kernel():
    import torch
    import triton
    import triton.language as tl

    globals()["tl"] = tl

    @triton.jit
    def add(x, y, out, n, block: tl.constexpr):
        at = tl.program_id(0) * block + tl.arange(0, block)
        tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)

    x, y = torch.rand(5001, device="cuda"), torch.rand(5001, device="cuda")
    out = torch.empty_like(x)
    add[(triton.cdiv(5001, 256),)](x, y, out, 5001, 256)
    close(out.cpu().numpy(), (x + y).cpu().numpy(), 1e-6)


def jax_function():
    import jax

    a = RNG.random((200, 200), np.float32)
    with jax.default_matmul_precision("highest"):
        close(jax.jit(lambda m: jax.numpy.tanh(m @ m).sum(0))(a), np.tanh(a.astype(np.float64) @ a).sum(0))


PROGRAMS = {
    "torch": [torch_matmul, torch_convolution, torch_graph, torch_training],
    "cupy": [cupy_arrays, cupy_raw_kernel],
    "numba": [numba_kernel],
    "triton": [triton_kernel],
    "jax": [jax_function],
}


def main():
    functions = {function.__name__: function for group in PROGRAMS.values() for function in group}
    if len(sys.argv) > 1:
        functions[sys.argv[1]]()
        return 0
    failed = 0
    for module, group in PROGRAMS.items():
        for function in group:
            name = function.__name__
            if importlib.util.find_spec(module) is None:
                print(f"skip  {name}: no {module}", flush=True)
                continue
            begin = time.monotonic()
            # A process each: what one leaves behind in the driver is none of the next one's.
            ran = subprocess.run([sys.executable, os.path.abspath(__file__), name], capture_output=True, text=True)
            seconds = time.monotonic() - begin
            failed += ran.returncode != 0
            print(f"{'FAIL' if ran.returncode else 'pass'}  {name} {seconds:.1f} s", flush=True)
            if ran.returncode:
                print("      " + "\n      ".join(ran.stderr.strip().splitlines()[-4:]), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
