# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenVINO's operations, a model of each, by its GPU plugin (OpenCL) against its CPU plugin.

openvino_operations.py --list, or openvino_operations.py OPERATION [f16]: exit 0 if both agree to the rounding of
32-bit floats, or, where the GPU plugin calculates with halves, as it does unless it is told otherwise, of these."""
import sys

import numpy as np
import openvino
import openvino.opset13 as op

random = np.random.default_rng(7)


def of(function, *shapes):
    """The model of a function of inputs of these shapes."""

    def make():
        arguments = [op.parameter(list(shape), np.float32) for shape in shapes]
        return arguments, function(*arguments)

    return make


def whole(*numbers):
    return op.constant(np.array(numbers, np.int64))


def times_nine(x):
    return op.multiply(x, op.constant(np.float32(9)))


def each(size, number):
    return op.constant(np.full(size, number, np.float32))


def weights(*shape):
    return op.constant(random.normal(0, 0.3, shape).astype(np.float32))


def convolved(x, filters, stride=1, pad=1, dilation=1, dimensions=2):
    each = [[number] * dimensions for number in (stride, pad, pad, dilation)]
    return op.convolution(x, filters, *each)


def network(x):
    """Convolutions, each with fewer pixels and more channels, and a matrix behind them."""
    channels = 3
    for more, stride in ((16, 1), (32, 2), (64, 2)):
        x = op.relu(op.add(convolved(x, weights(more, channels, 3, 3), stride), weights(1, more, 1, 1)))
        channels = more
    x = op.avg_pool(x, [2, 2], [0, 0], [0, 0], [2, 2], True)
    return op.matmul(op.reshape(x, whole(1, -1), False), weights(256, 10), False, False)


def attention(q, k, v):
    chosen = op.softmax(op.multiply(op.matmul(q, k, False, True), op.constant(np.float32(0.25))), -1)
    return op.matmul(chosen, v, False, False)


def transformer(x):
    """Two layers of four heads each."""
    for _ in range(2):
        normal = op.mvn(x, whole(2), True, 1e-5, "inside_sqrt")
        heads = [
            op.transpose(
                op.reshape(op.matmul(normal, weights(64, 64), False, False), whole(1, 16, 4, 16), False),
                whole(0, 2, 1, 3),
            )
            for _ in range(3)
        ]
        joined = op.reshape(op.transpose(attention(*heads), whole(0, 2, 1, 3)), whole(1, 16, 64), False)
        x = op.add(x, op.matmul(joined, weights(64, 64), False, False))
        normal = op.mvn(x, whole(2), True, 1e-5, "inside_sqrt")
        inner = op.gelu(op.matmul(normal, weights(64, 128), False, False), "erf")
        x = op.add(x, op.matmul(inner, weights(128, 64), False, False))
    return x


def recurrent(sequence, gates):
    """A sequence of five steps of 16 numbers, of which 32 are remembered."""
    steps = op.constant(np.array([5], np.int32))
    learnt = weights(1, gates * 32, 16), weights(1, gates * 32, 32), weights(1, gates * 32)
    return lambda x, *first: sequence(x, *first, steps, *learnt, 32, "FORWARD").output(0)


FILTERS = weights(8, 3, 3, 3)
WEIGHTS = weights(100, 40)
TABLE, PICTURE, CUBE = (4, 100), (1, 3, 16, 16), (2, 3, 5)
OPERATIONS = {
    "abs": of(op.abs, TABLE),
    "add": of(op.add, PICTURE, PICTURE),
    "atan": of(op.atan, TABLE),
    "attention": of(attention, *[(1, 4, 16, 32)] * 3),
    "average_pool": of(lambda x: op.avg_pool(x, [2, 2], [0, 0], [0, 0], [2, 2], True), PICTURE),
    "batch_norm": of(lambda x: op.batch_norm_inference(x, *[each(3, n) for n in (2, 3, 0.5, 0.7)], 1e-5), PICTURE),
    "broadcast": of(lambda x: op.broadcast(x, whole(7, 2, 3, 5)), CUBE),
    "clamp": of(lambda x: op.clamp(x, 0.2, 0.7), TABLE),
    "concat": of(lambda x, y: op.concat([x, y], 1), TABLE, TABLE),
    "convert": of(lambda x: op.convert(times_nine(x), "i32"), TABLE),
    "convolution": of(lambda x: op.convolution(x, FILTERS, [1, 1], [1, 1], [1, 1], [1, 1]), PICTURE),
    "convolution_1x1": of(lambda x: convolved(x, weights(64, 32, 1, 1), pad=0), (2, 32, 14, 14)),
    "convolution_3d": of(lambda x: convolved(x, weights(4, 3, 3, 3, 3), dimensions=3), (1, 3, 6, 8, 8)),
    "convolution_backprop": of(lambda x: op.convolution_backprop_data(x, weights(8, 4, 3, 3), [2, 2]), (1, 8, 10, 10)),
    "convolution_dilated": of(lambda x: convolved(x, weights(16, 16, 3, 3), 1, 2, 2), (1, 16, 20, 20)),
    "cumulative_sum": of(lambda x: op.cum_sum(x, op.constant(np.int64(1))), TABLE),
    "depth_to_space": of(lambda x: op.depth_to_space(x, "blocks_first", 2), (1, 16, 8, 8)),
    "divide": of(op.divide, TABLE, TABLE),
    "erf": of(op.erf, TABLE),
    "exp": of(op.exp, TABLE),
    "floor": of(lambda x: op.floor(times_nine(x)), TABLE),
    "fully_connected": of(lambda x: op.matmul(x, WEIGHTS, False, False), TABLE),
    "gather": of(lambda x: op.gather(x, whole(1, 5, 7), op.constant(np.int64(1))), TABLE),
    "gather_nd": of(lambda x: op.gather_nd(x, op.constant(np.array([[3, 1], [0, 99]], np.int32))), TABLE),
    "gelu": of(lambda x: op.gelu(x, "erf"), TABLE),
    "greater": of(lambda x, y: op.convert(op.greater(x, y), "f32"), TABLE, TABLE),
    "group_convolution": of(lambda x: op.group_convolution(x, weights(16, 1, 1, 3, 3), *[[1, 1]] * 4), (1, 16, 20, 20)),
    "gru": of(recurrent(op.gru_sequence, 3), (1, 5, 16), (1, 1, 32)),
    "interpolate": of(lambda x: op.interpolate(x, whole(32, 32), "linear", "sizes", axes=whole(2, 3)), (1, 8, 16, 16)),
    "log": of(op.log, TABLE),
    "lrn": of(lambda x: op.lrn(x, whole(1), 1e-4, 0.75, 1.0, 5), (1, 16, 8, 8)),
    "lstm": of(recurrent(op.lstm_sequence, 4), (1, 5, 16), *[(1, 1, 32)] * 2),
    "matmul": of(lambda x, y: op.matmul(x, y, False, False), (64, 48), (48, 32)),
    "matrix_vector": of(lambda x: op.matmul(x, weights(256, 512), False, False), (1, 256)),
    "max_pool": of(lambda x: op.max_pool(x, [2, 2], [1, 1], [0, 0], [0, 0], [2, 2]).output(0), PICTURE),
    "mvn": of(lambda x: op.mvn(x, whole(1), True, 1e-6, "inside_sqrt"), TABLE),
    "network": of(network, PICTURE),
    "normalize_l2": of(lambda x: op.normalize_l2(x, whole(1), 1e-6, "add"), (1, 16, 8, 8)),
    "one_hot": of(
        lambda x: op.one_hot(
            op.convert(times_nine(x), "i32"),
            op.constant(np.int64(9)),
            op.constant(np.float32(1)),
            op.constant(np.float32(0)),
            1,
        ),
        TABLE,
    ),
    "pad": of(lambda x: op.pad(x, whole(0, 1, 2), whole(1, 0, 3), "constant", op.constant(np.float32(5))), CUBE),
    "power": of(op.power, TABLE, TABLE),
    "prelu": of(lambda x: op.prelu(x, op.constant(np.array([0.5], np.float32))), TABLE),
    "reduce_max": of(lambda x: op.reduce_max(x, whole(1), False), TABLE),
    "reduce_sum": of(lambda x: op.reduce_sum(x, whole(2, 3), False), PICTURE),
    "relu": of(op.relu, PICTURE),
    "reshape": of(lambda x: op.reshape(x, whole(5, 6), False), CUBE),
    "roi_align": of(
        lambda x: op.roi_align(
            x,
            op.constant(np.array([[1, 1, 7, 8]], np.float32)),
            op.constant(np.array([0], np.int32)),
            *(3, 3, 2, 0.9, "avg"),
        ),
        PICTURE,
    ),
    "scaled_attention": of(op.scaled_dot_product_attention, *[(1, 4, 16, 64)] * 3),
    "scatter": of(
        lambda x: op.scatter_update(x, whole(1, 3), op.constant(np.full((2, 100), 5, np.float32)), whole(0)), TABLE
    ),
    "select": of(lambda x, y: op.select(op.greater(x, y), x, op.negative(y)), TABLE, TABLE),
    "sigmoid": of(op.sigmoid, TABLE),
    "sin": of(op.sin, TABLE),
    "slice": of(lambda x: op.slice(x, whole(0, 10), whole(3, 90), whole(1, 7)), TABLE),
    "softmax": of(lambda x: op.softmax(x, 1), TABLE),
    "split": of(lambda x: op.split(x, op.constant(np.int64(1)), 4).output(2), TABLE),
    "sqrt": of(op.sqrt, TABLE),
    "tanh": of(op.tanh, TABLE),
    "tile": of(lambda x: op.tile(x, whole(2, 1, 3)), CUBE),
    "top_k": of(lambda x: op.topk(x, op.constant(np.int64(5)), 1, "max", "value").output(0), TABLE),
    "transformer": of(transformer, (1, 16, 64)),
    "transpose": of(lambda x: op.transpose(x, whole(2, 0, 1)), CUBE),
}


def main():
    if sys.argv[1:] == ["--list"]:
        print(" ".join(OPERATIONS))
        return 0
    arguments, result = OPERATIONS[sys.argv[1]]()
    model = openvino.Model([result], arguments)
    values = [random.random(tuple(a.get_shape()), np.float32) for a in arguments]
    core, halves = openvino.Core(), sys.argv[2:] == ["f16"]
    expected = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(values)[0]
    # The plugin's queue is out of order, and of an operation's kernels it waits for the last alone
    # (ocl_events::wait_impl): another one may go on while its results are read, as it does while it is compiled.
    compiled = core.compile_model(model, "GPU", {"INFERENCE_PRECISION_HINT": "f16" if halves else "f32"})
    compiled(values)
    got = compiled(values)[0]
    error = np.abs(got.astype(np.float64) - expected).max() / max(np.abs(expected).max(), 1e-30)
    print(f"off by {error:.2g} of the largest")
    return int(not error < (0.02 if halves else 2e-6))


if __name__ == "__main__":
    sys.exit(main())
