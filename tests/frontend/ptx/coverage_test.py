#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the table of PTX instructions against what tests them: every form of an instruction is used, and every modifier
of it that changes what is computed. Usage: coverage_test.py INSTRUCTIONS.def TABLE-OR-FOLDER…"""
import re
import subprocess
import sys
from pathlib import Path

# Hints, and modifiers that make no difference here: everything shares one memory.
HINTS = {"LDCACHE", "STCACHE", "EVICT1", "EVICT2", "FETCH2", "HINT", "SCOPE", "MEMORY", "SHARED", "SEM"}
# Widths of wgmma, of which some stand for all.
HINTS |= {"DEEP16_", "DEEP8_", "DEEP32_", "BYTES32_", "BITS256_"}
INERT = {"cta", "cluster", "release", "relaxed", "acquire", "uni", "weak", "aligned", "rn", "noinc", "global", "mask"}
# Other names of .shared and .param.
INERT |= {"shared::cta", "shared::cluster", "param::entry", "param::func"}
# Forms whose modifiers are hints altogether.
INERT_FORMS = {"prefetch", "prefetchu", "applypriority", "createpolicy", "discard", "membar", "fence", "griddepcontrol"}


def read_table(path):
    sets, forms = {}, []
    for line in re.sub(r'"\s*\n\s*', '" ', Path(path).read_text()).splitlines():
        if found := re.match(r'US_PTX_SET\((\w+), "([^"]*)"\)', line):
            sets[found[1]] = found[2]
        elif found := re.match(r'US_PTX\("([^"]*)", *"([^"]*)"', line):
            forms.append((found[1], found[2]))
    return sets, forms


def expand(words, sets):
    found = []
    for word in words.split("|"):
        found += expand(sets[word], sets) if word in sets else [word]
    return found


def slots_of(form, sets):
    """The opcode, and for each modifier (optional, words, the name it has in the table)."""
    opcode = re.match(r"\w+", form)[0]
    form = form.replace("!", "")
    slots = []
    for braced, plain in re.findall(r"\{\.([^}]*)\}|\.([^.{}]*(?:\|\.[^.{}]*)*)", form[len(opcode) :]):
        slots.append((bool(braced), expand(braced or plain, sets), braced or plain))
    return opcode, slots


def match(slots, modifiers):
    """Which word each slot has (None: left out), or nothing if the instruction is of another form."""
    if not slots:
        return [] if not modifiers else None
    optional, words, _ = slots[0]
    if modifiers and modifiers[0] in words and (rest := match(slots[1:], modifiers[1:])) is not None:
        return [modifiers[0], *rest]
    if optional and (rest := match(slots[1:], modifiers)) is not None:
        return [None, *rest]
    return None


def split_operands(text):
    depth, parts = 0, [""]
    for c in text:
        depth += (c in "{[(") - (c in "}])")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return len([p for p in parts if p.strip()])


def instructions_of(paths):
    """(opcode, modifiers, number of operands) of every instruction: of kernels, of the PTX in C++ tests, of the rows of
    a table, and of kernels that a program prints."""
    for path in paths:
        text = path.read_text()
        if path.suffix == ".py":
            text = subprocess.run([sys.executable, path, "--print"], check=True, capture_output=True, text=True).stdout
        if "build-error" in text:
            continue
        if path.suffix == ".txt":
            for line in text.splitlines():
                if line.strip() and not line.startswith("#"):
                    before, after = line.split("->")
                    if after.strip() == "!":
                        continue
                    results = [w for w in after.split() if not w.startswith("[")]
                    name, *sources = before.split()
                    yield name.split(".")[0], name.split(".")[1:], len(sources) + min(len(results), 1)
            continue
        if path.suffix == ".cpp":
            # In pieces of strings: how many operands there are cannot be told.
            for found in re.finditer(r"(?<![\w.%])([a-z]\w*)((?:\.[\w:]+)*)(?=[\s;\"])", text):
                yield found[1], found[2].split(".")[1:], None
            continue
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
        for statement in re.split(r";|\{(?=\s*\n)|\}(?=\s*\n)|:(?=\s)", text):
            statement = re.sub(r"^@!?[\w%$]+\s+", "", statement.strip())
            if found := re.match(r"([a-z]\w*)((?:\.[\w:]+)*)(?:\s+(.*))?$", statement, re.S):
                yield found[1], found[2].split(".")[1:], split_operands(found[3] or "")


def main():
    sets, forms = read_table(sys.argv[1])
    places = [Path(p) for p in sys.argv[2:]]
    paths = [f for p in places for f in (sorted(p.rglob("*.ptx")) + sorted(p.glob("*.cpp")) if p.is_dir() else [p])]
    used = {}
    for opcode, modifiers, count in instructions_of(paths):
        used.setdefault(opcode, set()).add((tuple(modifiers), count))
    missing, wanted, tested = [], {}, {}
    for form, operands in forms:
        opcode, slots = slots_of(form, sets)
        rules = operands.split()
        least = sum(not r.endswith("?") for r in rules)
        matched = [
            m
            for modifiers, count in used.get(opcode, ())
            if (count is None or least <= count <= len(rules)) and (m := match(slots, list(modifiers))) is not None
        ]
        if not matched:
            missing.append(f'{form} "{operands}": no instruction of this form')
        tested.setdefault(opcode, set()).update(word for m in matched for word in m if word)
        for _, words, name in slots:
            if name not in HINTS and opcode not in INERT_FORMS:
                # st.const has a message of its own.
                wanted.setdefault(opcode, set()).update(set(words) - INERT - ({"const"} if opcode == "st" else set()))
    for opcode, words in wanted.items():
        if lacking := sorted(words - tested[opcode]):
            missing.append(f"{opcode}: no test with .{', .'.join(lacking)}")
    print("\n".join(missing))
    print(f"{len(forms)} forms of {len(tested)} instructions, {len(missing)} gaps")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
