# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ffmpeg's OpenCL filters against its filters of the same name for the processor, against what our own kernels say, or,
where ffmpeg's two filters compute different things, against the same kernels on PoCL."""
import os
import subprocess

PACKAGES = ["ffmpeg", "pocl-opencl-icd"]
PEER = {**os.environ, "OCL_ICD_VENDORS": "/etc/OpenCL/vendors/pocl.icd"}
WIDTH, HEIGHT, FRAMES = 176, 144, 3
SOURCE = f"testsrc2=size={WIDTH}x{HEIGHT}:rate=5:duration={FRAMES / 5}"
SECOND = f"mandelbrot=size={WIDTH}x{HEIGHT}:rate=5:end_pts=1,trim=end_frame={FRAMES}"

# name: (the OpenCL filter, the filter for the processor (None: the peer), pixel format, pixels at the edge that are not
# compared, the largest difference, the share of values that may differ by more than 1). Both implementations round each
# step their own way; what is at the edge each filter decides for itself.
ONE_INPUT = {
    "avgblur": ("avgblur_opencl=sizeX=3", "avgblur=sizeX=3", "yuv420p", 4, 1, 0),
    "boxblur": ("boxblur_opencl=lr=2:lp=1:cr=1:cp=1", "boxblur=lr=2:lp=1:cr=1:cp=1", "yuv420p", 4, 1, 0),
    "convolution": (
        "convolution_opencl=0m='1 2 1 2 4 2 1 2 1':0rdiv=1/16:1m='0 0 0 0 1 0 0 0 0'",
        "convolution=0m='1 2 1 2 4 2 1 2 1':0rdiv=1/16:1m='0 0 0 0 1 0 0 0 0'",
        "yuv420p",
        2,
        1,
        0,
    ),
    "dilation": ("dilation_opencl", "dilation", "yuv420p", 2, 0, 0),
    "erosion": ("erosion_opencl=threshold0=30", "erosion=threshold0=30", "yuv420p", 2, 0, 0),
    "deshake": ("deshake_opencl", None, "yuv420p", 0, 1, 0),
    "nlmeans": ("nlmeans_opencl=s=4:p=5:r=7", None, "yuv420p", 0, 1, 0),
    "pad": ("pad_opencl=w=200:h=160:x=8:y=6", "pad=w=200:h=160:x=8:y=6", "yuv420p", 0, 0, 0),
    "prewitt": ("prewitt_opencl", "prewitt", "yuv420p", 2, 1, 0),
    "roberts": ("roberts_opencl", "roberts", "yuv420p", 2, 1, 0),
    "sobel": ("sobel_opencl=scale=.5:delta=3", "sobel=scale=.5:delta=3", "yuv420p", 2, 1, 0),
    "transpose": ("transpose_opencl=dir=clock", "transpose=dir=clock", "yuv420p", 0, 0, 0),
    "unsharp": ("unsharp_opencl=lx=5:ly=5:la=1.2", None, "yuv420p", 0, 1, 0),
    "colorkey": ("colorkey_opencl=color=0x00ff00:similarity=.4:blend=.2", None, "rgba", 0, 1, 0),
}
TWO_INPUTS = {
    "overlay": ("overlay_opencl=x=20:y=10", "overlay=x=20:y=10", "yuv420p", 0, 1, 0),
    "xfade_fade": ("xfade_opencl=transition=fade:duration=0.4:offset=0", None, "yuv420p", 0, 1, 0),
    "xfade_wipe": ("xfade_opencl=transition=wipeleft:duration=0.4:offset=0", None, "yuv420p", 0, 0, 0),
}
PROGRAM = """
const sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void negate_turned(write_only image2d_t out, unsigned int frame, read_only image2d_t in)
{
  int2 at = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(in);
  write_imagef(out, at, 1.0f - read_imagef(in, plain, size - 1 - at));
}
kernel void ramp(write_only image2d_t out, unsigned int frame)
{
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, (float4)(((at.x + 3 * at.y + 5 * (int)frame) & 255) / 255.0f));
}
"""
DEVICE = ["-init_hw_device", "opencl=ours", "-filter_hw_device", "ours"]


