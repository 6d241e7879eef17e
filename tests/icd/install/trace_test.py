#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`understudy trace`: what is in the trace, read by the numbers of Perfetto's .proto files.
Usage: trace_test.py UNDERSTUDY"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

UNDERSTUDY = Path(sys.argv[1]).resolve()
PROGRAM = UNDERSTUDY.parent / "matrix_product"


def fields(data):
    """A message of protocol buffers: number -> values."""
    found, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        assert key & 7 in (0, 2), "neither a number nor bytes"
        value = varint()
        if key & 7 == 2:
            size = value
            value = data[at : at + size]
            assert len(value) == size, "the end is missing"
            at += size
        found.setdefault(key >> 3, []).append(value)
    return found


def trace(*arguments, expect=0, **environment):
    done = subprocess.run(
        [UNDERSTUDY, "trace", *arguments], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == expect, f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


class Trace(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_launches(self):
        file = self.folder / "trace"
        told = trace("-o", file, "--cache", "no", "--", PROGRAM)
        self.assertIn(f"are in {file}", told)
        packets = [fields(packet) for packet in fields(file.read_bytes())[1]]
        # TracePacket.gpu_render_stage_event
        stages = [fields(value) for packet in packets for value in packet.get(53, ())]
        names = {stage[17][0].decode() for stage in stages}
        source = (Path(__file__).parents[3] / "docs/examples/matrix_product.cpp").read_text()
        self.assertTrue(names)
        for name in names:
            self.assertIn(f"kernel void {name}(", source)
        for stage in stages:
            self.assertGreater(stage[2][0], 0, "duration")
            launch = fields(stage[21][0])
            groups, local = (fields(launch[number][0]) for number in (1, 2))
            self.assertGreater(groups[1][0] * local[1][0], 1)
            self.assertIn("tier", [fields(argument)[2][0].decode() for argument in launch[3]])
            # GpuRenderStageEvent.extra_data, which older viewers show instead
            shown = {part[1][0].decode(): part[2][0].decode() for part in map(fields, stage[6])}
            self.assertEqual(shown["group size"], " x ".join(str(local[axis][0]) for axis in (1, 2, 3)))
            self.assertEqual(shown["groups"], " x ".join(str(groups[axis][0]) for axis in (1, 2, 3)))
        # Each event begins where the trace's clock is, in the order of time as far as launches go.
        times = [packet[8][0] for packet in packets if 53 in packet]
        self.assertEqual(times, sorted(times))
        # InternedData's specifications: what hw_queue_iid and stage_iid refer to.
        interned = [fields(value) for packet in packets for data in packet.get(12, ()) for value in fields(data)[24]]
        known = {value[1][0]: value[2][0] for value in interned}
        self.assertEqual(len(known), len(interned), "each number is one thing's")
        self.assertLessEqual({stage[13][0] for stage in stages}, known.keys())
        for stage in stages:
            self.assertEqual(known[stage[14][0]], stage[17][0], "the name of the stage is the kernel's")
        # TrackEvents begin and end, on tracks that are described.
        tracks = {fields(value)[1][0] for packet in packets for value in packet.get(60, ())}
        depth, kinds = {}, set()
        for packet in packets:
            for event in map(fields, packet.get(11, ())):
                track = event[11][0]
                self.assertIn(track, tracks)
                depth[track] = depth.get(track, 0) + {1: 1, 2: -1}[event[9][0]]
                kinds |= {kind.decode() for kind in event.get(22, ())}
        self.assertEqual(set(depth.values()), {0})
        names = {
            name.decode() for packet in packets for event in packet.get(11, ()) for name in fields(event).get(23, ())
        }
        self.assertLessEqual({"clBuildProgram", "clEnqueueNDRangeKernel"}, names, "calls of the API")
        self.assertIn("build", kinds)
        self.assertIn("code", kinds)

    def test_nothing_ran(self):
        trace("-o", self.folder / "trace", "--", "true", expect=124)

    def test_exit_codes(self):
        trace("-o", self.folder / "trace", "--", "sh", "-c", "exit 7", expect=7)
        self.assertIn("cannot be written", trace("-o", "/nowhere/trace", "--", "true", expect=125))
        self.assertIn("no program was given", trace(expect=106))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
