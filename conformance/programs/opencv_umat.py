# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCV's functions on UMat (kernels on the device) against the same functions on Mat (OpenCV's code for the
processor).

opencv_umat.py --list, or opencv_umat.py OPERATION: exit 0 if both agree within the rounding of the result's type."""
import sys
from typing import NamedTuple

import cv2
import numpy as np

random = np.random.default_rng(7)
HEIGHT, WIDTH = 241, 319


def scene():
    """Smooth shapes, edges and a little noise: what filters and detectors are made for."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    picture = np.stack([128 + 80 * np.sin(x / 17.0) * np.cos(y / 23.0), (x * 255 / WIDTH), 255 - y * 255 / HEIGHT], 2)
    for _ in range(25):
        centre, radius = (int(random.integers(WIDTH)), int(random.integers(HEIGHT))), int(random.integers(4, 30))
        picture = cv2.circle(picture, centre, radius, [int(v) for v in random.integers(0, 256, 3)], -1)
        corner = (int(random.integers(WIDTH)), int(random.integers(HEIGHT)))
        picture = cv2.rectangle(
            picture, corner, (corner[0] + radius, corner[1] + radius), [int(v) for v in random.integers(0, 256, 3)], 2
        )
    return np.clip(picture + random.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


BGR = scene()
GRAY = cv2.cvtColor(BGR, cv2.COLOR_BGR2GRAY)
OTHER = np.ascontiguousarray(BGR[::-1, ::-1])
FLOAT = (GRAY / 255).astype(np.float32)
LUV = cv2.cvtColor((BGR / 255).astype(np.float32), cv2.COLOR_BGR2Luv)
SIGNED = random.normal(0, 2, (HEIGHT, WIDTH)).astype(np.float32)
MATRIX = random.normal(0, 1, (96, 130)).astype(np.float32)
RIGHT = random.normal(0, 1, (130, 75)).astype(np.float32)
PRODUCT = random.normal(0, 1, (96, 75)).astype(np.float32)
KERNEL = random.normal(0, 0.3, (5, 5)).astype(np.float32)
ROTATION = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), 23, 1.1)
PERSPECTIVE = np.array([[1.05, 0.1, -12], [-0.08, 0.97, 9], [2e-4, -1e-4, 1]])
MAP_X, MAP_Y = (
    m.astype(np.float32)
    for m in (
        np.mgrid[0:HEIGHT, 0:WIDTH][1] + 6 * np.sin(np.mgrid[0:HEIGHT, 0:WIDTH][0] / 9.0),
        np.mgrid[0:HEIGHT, 0:WIDTH][0] + 4 * np.cos(np.mgrid[0:HEIGHT, 0:WIDTH][1] / 7.0),
    )
)
TABLE = random.integers(0, 256, 256, np.uint8)
MASK = np.full((HEIGHT, WIDTH), 255, np.uint8)
CANNY = cv2.Canny(GRAY, 60, 130)
SHIFTED = cv2.warpAffine(GRAY, np.float32([[1, 0, 3], [0, 1, -2]]), (WIDTH, HEIGHT))
TEMPLATE = np.ascontiguousarray(GRAY[60:90, 100:140])
NV12 = random.integers(0, 256, (HEIGHT // 2 * 3, WIDTH // 2 * 2), np.uint8)[: 240 // 2 * 3]


class Relative(NamedTuple):
    """32-bit floats: to the largest magnitude of the result."""

    limit: float


class Mostly(NamedTuple):
    """OpenCV's two paths compute differently (places in fixed point on the processor): how much, and how many by more
    than 1."""

    limit: float
    share: float


# What two implementations of a function may differ by, in units of the result. 8-bit results are rounded once, some
# twice.
EXACT, ONE, TWO, REL = 0, 1, 2, Relative(1e-5)

OPERATIONS = {}


def operation(tolerance=ONE, **named):
    def add(function):
        OPERATIONS[function.__name__] = (function, tolerance, named)
        return function

    return add


def case(name, tolerance, function):
    function.__name__ = name
    operation(tolerance)(function)


def each(prefix, tolerance, variants):
    for name, function in variants.items():
        case(f"{prefix}_{name}", tolerance, function)


# Filters
each(
    "blur",
    ONE,
    {
        "5x5": lambda up: cv2.blur(up(BGR), (5, 5)),
        "gray_7x3": lambda up: cv2.blur(up(GRAY), (7, 3)),
        "box_sum": lambda up: cv2.boxFilter(up(GRAY), cv2.CV_32F, (3, 3), normalize=False),
        "gaussian_5": lambda up: cv2.GaussianBlur(up(BGR), (5, 5), 1.3),
        "gaussian_15": lambda up: cv2.GaussianBlur(up(GRAY), (15, 15), 3),
        "median_3": lambda up: cv2.medianBlur(up(BGR), 3),
        "median_5": lambda up: cv2.medianBlur(up(GRAY), 5),
        "bilateral": lambda up: cv2.bilateralFilter(up(GRAY), 7, 40, 5),
    },
)
each(
    "filter",
    ONE,
    {
        "2d": lambda up: cv2.filter2D(up(GRAY), -1, KERNEL),
        "separable": lambda up: cv2.sepFilter2D(up(GRAY), cv2.CV_32F, np.float32([1, 2, 1]), np.float32([1, 0, -1])),
    },
)
each("filter", REL, {"2d_float": lambda up: cv2.filter2D(up(FLOAT), cv2.CV_32F, KERNEL)})
each(
    "derivative",
    EXACT,
    {
        "sobel": lambda up: cv2.Sobel(up(GRAY), cv2.CV_16S, 1, 0),
        "sobel_5": lambda up: cv2.Sobel(up(GRAY), cv2.CV_32F, 1, 1, ksize=5),
        "scharr": lambda up: cv2.Scharr(up(GRAY), cv2.CV_16S, 0, 1),
        "laplacian": lambda up: cv2.Laplacian(up(GRAY), cv2.CV_16S, ksize=3),
    },
)
each(
    "morphology",
    EXACT,
    {
        "erode": lambda up: cv2.erode(up(BGR), np.ones((5, 5))),
        "dilate": lambda up: cv2.dilate(up(GRAY), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))),
        "open": lambda up: cv2.morphologyEx(up(GRAY), cv2.MORPH_OPEN, np.ones((3, 3))),
        "gradient": lambda up: cv2.morphologyEx(up(GRAY), cv2.MORPH_GRADIENT, np.ones((3, 3))),
        "tophat": lambda up: cv2.morphologyEx(up(GRAY), cv2.MORPH_TOPHAT, np.ones((3, 3))),
    },
)
case("canny", EXACT, lambda up: cv2.Canny(up(GRAY), 60, 130))
case("canny_l2", Mostly(255, 1e-4), lambda up: cv2.Canny(up(GRAY), 60, 130, L2gradient=True))
case("denoise", ONE, lambda up: cv2.fastNlMeansDenoising(up(GRAY), h=8, templateWindowSize=5, searchWindowSize=11))

# Geometry
each(
    "resize",
    ONE,
    {
        "nearest": lambda up: cv2.resize(up(BGR), (200, 150), interpolation=cv2.INTER_NEAREST),
        "up_linear": lambda up: cv2.resize(up(BGR), (600, 401)),
        "down_linear": lambda up: cv2.resize(up(GRAY), (100, 77)),
        "area": lambda up: cv2.resize(up(BGR), (80, 60), interpolation=cv2.INTER_AREA),
        "area_half": lambda up: cv2.resize(up(GRAY[:240, :318].copy()), (159, 120), interpolation=cv2.INTER_AREA),
    },
)
each(
    "warp",
    Mostly(8, 1e-4),
    {
        "affine_nearest": lambda up: cv2.warpAffine(up(BGR), ROTATION, (WIDTH, HEIGHT), flags=cv2.INTER_NEAREST),
        "affine_linear": lambda up: cv2.warpAffine(up(BGR), ROTATION, (WIDTH, HEIGHT)),
        "affine_cubic": lambda up: cv2.warpAffine(up(GRAY), ROTATION, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC),
        "perspective_linear": lambda up: cv2.warpPerspective(up(GRAY), PERSPECTIVE, (WIDTH, HEIGHT)),
    },
)
each(
    "warp",
    Mostly(255, 1e-3),
    {
        "remap_linear": lambda up: cv2.remap(up(BGR), up(MAP_X), up(MAP_Y), cv2.INTER_LINEAR),
        "remap_nearest": lambda up: cv2.remap(
            up(GRAY), up(MAP_X), up(MAP_Y), cv2.INTER_NEAREST, borderMode=cv2.BORDER_REFLECT
        ),
    },
)
each("pyramid", ONE, {"down": lambda up: cv2.pyrDown(up(BGR)), "up": lambda up: cv2.pyrUp(up(GRAY))})
each(
    "move",
    EXACT,
    {
        "flip": lambda up: cv2.flip(up(BGR), -1),
        "transpose": lambda up: cv2.transpose(up(BGR)),
        "rotate": lambda up: cv2.rotate(up(GRAY), cv2.ROTATE_90_CLOCKWISE),
        "border": lambda up: cv2.copyMakeBorder(up(BGR), 3, 4, 5, 6, cv2.BORDER_REFLECT_101),
        "repeat": lambda up: cv2.repeat(up(GRAY), 2, 3),
        "split": lambda up: cv2.split(up(BGR)),
        "merge": lambda up: cv2.merge([up(GRAY), up(SHIFTED), up(GRAY)]),
        "extract": lambda up: cv2.extractChannel(up(BGR), 1),
    },
)

# Colours
each(
    "colour",
    ONE,
    {
        name: (lambda code: lambda up: cv2.cvtColor(up(BGR), code))(getattr(cv2, f"COLOR_BGR2{name}"))
        for name in ("GRAY", "RGB", "RGBA", "YCrCb", "YUV", "HSV", "HLS", "XYZ", "Lab", "Luv", "BGR565")
    },
)
# The OpenCL paths of these want the number of channels said.
each(
    "colour",
    ONE,
    {
        f"from_{name}": (lambda code: lambda up: cv2.cvtColor(up(BGR), code, dstCn=3))(
            getattr(cv2, f"COLOR_{name}2BGR")
        )
        for name in ("YCrCb", "YUV", "HSV", "XYZ")
    },
)
each(
    "colour",
    TWO,
    {
        f"from_{name}": (lambda code: lambda up: cv2.cvtColor(up(BGR), code, dstCn=3))(
            getattr(cv2, f"COLOR_{name}2BGR")
        )
        for name in ("HLS", "Lab")
    },
)
# 8-bit Luv stays on the processor in OpenCV itself.
case("colour_from_Luv_float", Relative(1e-4), lambda up: cv2.cvtColor(up(LUV), cv2.COLOR_Luv2BGR, dstCn=3))
# Three pages, and the kernel reads the last pixel as four bytes.
case("colour_from_HSV_whole_pages", ONE, lambda up: cv2.cvtColor(up(BGR[:64, :64].copy()), cv2.COLOR_HSV2BGR, dstCn=3))
case("colour_from_GRAY", EXACT, lambda up: cv2.cvtColor(up(GRAY), cv2.COLOR_GRAY2BGR))
case("colour_from_NV12", ONE, lambda up: cv2.cvtColor(up(NV12), cv2.COLOR_YUV2BGR_NV12))

# Arithmetic
each(
    "arithmetic",
    ONE,
    {
        "add": lambda up: cv2.add(up(BGR), up(OTHER)),
        "subtract": lambda up: cv2.subtract(up(BGR), up(OTHER)),
        "multiply": lambda up: cv2.multiply(up(BGR), up(OTHER), scale=1 / 90),
        "divide": lambda up: cv2.divide(up(BGR), up(OTHER), scale=40),
        "weighted": lambda up: cv2.addWeighted(up(BGR), 0.7, up(OTHER), 0.4, 5),
        "absdiff": lambda up: cv2.absdiff(up(BGR), up(OTHER)),
        "scale_abs": lambda up: cv2.convertScaleAbs(up(SIGNED), alpha=40, beta=3),
        "normalize": lambda up: cv2.normalize(up(GRAY), None, 20, 180, cv2.NORM_MINMAX),
    },
)
each(
    "logic",
    EXACT,
    {
        "and": lambda up: cv2.bitwise_and(up(BGR), up(OTHER)),
        "or": lambda up: cv2.bitwise_or(up(BGR), up(OTHER)),
        "xor": lambda up: cv2.bitwise_xor(up(BGR), up(OTHER)),
        "not": lambda up: cv2.bitwise_not(up(BGR)),
        "min": lambda up: cv2.min(up(BGR), up(OTHER)),
        "max": lambda up: cv2.max(up(BGR), up(OTHER)),
        "compare": lambda up: cv2.compare(up(GRAY), up(SHIFTED), cv2.CMP_GT),
        "in_range": lambda up: cv2.inRange(up(BGR), (30, 40, 50), (200, 210, 220)),
        "lut": lambda up: cv2.LUT(up(BGR), TABLE),
        "threshold": lambda up: cv2.threshold(up(GRAY), 100, 255, cv2.THRESH_TRUNC)[1],
    },
)
each(
    "math",
    REL,
    {
        "pow": lambda up: cv2.pow(up(FLOAT), 2.5),
        "sqrt": lambda up: cv2.sqrt(up(FLOAT)),
        "exp": lambda up: cv2.exp(up(SIGNED)),
        "log": lambda up: cv2.log(up(FLOAT + np.float32(0.1))),
        "magnitude": lambda up: cv2.magnitude(up(SIGNED), up(FLOAT)),
        "polar": lambda up: cv2.polarToCart(up(FLOAT), up(SIGNED)),
        "scale_add": lambda up: cv2.scaleAdd(up(SIGNED), 0.3, up(FLOAT)),
        "gemm": lambda up: cv2.gemm(up(MATRIX), up(RIGHT), 1.5, up(PRODUCT), 0.5),
        "gemm_transposed": lambda up: cv2.gemm(
            up(RIGHT), up(MATRIX), 1, up(PRODUCT.T.copy()), 1, flags=cv2.GEMM_1_T | cv2.GEMM_2_T
        ),
        "dft": lambda up: cv2.dft(up(SIGNED[:240, :256].copy()), flags=cv2.DFT_COMPLEX_OUTPUT),
        "mul_spectrums": lambda up: cv2.mulSpectrums(up(np.dstack([SIGNED, FLOAT])), up(np.dstack([FLOAT, SIGNED])), 0),
    },
)
case(
    "math_phase", 0.3, lambda up: cv2.phase(up(SIGNED), up(FLOAT), angleInDegrees=True)
)  # OpenCV's own polynomial: 0.3 degrees

# Reductions
each(
    "reduce",
    REL,
    {
        "sum": lambda up: np.array(cv2.sumElems(up(BGR))),
        "deviation": lambda up: np.array([float(host(v).ravel()[0]) for v in cv2.meanStdDev(up(GRAY), mask=up(MASK))]),
        "norm_l1": lambda up: cv2.norm(up(GRAY), cv2.NORM_L1, up(MASK)),
        "norm_l2": lambda up: cv2.norm(up(FLOAT), cv2.NORM_L2, up(MASK)),
        "norm_inf": lambda up: cv2.norm(up(GRAY), up(SHIFTED), cv2.NORM_INF),
        "rows": lambda up: cv2.reduce(up(FLOAT), 0, cv2.REDUCE_SUM),
        "columns": lambda up: cv2.reduce(up(FLOAT), 1, cv2.REDUCE_AVG),
    },
)
each(
    "count",
    EXACT,
    {
        "non_zero": lambda up: cv2.countNonZero(up(GRAY)),
        "min_max": lambda up: np.array(cv2.minMaxLoc(up(SIGNED))[:2]),
        "histogram": lambda up: cv2.calcHist([up(GRAY)], [0], None, [256], [0, 256]),
        "equalize": lambda up: cv2.equalizeHist(up(GRAY)),
        "integral": lambda up: cv2.integral(up(GRAY)),
    },
)
case("count_clahe", ONE, lambda up: cv2.createCLAHE(3, (8, 8)).apply(up(GRAY)))
case(
    "count_back_project",
    ONE,
    lambda up: cv2.calcBackProject([up(GRAY)], [0], up(cv2.calcHist([GRAY], [0], None, [32], [0, 256])), [0, 256], 1),
)

# Features, motion, matching
each(
    "match",
    Relative(1e-4),
    {
        name.lower(): (lambda method: lambda up: cv2.matchTemplate(up(GRAY), up(TEMPLATE), method))(
            getattr(cv2, f"TM_{name}")
        )
        for name in ("SQDIFF", "SQDIFF_NORMED", "CCORR", "CCORR_NORMED", "CCOEFF")
    },
)
# The kernel's sums are in single precision, and their difference is small where the picture is flat.
case("match_ccoeff_normed", Relative(5e-3), lambda up: cv2.matchTemplate(up(GRAY), up(TEMPLATE), cv2.TM_CCOEFF_NORMED))
each(
    "corner",
    REL,
    {
        "harris": lambda up: cv2.cornerHarris(up(GRAY), 3, 3, 0.04),
        "min_eigen": lambda up: cv2.cornerMinEigenVal(up(GRAY), 3),
    },
)
case("corner_good", ONE, lambda up: cv2.goodFeaturesToTrack(up(GRAY), 30, 0.05, 10))
case("hough_lines", 1e-4, lambda up: np.sort(host(cv2.HoughLines(up(CANNY), 1, np.pi / 180, 40)).reshape(-1, 2), 0))


@operation(EXACT)
def corner_fast(up):
    return np.array(
        sorted((k.pt, k.response) for k in cv2.FastFeatureDetector_create(30).detect(up(GRAY))), dtype=object
    )[:, 1].astype(float)


@operation(EXACT)
def match_descriptors(up):
    """BFMatcher's nearest neighbours of 64 numbers each."""
    left, right = (random_rows(n) for n in (60, 90))
    return np.array([(m.trainIdx, m.queryIdx) for m in cv2.BFMatcher(cv2.NORM_L2).match(up(left), up(right))])


