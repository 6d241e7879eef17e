# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenVINO's operations, a model of each, by its GPU plugin (OpenCL) against its CPU plugin.

openvino_operations.py --list, or openvino_operations.py OPERATION: exit 0 if both agree to the rounding of 32-bit
floats."""
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


FILTERS = op.constant(random.normal(0, 0.3, (8, 3, 3, 3)).astype(np.float32))
WEIGHTS = op.constant(random.normal(0, 0.3, (100, 40)).astype(np.float32))
TABLE, PICTURE, CUBE = (4, 100), (1, 3, 16, 16), (2, 3, 5)
OPERATIONS = {
    "abs": of(op.abs, TABLE),
    "add": of(op.add, PICTURE, PICTURE),
    "atan": of(op.atan, TABLE),
    "average_pool": of(lambda x: op.avg_pool(x, [2, 2], [0, 0], [0, 0], [2, 2], True), PICTURE),
    "broadcast": of(lambda x: op.broadcast(x, whole(7, 2, 3, 5)), CUBE),
    "clamp": of(lambda x: op.clamp(x, 0.2, 0.7), TABLE),
    "concat": of(lambda x, y: op.concat([x, y], 1), TABLE, TABLE),
    "convert": of(lambda x: op.convert(times_nine(x), "i32"), TABLE),
    "convolution": of(lambda x: op.convolution(x, FILTERS, [1, 1], [1, 1], [1, 1], [1, 1]), PICTURE),
    "cumulative_sum": of(lambda x: op.cum_sum(x, op.constant(np.int64(1))), TABLE),
    "divide": of(op.divide, TABLE, TABLE),
    "erf": of(op.erf, TABLE),
    "exp": of(op.exp, TABLE),
    "floor": of(lambda x: op.floor(times_nine(x)), TABLE),
    "fully_connected": of(lambda x: op.matmul(x, WEIGHTS, False, False), TABLE),
    "gather": of(lambda x: op.gather(x, whole(1, 5, 7), op.constant(np.int64(1))), TABLE),
    "gelu": of(lambda x: op.gelu(x, "erf"), TABLE),
    "greater": of(lambda x, y: op.convert(op.greater(x, y), "f32"), TABLE, TABLE),
    "interpolate": of(lambda x: op.interpolate(x, whole(32, 32), "linear", "sizes", axes=whole(2, 3)), (1, 8, 16, 16)),
    "log": of(op.log, TABLE),
    "matmul": of(lambda x, y: op.matmul(x, y, False, False), (64, 48), (48, 32)),
    "max_pool": of(lambda x: op.max_pool(x, [2, 2], [1, 1], [0, 0], [0, 0], [2, 2]).output(0), PICTURE),
    "mvn": of(lambda x: op.mvn(x, whole(1), True, 1e-6, "inside_sqrt"), TABLE),
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
    "transpose": of(lambda x: op.transpose(x, whole(2, 0, 1)), CUBE),
}


def main():
    if sys.argv[1:] == ["--list"]:
        print(" ".join(OPERATIONS))
        return 0
    arguments, result = OPERATIONS[sys.argv[1]]()
    model = openvino.Model([result], arguments)
    values = [random.random(tuple(a.get_shape()), np.float32) for a in arguments]
    core, options = openvino.Core(), {"INFERENCE_PRECISION_HINT": "f32"}
    expected = core.compile_model(model, "CPU", options)(values)[0]
    # The plugin's queue is out of order, and of an operation's kernels it waits for the last alone (ocl_events::wait_impl):
    # what is read first may be read before another one ended, where that one took long, as it does when it is compiled.
    compiled = core.compile_model(model, "GPU", options)
    compiled(values)
    got = compiled(values)[0]
    error = np.abs(got.astype(np.float64) - expected).max() / max(np.abs(expected).max(), 1e-30)
    print(f"off by {error:.2g} of the largest")
    return int(not error < 2e-6)


if __name__ == "__main__":
    sys.exit(main())
