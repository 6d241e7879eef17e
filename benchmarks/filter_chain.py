#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A chain of OpenCV's image filters on UMat, 1920x1080: prints a JSON object of figures. Runs where Debian's
python3-opencv is."""
import json
import resource
import sys
import time

try:
    import cv2
    import numpy as np
except ImportError:
    sys.exit(3)


def chain(picture):
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    smooth = cv2.GaussianBlur(cv2.resize(gray, (1280, 720)), (5, 5), 1.1)
    edges = cv2.convertScaleAbs(cv2.Sobel(smooth, cv2.CV_16S, 1, 0))
    return cv2.threshold(
        cv2.morphologyEx(cv2.addWeighted(smooth, 0.5, edges, 0.5, 0), cv2.MORPH_OPEN, np.ones((3, 3))),
        60,
        255,
        cv2.THRESH_TRUNC,
    )[1]


def used():
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return spent.ru_utime + spent.ru_stime


picture = np.random.default_rng(1).integers(0, 256, (1080, 1920, 3), np.uint8)
if not cv2.ocl.haveOpenCL():
    sys.exit(4)
on_device = cv2.UMat(picture)
cv2.ocl.setUseOpenCL(False)
expected = chain(picture)
cv2.ocl.setUseOpenCL(True)
begin = time.monotonic()
first = chain(on_device).get()
cold = time.monotonic() - begin
# What OpenCV's two paths round differently, the chain's steps add up.
if (np.abs(first.astype(int) - expected) > 4).mean() > 0.01:
    sys.exit("the device's result is wrong")


def median(picture):
    """(CPU, wall) milliseconds of one run."""
    figures = []
    for _ in range(25):
        begin, before = time.monotonic(), used()
        chain(picture)
        cv2.ocl.finish()
        figures.append((used() - before, time.monotonic() - begin))
    return [sorted(f[i] for f in figures)[12] * 1e3 for i in (0, 1)]


device, host = median(on_device), median(picture)
print(
    json.dumps(
        {
            "OpenCV filter chain, first, ms": cold * 1e3,
            "OpenCV filter chain, CPU ms": device[0],
            "OpenCV filter chain, wall ms": device[1],
            "the same without OpenCL, CPU ms": host[0],
        }
    )
)
