# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reports that `understudy check` writes: check_reports_test.py <understudy>"""
import html.parser
import json
import re
import unittest
import xml.etree.ElementTree

from checked_program import HOSTILE, OUT, RACE, WithFolder, began, check, ended, found


class Sarif(WithFolder):
    def of(self, *lines, options=(), code=123):
        done = check(["--sarif", self.path("all.sarif"), *options], *lines, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        log = json.loads((self.folder / "all.sarif").read_text())
        # SARIF 2.1.0, 3.13.2: "The value of this property SHALL be "2.1.0"".
        self.assertEqual(log["version"], "2.1.0")
        self.assertTrue(log["$schema"].endswith("sarif-2.1.0.json"))
        [self.run] = log["runs"]
        self.driver = self.run["tool"]["driver"]
        return self.run["results"]

    def test_has_what_hosts_demand(self):
        results = self.of(began(), found(OUT), found(RACE), found(OUT, key="second"), ended())
        self.assertEqual(len(results), 3)
        self.assertEqual(self.driver["name"], "Understudy")
        self.assertRegex(self.driver["semanticVersion"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(
            [rule["id"] for rule in self.driver["rules"]], ["memory/out-of-bounds-write", "races/write-and-write"]
        )
        for rule in self.driver["rules"]:
            for field in ("shortDescription", "fullDescription", "help"):
                self.assertTrue(rule[field]["text"])
            self.assertIn(rule["defaultConfiguration"]["level"], ("error", "warning", "note"))
        for result in results:
            self.assertEqual(self.driver["rules"][result["ruleIndex"]]["id"], result["ruleId"])
            self.assertTrue(result["message"]["text"])
            for location in [*result["locations"], *result["relatedLocations"]]:
                physical = location["physicalLocation"]
                self.assertTrue(physical["artifactLocation"]["uri"])
                self.assertGreaterEqual(physical["region"]["startLine"], 1)
                self.assertGreaterEqual(physical["region"]["startColumn"], 1)
            for location in result["relatedLocations"]:
                self.assertTrue(location["message"]["text"])
        prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]
        self.assertEqual(len(set(prints)), 3)

    def test_has_both_sides_and_the_calls(self):
        out, race = self.of(began(), found(OUT), found(RACE), ended())
        region = out["locations"][0]["physicalLocation"]["region"]
        self.assertEqual((region["startLine"], region["startColumn"], region["endColumn"]), (5, 5, 21))
        self.assertEqual(region["snippet"]["text"], OUT["place"]["text"])
        self.assertEqual(out["locations"][0]["logicalLocations"][0]["name"], "store")
        call, follow = out["relatedLocations"]
        self.assertEqual((call["id"], call["message"]["text"]), (1, "inlined into kernels/saxpy.cl:20, in 'saxpy'"))
        self.assertEqual(
            (follow["id"], follow["message"]["text"]), (2, "follows from it: kernel 'saxpy' divided 1 by zero.")
        )
        self.assertEqual(follow["physicalLocation"]["region"]["startLine"], 6)
        self.assertIn(
            "follows from it: arithmetic: division by zero, kernels/saxpy.cl:6, work-item 16", out["message"]["text"]
        )
        [side] = race["relatedLocations"]
        self.assertEqual(side["physicalLocation"]["region"]["startLine"], 12)
        self.assertIn("with no barrier between", side["message"]["text"])

    def test_counts_characters_and_escapes_paths(self):
        place = {"file": "a b/ü#%.cl", "line": 2, "column": 6, "text": "äöx;"}
        [result] = self.of(began(), found(OUT, place=place, inlinedFrom=[]), ended())
        physical = result["locations"][0]["physicalLocation"]
        self.assertEqual(physical["artifactLocation"]["uri"], "a%20b/%C3%BC%23%25.cl")
        self.assertEqual(physical["region"]["startColumn"], 4)

    def test_counts_paths_from_the_repository(self):
        (self.folder / "here/.git").mkdir(parents=True)
        (self.folder / "here/build").mkdir()
        self.folder = self.folder / "here/build"
        for file, uri in (
            ("../src/x.cl", "src/x.cl"),
            (str(self.folder.parent / "src/x.cl"), "src/x.cl"),
            ("/usr/x.cl", "file:///usr/x.cl"),
            ("../../x.cl", "file://" + str(self.folder.parent.parent / "x.cl")),
            ("", "kernels/saxpy"),
            ("<source>", "kernels/saxpy"),
        ):
            [result] = self.of(began(), found(OUT, place={"file": file, "line": 1}), ended())
            artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
            self.assertEqual(artifact["uri"], uri)
            self.assertEqual("uriBaseId" in artifact, uri == "src/x.cl")
        self.assertEqual(self.run["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file://" + str(self.folder.parent) + "/")

    def test_leaves_out_what_is_suppressed(self):
        self.assertEqual(self.of(began(), found(OUT), ended(), options=["--accept", "*"], code=0), [])
        self.assertEqual(self.run["invocations"][0]["properties"]["suppressed"], 1)

    def test_says_how_the_run_went(self):
        for lines, code, successful in (
            ([began(), ended()], 0, True),
            ([], 124, False),
            ([began(), "nonsense\n"], 125, False),
        ):
            self.of(*lines, code=code)
            [invocation] = self.run["invocations"]
            self.assertEqual((invocation["exitCode"], invocation["executionSuccessful"]), (code, successful))


class JUnit(WithFolder):
    def of(self, *lines):
        check(["--junit", self.path("all.xml")], *lines)
        root = xml.etree.ElementTree.parse(self.path("all.xml")).getroot()
        [suite] = root
        self.assertEqual(root.attrib["tests"], str(len(suite.findall("testcase"))))
        self.assertEqual(root.attrib["failures"], str(len(suite.findall("testcase/failure"))))
        self.assertEqual(root.attrib["errors"], str(len(suite.findall("testcase/error"))))
        return {case.attrib["name"]: case for case in suite.findall("testcase")}

    def test_has_a_case_for_each_kernel(self):
        kernels = {"saxpy": 3, "sum": 1, "fine": 6}
        cases = self.of(began(), found(OUT), found(RACE), found(OUT, key="b"), ended(launchesByKernel=kernels))
        self.assertEqual(set(cases), {"saxpy", "sum", "fine", "the program"})
        failure = cases["saxpy"].find("failure")
        self.assertEqual(failure.attrib["type"], "memory/out-of-bounds-write")
        self.assertEqual(failure.attrib["message"], OUT["sentence"] + " (and 1 finding more)")
        self.assertEqual(failure.text.count("work-items 16-31 of work-groups 0-7"), 2)
        self.assertIn("5 | out[i] = a * x[i];\n", failure.text)
        self.assertIn("follows from it: arithmetic: division by zero, kernels/saxpy.cl:6, ", failure.text)
        self.assertIsNone(cases["fine"].find("failure"))

    def test_is_well_formed_whatever_the_names_are(self):
        cases = self.of(began(), found(OUT, kernel=HOSTILE, sentence=HOSTILE + "\x00\ufffe\U0001f600"), ended())
        [name] = set(cases) - {"the program"}
        self.assertIn("<script>alert(1)</script>\"'&\\x1b[31m", name)
        self.assertIn("\\x00\\ufffe\U0001f600", cases[name].find("failure").attrib["message"])

    def test_says_how_the_program_went(self):
        self.assertIsNone(self.of(began(), ended())["the program"].find("error"))
        self.assertIn("nothing ran", self.of()["the program"].find("error").attrib["message"])
        self.assertIn(
            "exit code is 7", self.of(began(), ended(), "fail")["the program"].find("error").attrib["message"]
        )


class Page(html.parser.HTMLParser):
    """The tags of a page, its text, and that what it opens it closes."""

    VOID = {"meta", "input", "path", "rect"}

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.text = [], [], ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data

    def named(self, tag, **attributes):
        return [has for name, has in self.tags if name == tag and attributes.items() <= has.items()]


class Html(WithFolder):
    def of(self, *lines):
        check(["--html", self.path("all.html")], *lines)
        self.source = (self.folder / "all.html").read_text()
        return Page(self.source)

    def test_needs_nothing_else(self):
        page = self.of(began(), found(OUT), found(RACE), ended())
        [policy] = page.named("meta", **{"http-equiv": "Content-Security-Policy"})
        self.assertEqual(policy["content"], "default-src 'none'; style-src 'unsafe-inline'")
        self.assertFalse({tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "base", "form"})
        self.assertNotRegex(self.source, r"https?:|url\(|@import| on\w+=")
        for attributes in page.named("a"):
            self.assertTrue(attributes["href"].startswith("#"))

    def test_has_both_sites_the_grid_and_the_strip(self):
        page = self.of(began(), found(OUT), found(RACE), ended())
        self.assertEqual(len(page.named("article")), 2)
        for text in ("out[i] = a * x[i];", "store(out, i);", "*total += x[i];", "*total = 0;", "1.5"):
            self.assertIn(text, page.text)
        grid, strip = page.named("svg")
        self.assertIn("work-group (2, 0, 0) of 8 × 1 × 1, with 64 × 1 × 1 work-items: 16 have", grid["aria-label"])
        self.assertIn("256 bytes; bytes 256 to 259 were touched: it ends 4 bytes behind", strip["aria-label"])
        plain, marked = page.named("path")
        self.assertEqual((plain["d"].count("M"), marked["d"].count("M")), (48, 16))
        self.assertTrue(marked["d"].startswith("M264 0h12"))  # the seventeenth of the first line
        memory, touched = page.named("rect")
        self.assertEqual((memory["x"], memory["width"]), ("2", "630"))
        self.assertGreaterEqual(int(touched["x"]), 632)

    def test_has_a_filter_for_each_class(self):
        page = self.of(began(), found(OUT), found(RACE), found(RACE, key="x", **{"class": "new <class>"}), ended())
        boxes = page.named("input", type="checkbox")
        self.assertEqual(len(boxes), 3)
        sections = [attributes["id"] for attributes in page.named("section") if "id" in attributes]
        for box, section in zip(boxes, sections):
            self.assertIn(f"#{box['id']}:not(:checked) ~ main #{section} {{ display: none }}", self.source)
            self.assertTrue(page.named("label", **{"for": box["id"]}))
        self.assertIn("Memory (1)\nRaces (1)\nnew <class> (1)\n", page.text)

    def test_shows_hostile_text_as_text(self):
        place = {"file": HOSTILE, "line": 1, "column": 3, "function": HOSTILE, "text": HOSTILE}
        words = {name: HOSTILE for name in ("key", "class", "kind", "sentence", "kernel", "memory", "items")}
        second = {"what": HOSTILE, "place": place, "items": HOSTILE}
        details = [[HOSTILE, HOSTILE]]
        hostile = found(OUT, **words, place=place, inlinedFrom=[place], second=second, details=details)
        tame = json.loads(json.dumps(json.loads(hostile)).replace(json.dumps(HOSTILE)[1:-1], "tame"))
        page = self.of(began(device=HOSTILE, checks=[HOSTILE]), hostile, ended())
        tags = [(tag, set(attributes)) for tag, attributes in page.tags]
        self.assertNotIn("\x1b", self.source)
        self.assertIn("<script>alert(1)</script>\"'&\\x1b[31m", page.text)
        page = self.of(began(device="tame", checks=["tame"]), json.dumps(tame) + "\n", ended())
        self.assertEqual(tags, [(tag, set(attributes)) for tag, attributes in page.tags])

    def test_draws_only_what_can_be_drawn(self):
        grid = OUT["grid"]
        for size, drawn in (
            ([1, 1, 1], 1),
            ([16, 16, 4], 1),
            ([4096, 1, 1], 1),
            ([0, 1, 1], 0),
            ([2**63, 2, 1], 0),
            ([64, 64, 64], 0),
        ):
            page = self.of(
                began(), found(OUT, grid={**grid, "localSize": size, "items": [0, 2**63]}, strip=None), ended()
            )
            self.assertEqual(len(page.named("svg")), 0, size)  # null is no object: the line is refused
            changed = {**OUT, "grid": {**grid, "localSize": size, "items": [0, 2**63]}}
            del changed["strip"]
            self.assertEqual(len(self.of(began(), found(changed), ended()).named("svg")), drawn, size)
        most, least = 2**63 - 1, -(2**63)
        for bytes_, first, last in (
            (0, 0, 0),
            (0, 0, 4),
            (64, least, most),
            (64, most, least),
            (2**64 - 1, -8, -4),
            (64, 10**9, 10**9 + 4),
        ):
            page = self.of(began(), found(OUT, strip={"bytes": bytes_, "from": first, "to": last}), ended())
            self.assertEqual(len(page.named("svg")), 2)
            for box in page.named("rect"):
                self.assertLessEqual(int(box["x"]) + int(box["width"]), 648)


if __name__ == "__main__":
    unittest.main()
