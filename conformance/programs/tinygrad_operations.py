# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tinygrad's operations on the device that DEV names, against NumPy; and a small network that both train.

tinygrad_operations.py --list, or tinygrad_operations.py OPERATION: exit 0 if both agree to the rounding of 32-bit
floats."""
import sys

import numpy as np
from tinygrad import Context, Device, Tensor, dtypes

random = np.random.default_rng(11)
A = random.normal(0, 1, (65, 77)).astype(np.float32)
B = random.normal(0, 1, (77, 43)).astype(np.float32)
PICTURES = random.normal(0, 1, (2, 3, 19, 23)).astype(np.float32)
FILTERS = random.normal(0, 0.3, (5, 3, 3, 3)).astype(np.float32)
COUNTS = random.integers(-1000, 1000, (31, 37)).astype(np.int32)
PLACES = random.integers(0, 31, 50).astype(np.int32)


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def convolve(pictures, filters):
    windows = np.lib.stride_tricks.sliding_window_view(
        np.pad(pictures, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3)
    )
    return np.einsum("nchwij,fcij->nfhw", windows, filters)


def pool(pictures):
    n, c, h, w = pictures.shape
    return pictures[:, :, : h // 2 * 2, : w // 2 * 2].reshape(n, c, h // 2, 2, w // 2, 2).max((3, 5))


def train_with_tinygrad(steps):
    """The same descent by tinygrad's own gradients and optimizer."""
    from tinygrad.nn.optim import SGD

    images, labels, first, second = network()
    x, y = Tensor(images), Tensor(labels)
    w, v = Tensor(first), Tensor(second)
    optimizer = SGD([w, v], lr=0.5)
    with Context(TRAINING=1):
        for _ in range(steps):
            optimizer.zero_grad()
            loss = (x @ w).relu().matmul(v).log_softmax().mul(y).sum().neg() / len(images)
            loss.backward()
            optimizer.step()
    return ((x @ w).relu() @ v).numpy()


def network():
    generator = np.random.default_rng(5)
    images = generator.normal(0, 1, (64, 20)).astype(np.float32)
    labels = np.eye(4, dtype=np.float32)[(images[:, 0] > 0) * 2 + (images[:, 1] > 0)]
    return (
        images,
        labels,
        generator.normal(0, 0.3, (20, 32)).astype(np.float32),
        generator.normal(0, 0.3, (32, 4)).astype(np.float32),
    )


def train_with_numpy(steps):
    images, labels, first, second = (array.astype(np.float64) for array in network())
    for _ in range(steps):
        hidden = images @ first
        active = np.maximum(hidden, 0)
        error = (softmax(active @ second) - labels) / len(images)
        first, second = first - 0.5 * images.T @ (error @ second.T * (hidden > 0)), second - 0.5 * active.T @ error
    return np.maximum(images @ first, 0) @ second


# name: (on the device, with NumPy, the largest difference)
OPERATIONS = {
    "add_broadcast": (lambda: Tensor(A) + Tensor(A[:1]), lambda: A + A[:1], 0),
    "product": (lambda: Tensor(A) @ Tensor(B), lambda: A.astype(np.float64) @ B, 2e-5),
    "transcendental": (
        lambda: Tensor(A).exp() + Tensor(A).sin() + Tensor(A).tanh() + Tensor(A).abs().log(),
        lambda: np.exp(A) + np.sin(A) + np.tanh(A) + np.log(np.abs(A)),
        2e-4,
    ),
    "sum_of_rows": (lambda: Tensor(A).sum(1), lambda: A.astype(np.float64).sum(1), 2e-5),
    "largest_of_columns": (lambda: Tensor(A).max(0), lambda: A.max(0), 0),
    "argmax": (lambda: Tensor(A).argmax(1), lambda: A.argmax(1), 0),
    "softmax": (lambda: Tensor(A).softmax(), lambda: softmax(A), 1e-6),
    "running_sum": (lambda: Tensor(COUNTS).cumsum(1), lambda: COUNTS.cumsum(1), 0),
    "sort": (lambda: Tensor(COUNTS).sort(1)[0], lambda: np.sort(COUNTS, 1), 0),
    "gather": (lambda: Tensor(COUNTS)[Tensor(PLACES)], lambda: COUNTS[PLACES], 0),
    "select": (
        lambda: (Tensor(COUNTS) > 5).where(Tensor(COUNTS), -Tensor(COUNTS)),
        lambda: np.where(COUNTS > 5, COUNTS, -COUNTS),
        0,
    ),
    "shift_and_divide": (lambda: (Tensor(COUNTS) * 5 // 7) % 13, lambda: (COUNTS * 5 // 7) % 13, 0),
    "transpose": (lambda: Tensor(A).T.contiguous(), lambda: A.T, 0),
    "pad_and_flip": (lambda: Tensor(A).pad(((1, 2), (3, 4))).flip(0), lambda: np.pad(A, ((1, 2), (3, 4)))[::-1], 0),
    "convolution": (
        lambda: Tensor(PICTURES).conv2d(Tensor(FILTERS), padding=1),
        lambda: convolve(PICTURES, FILTERS),
        1e-5,
    ),
    "pooling": (lambda: Tensor(PICTURES).max_pool2d(), lambda: pool(PICTURES), 0),
    "double": (
        lambda: Tensor(np.abs(A.astype(np.float64))).sqrt() * 3,
        lambda: np.sqrt(np.abs(A.astype(np.float64))) * 3,
        1e-15,
    ),
    "half": (
        lambda: (Tensor(A.astype(np.float16)) * 3 + 1).cast(dtypes.float32),
        lambda: (A.astype(np.float16) * np.float16(3) + np.float16(1)),
        8e-3,
    ),
    "bytes": (lambda: Tensor(COUNTS.astype(np.uint8)) + 200, lambda: COUNTS.astype(np.uint8) + np.uint8(200), 0),
    "training": (lambda: train_with_tinygrad(20), lambda: train_with_numpy(20), 2e-4),
}


def main(name):
    device, host, limit = OPERATIONS[name]
    found = device()
    found = found.numpy() if isinstance(found, Tensor) else found
    expected = host()
    if found.shape != expected.shape:
        print(f"{name}: shape {found.shape}, expected {expected.shape}")
        return 1
    difference = float(np.max(np.abs(found.astype(np.float64) - expected.astype(np.float64))))
    print(f"{name} on {Device.DEFAULT}: differs by {difference:.3g}, allowed {limit:.3g}")
    return 0 if difference <= limit else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(OPERATIONS))
    else:
        sys.exit(main(sys.argv[1]))
