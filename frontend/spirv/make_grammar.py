#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns the grammar of SPIRV-Headers (spirv.core.grammar.json) into the rows that grammar.cpp includes.
Usage: make_grammar.py GRAMMAR OUTPUT"""
import json
import sys

CLASSES = {
    "IdResultType": "ResultType",
    "IdResult": "Result",
    "LiteralString": "String",
    "LiteralContextDependentNumber": "TypedNumber",
    "LiteralExtInstInteger": "ExtendedNumber",
    "LiteralSpecConstantOpInteger": "Opcode",
    "PairLiteralIntegerIdRef": "PairTypedNumberId",
    "PairIdRefLiteralInteger": "PairIdNumber",
    "PairIdRefIdRef": "PairIdId",
    "LiteralInteger": "Number",
}
QUANTIFIERS = {None: "Once", "?": "Optional", "*": "Any"}


def class_of(kind):
    if kind["category"] in ("BitEnum", "ValueEnum"):
        return kind["category"]
    return CLASSES.get(kind["kind"], "Id")


def main(grammar_path, output_path):
    with open(grammar_path) as file:
        grammar = json.load(file)
    kinds = {kind["kind"]: number for number, kind in enumerate(grammar["operand_kinds"])}
    operands, enumerants, kind_rows, instructions = [], [], [], []

    def add_operands(entries):
        """The place and number of a run of operands."""
        begin = len(operands)
        operands.extend(f"{{{kinds[e['kind']]}, Quantifier::{QUANTIFIERS[e.get('quantifier')]}}}" for e in entries)
        return f"{begin}, {len(operands) - begin}"

    for kind in grammar["operand_kinds"]:
        begin, seen = len(enumerants), set()
        rows = []
        for enumerant in kind.get("enumerants", []):
            value = enumerant["value"]
            value = int(value, 0) if isinstance(value, str) else value
            if value in seen:  # an alias; the first name is the core one
                continue
            seen.add(value)
            rows.append((value, enumerant))
        for value, enumerant in sorted(rows, key=lambda row: row[0]):
            place = add_operands(enumerant.get("parameters", []))
            enumerants.append(f"{{{value}u, \"{enumerant['enumerant']}\", {place}}}")
        kind_rows.append(f"{{\"{kind['kind']}\", OperandClass::{class_of(kind)}, {begin}, {len(enumerants) - begin}}}")

    seen = set()
    for instruction in sorted(grammar["instructions"], key=lambda row: row["opcode"]):
        if instruction["opcode"] in seen:
            continue
        seen.add(instruction["opcode"])
        place = add_operands(instruction.get("operands", []))
        instructions.append(f"{{{instruction['opcode']}, \"{instruction['opname']}\", {place}}}")

    with open(output_path, "w") as file:
        for name, rows in (
            ("Operand kOperands", operands),
            ("Enumerant kEnumerants", enumerants),
            ("OperandKind kKinds", kind_rows),
            ("InstructionGrammar kInstructions", instructions),
        ):
            file.write(f"constexpr {name}[] = {{\n" + ",\n".join("    " + row for row in rows) + "};\n")
        for name in ("Capability", "Decoration", "ExecutionMode", "BuiltIn", "StorageClass"):
            file.write(f"constexpr uint16_t kKindOf{name} = {kinds[name]};\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
