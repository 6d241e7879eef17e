# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An ordinary PyOpenCL program: renders the Mandelbrot set to a PNG and checks it against NumPy."""
import struct
import sys
import zlib

import numpy as np
import pyopencl as cl

WIDTH, HEIGHT, LIMIT = 1280, 800, 400

SOURCE = """
// NumPy rounds after every operation; without this, a * b + c may be one operation here.
#pragma OPENCL FP_CONTRACT OFF

uchar3 colour(float t) {
    float3 phase = (float3)(0.00f, 0.12f, 0.25f);
    float3 wave = 0.5f - 0.5f * cospi(2.0f * (t + phase));
    return convert_uchar3_sat_rte(255.0f * wave);
}

kernel void mandelbrot(global uchar *pixels, global int *counts, float x0, float y0, float step, int limit) {
    int px = get_global_id(0), py = get_global_id(1), at = py * (int)get_global_size(0) + px;
    float cx = x0 + step * px, cy = y0 + step * py, x = 0, y = 0, xx = 0, yy = 0;
    int n = 0;
    while (n < limit && xx + yy < 64.0f) {
        y = 2.0f * x * y + cy;
        x = xx - yy + cx;
        xx = x * x;
        yy = y * y;
        ++n;
    }
    counts[at] = n;
    float smooth = n + 1 - log2(0.5f * log2(fmax(xx + yy, 64.0f)));
    uchar3 rgb = n == limit ? (uchar3)(0) : colour(native_sqrt(smooth) * 0.11f);
    vstore3(rgb, at, pixels);
}
"""


def counts_by_numpy(rows, x0, y0, step, limit):
    """The same single-precision steps on the host: the counts must be equal, bit for bit."""
    f = np.float32
    cx = f(x0) + f(step) * np.arange(WIDTH, dtype=f)[None, :] + np.zeros((len(rows), 1), f)
    cy = f(y0) + f(step) * np.asarray(rows, dtype=f)[:, None] + np.zeros((1, WIDTH), f)
    x, y, xx, yy = (np.zeros_like(cx) for _ in range(4))
    n = np.zeros(cx.shape, np.int32)
    for _ in range(limit):
        on = xx + yy < f(64)
        if not on.any():
            break
        y = np.where(on, f(2) * x * y + cy, y)
        x = np.where(on, xx - yy + cx, x)
        xx, yy = np.where(on, x * x, xx), np.where(on, y * y, yy)
        n += on
    return n


def write_png(path, pixels):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def main(path):
    x0, y0, step = -2.35, -1.0, 2.5e-3
    context = cl.create_some_context(interactive=False)
    device = context.devices[0]
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    program = cl.Program(context, SOURCE).build()
    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    counts = np.empty((HEIGHT, WIDTH), np.int32)
    flags = cl.mem_flags.WRITE_ONLY
    pixel_buffer = cl.Buffer(context, flags, pixels.nbytes)
    count_buffer = cl.Buffer(context, flags, counts.nbytes)
    kernel = cl.Kernel(program, "mandelbrot")
    args = (np.float32(x0), np.float32(y0), np.float32(step), np.int32(LIMIT))
    times = []
    for _ in range(3):
        event = kernel(queue, (WIDTH, HEIGHT), None, pixel_buffer, count_buffer, *args)
        event.wait()
        times.append((event.profile.end - event.profile.start) * 1e-6)
    cl.enqueue_copy(queue, pixels, pixel_buffer)
    cl.enqueue_copy(queue, counts, count_buffer)
    write_png(path, pixels)

    rows = list(range(0, HEIGHT, 40))
    expected = counts_by_numpy(rows, x0, y0, step, LIMIT)
    if not np.array_equal(counts[rows], expected):
        sys.exit(f"{np.count_nonzero(counts[rows] != expected)} of {expected.size} counts differ from NumPy's")
    print(
        f"{WIDTH} x {HEIGHT} Mandelbrot set on '{device.name}': {min(times):.1f} ms, "
        f"{expected.size} counts equal NumPy's; picture in {path}"
    )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "mandelbrot.png")