def random_rows(count):
    return np.random.default_rng(count).normal(0, 1, (count, 64)).astype(np.float32)


@operation(0.05)
def flow_lucas_kanade(up):
    points = cv2.goodFeaturesToTrack(GRAY, 30, 0.05, 10)
    moved, found, _ = cv2.calcOpticalFlowPyrLK(up(GRAY), up(SHIFTED), up(points), None, winSize=(21, 21), maxLevel=2)
    inside = (np.abs(points - [WIDTH / 2, HEIGHT / 2]) < [WIDTH / 2 - 30, HEIGHT / 2 - 30]).all(2).ravel()
    return host(moved).reshape(-1, 2)[inside & (host(found).ravel() == 1)]


@operation(0.05)
def flow_farneback(up):
    return host(
        cv2.calcOpticalFlowFarneback(
            up(GRAY), up(SHIFTED), up(np.zeros((HEIGHT, WIDTH, 2), np.float32)), 0.5, 2, 13, 3, 5, 1.1, 0
        )
    )[30:-30, 30:-30]


@operation(EXACT)
def background(up):
    model = cv2.createBackgroundSubtractorMOG2(history=10, detectShadows=False)
    for frame in (BGR, BGR, OTHER):
        mask = model.apply(up(frame))
    return mask


@operation(REL)
def accumulate(up):
    total = up(np.zeros((HEIGHT, WIDTH), np.float32))
    for _ in range(3):
        cv2.accumulateWeighted(up(GRAY), total, 0.3)
        cv2.accumulateSquare(up(FLOAT), total)
    return total