def planes(form, width, height):
    """(columns, rows, bytes of each place) of the planes of a frame."""
    chroma = ((width + 1) // 2, (height + 1) // 2)
    return {"rgba": [(width, height, 4)], "yuv420p": [(width, height, 1), (*chroma, 1), (*chroma, 1)]}[form]


def differences(ours, theirs, form, width, height, margin):
    """(largest difference, share that differ by more than 1) of what is farther than the margin from the edge."""
    largest = beyond = compared = place = 0
    while place < len(theirs):
        for columns, rows, components in planes(form, width, height):
            for y in range(margin, rows - margin):
                begin = place + (y * columns + margin) * components
                end = place + ((y + 1) * columns - margin) * components
                if ours[begin:end] != theirs[begin:end]:
                    gaps = [abs(a - b) for a, b in zip(ours[begin:end], theirs[begin:end])]
                    largest, beyond = max(largest, *gaps), beyond + sum(g > 1 for g in gaps)
                compared += end - begin
            place += columns * rows * components
    return largest, beyond / compared


def raw(inputs, graph, out):
    given = [word for text in inputs for word in ("-f", "lavfi", "-i", text)]
    return [
        "ffmpeg",
        "-hide_banner",
        "-loglevel",
        "error",
        "-y",
        *DEVICE,
        *given,
        "-filter_complex",
        graph,
        "-frames:v",
        str(FRAMES),
        "-f",
        "rawvideo",
        out,
    ]


def compare(device, scratch, inputs, ours, theirs, form, size, margin, limit, share):
    """theirs: a filter graph, the bytes that are expected, or None for our own graph on the peer."""
    mine, other = scratch / "ours.raw", scratch / "theirs.raw"
    for old in (mine, other):
        old.unlink(missing_ok=True)
    done = device.run(raw(inputs, ours, mine), timeout=300)
    if done.returncode or "KernelFault" in done.stdout or not mine.exists():
        return {"status": "fail", "note": f"exit {done.returncode}: {done.stdout[-300:]}"}
    if not isinstance(theirs, bytes):
        command = [w for w in raw(inputs, theirs, other) if w not in DEVICE] if theirs else raw(inputs, ours, other)
        subprocess.run(command, check=True, capture_output=True, env=PEER)
        theirs = other.read_bytes()
    if len(mine.read_bytes()) != len(theirs) or not theirs:
        return {"status": "fail", "note": f"{mine.stat().st_size} bytes came out, {len(theirs)} expected"}
    largest, beyond = differences(mine.read_bytes(), theirs, form, *size, margin)
    return {
        "status": "pass" if largest <= limit and beyond <= share else "fail",
        "note": f"largest difference {largest}, {beyond:.2%} differ by more than 1",
    }


def tonemap(device, scratch):
    """PoCL 3.1 makes no such images, and the filter for the processor works on linear floats. A ramp of greys in PQ
    must come out as greys, in the same order, from black on."""
    graph = (
        "format=yuv420p,geq=lum=16+X:cb=128:cr=128,format=p010,setparams=color_primaries=bt2020:color_trc=smpte2084:"
        "colorspace=bt2020nc:range=tv,hwupload,tonemap_opencl=tonemap={}:t=bt709:m=bt709:p=bt709:format=nv12,hwdownload,format=nv12"
    )
    for curve in ("hable", "reinhard", "mobius", "clip"):
        out = scratch / "tonemap.raw"
        done = device.run(raw([SOURCE], graph.format(curve), out), timeout=300)
        frame = out.read_bytes()[: WIDTH * HEIGHT * 3 // 2] if done.returncode == 0 else b""
        if len(frame) != WIDTH * HEIGHT * 3 // 2:
            return {"status": "fail", "note": f"{curve}: exit {done.returncode}: {done.stdout[-300:]}"}
        luma, chroma = frame[:WIDTH], frame[WIDTH * HEIGHT :]
        wrong = [
            what
            for what, holds in (
                ("rows differ", all(frame[y * WIDTH : (y + 1) * WIDTH] == luma for y in range(HEIGHT))),
                ("order", list(luma) == sorted(luma) and luma[-1] > luma[0] + 50),
                ("black", abs(luma[0] - 16) <= 1),
                ("colour", max(abs(c - 128) for c in chroma) <= 1),
            )
            if not holds
        ]
        if wrong:
            return {"status": "fail", "note": f"{curve}: {wrong}: {list(luma[::16])}"}
    return {"status": "pass", "note": ""}


def run(device, scratch):
    results = {}
    for name, (ours, theirs, form, *tolerance) in ONE_INPUT.items():
        size = {"pad": (200, 160), "transpose": (HEIGHT, WIDTH)}.get(name, (WIDTH, HEIGHT))
        results[name] = compare(
            device,
            scratch,
            [SOURCE],
            f"format={form},hwupload,{ours},hwdownload,format={form}",
            theirs and f"format={form},{theirs},format={form}",
            form,
            size,
            *tolerance,
        )
    for name, (ours, theirs, form, *tolerance) in TWO_INPUTS.items():
        results[name] = compare(
            device,
            scratch,
            [SOURCE, SECOND],
            f"[0]format={form},settb=1/5,hwupload[a];[1]format={form},settb=1/5,hwupload[b];[a][b]{ours},hwdownload,format={form}",
            theirs and f"[0]format={form},settb=1/5[a];[1]format={form},settb=1/5[b];[a][b]{theirs},format={form}",
            form,
            (WIDTH, HEIGHT),
            *tolerance,
        )
    results["tonemap"] = tonemap(device, scratch)
    (scratch / "filters.cl").write_text(PROGRAM)
    program = f"source={scratch}/filters.cl"
    results["program"] = compare(
        device,
        scratch,
        [SOURCE],
        f"format=yuv420p,hwupload,program_opencl={program}:kernel=negate_turned,hwdownload,format=yuv420p",
        "format=yuv420p,hflip,vflip,lutyuv=y=255-val:u=255-val:v=255-val",
        "yuv420p",
        (WIDTH, HEIGHT),
        0,
        0,
        0,
    )
    expected = bytes(
        ((x + 3 * y + 5 * frame) & 255)
        for frame in range(FRAMES)
        for columns, rows, _ in planes("yuv420p", WIDTH, HEIGHT)
        for y in range(rows)
        for x in range(columns)
    )
    results["source"] = compare(
        device,
        scratch,
        [],
        f"openclsrc={program}:kernel=ramp:size={WIDTH}x{HEIGHT}:rate=5:format=yuv420p," "hwdownload,format=yuv420p",
        expected,
        "yuv420p",
        (WIDTH, HEIGHT),
        0,
        0,
        0,
    )
    return results