@operation(Mostly(4, 0.03))
def chain(up):
    """Nothing leaves the device between the steps."""
    gray = cv2.cvtColor(up(BGR), cv2.COLOR_BGR2GRAY)
    smooth = cv2.GaussianBlur(cv2.resize(gray, (640, 480)), (5, 5), 1.1)
    return cv2.addWeighted(smooth, 0.6, cv2.convertScaleAbs(cv2.Sobel(smooth, cv2.CV_16S, 1, 0)), 0.4, 0)


def host(result):
    return result.get() if isinstance(result, cv2.UMat) else np.asarray(result)


def as_list(result):
    return [host(r).astype(np.float64) for r in (result if isinstance(result, (list, tuple)) else [result])]


def compare(name):
    function, tolerance, _ = OPERATIONS[name]
    cv2.ocl.setUseOpenCL(False)
    expected = as_list(function(lambda array: array))
    cv2.ocl.setUseOpenCL(True)
    seen = as_list(function(cv2.UMat))
    worst = beyond = 0.0
    for ours, theirs in zip(seen, expected, strict=True):
        if ours.shape != theirs.shape:
            return f"shape {ours.shape}, expected {theirs.shape}"
        difference = np.abs(ours - theirs)
        if np.isnan(ours).any() or np.isnan(theirs).any():
            return "not a number"
        if name.startswith("colour") and "H" in name and "from" not in name:  # hue goes round
            difference[..., 0] = np.minimum(difference[..., 0], 180 - difference[..., 0])
        scale = max(1e-30, np.abs(theirs).max()) if isinstance(tolerance, Relative) else 1
        worst = max(worst, float(difference.max()) / scale if difference.size else 0)
        beyond = max(beyond, float((difference > 1).mean()) if difference.size else 0)
    limit, share = tolerance.limit if isinstance(tolerance, Relative) else tolerance, 1.0
    if isinstance(tolerance, Mostly):
        limit, share = tolerance.limit, tolerance.share
    print(f"{name}: largest difference {worst:.3g}, allowed {limit:g}; {beyond:.2%} differ by more than 1")
    return None if worst <= limit and beyond <= share else "differs"


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(OPERATIONS))
        sys.exit()
    if sys.argv[1:] == ["--all"]:
        sys.argv[1:] = OPERATIONS
    if not cv2.ocl.haveOpenCL():
        sys.exit("OpenCV sees no OpenCL")
    failed = {}
    for name in sys.argv[1:]:
        try:
            wrong = compare(name)
        except Exception as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            failed[name] = wrong
    sys.exit("\n".join(f"{name}: {wrong}" for name, wrong in failed.items()) if failed else 0)
