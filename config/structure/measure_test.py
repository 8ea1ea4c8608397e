"""Tests of measure; run: python3 config/structure/measure_test.py"""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import tempfile
import unittest

script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "measure")
loader = importlib.machinery.SourceFileLoader("measure", script)
measure = importlib.util.module_from_spec(importlib.util.spec_from_loader("measure", loader))
loader.exec_module(measure)

WORKER = '''package io.optimus.model.job;

import java.util.List;

/** Has { braces } and "quotes" in its comment. */
public final class Worker {
    record Size(int ps, List<int[]> workers) {
        Size {
            check(ps);
        }
    }

    @Deprecated(since = "{")
    Worker(int a, String b, Size c) {}

    String text() {
        // A brace in a literal is no block: }
        Runnable run = () -> {
            System.out.println("}");
        };
        return "{";
    }
}
'''


class MeasureTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, module, name, text):
        package = name.rpartition(".")[0]
        path = os.path.join(self.folder.name, module, "src/main/java", *name.split(".")) + ".java"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if text.startswith("package") else f"package {package};\n{text}")

    def files(self):
        return measure.source_files(self.folder.name)

    def test_counts_methods_and_constructor_parameters(self):
        self.write("model", "io.optimus.model.job.Worker", WORKER)
        (file,) = self.files()
        self.assertEqual(sorted(file.methods), [(1, "Worker.Worker"), (3, "Worker.Size"), (7, "Worker.text")])
        self.assertEqual(sorted(file.constructors), [(2, "Worker.Size"), (3, "Worker")])
        self.assertTrue(file.public)
        self.assertEqual(file.type_lines, 18)

    def test_finds_packages_that_import_each_other(self):
        self.write("model", "io.optimus.model.a.A", "import io.optimus.model.b.B;\nclass A { B b; }")
        self.write("model", "io.optimus.model.b.B", "import io.optimus.model.a.A;\nclass B { A a; }")
        self.write("model", "io.optimus.model.c.C", "import io.optimus.model.a.A;\nclass C { A a; }")
        self.assertEqual(measure.cycles(self.files()), [("io.optimus.model.a", "io.optimus.model.b")])
        (problem,) = measure.check(self.files())
        self.assertIn("io.optimus.model.a, io.optimus.model.b", problem)

    def test_names_what_no_entry_point_reaches(self):
        self.write("am", "io.optimus.am.Main", "class Main { static void main(String[] a) { new Used(); } }")
        self.write("am", "io.optimus.am.Used", "class Used {}")
        self.write("am", "io.optimus.am.Unused", "class Unused { Below below; }")
        self.write("am", "io.optimus.am.Below", "class Below {}")
        self.write("benchmarks", "io.optimus.benchmarks.Suite", "import io.optimus.am.Unused;\nclass Suite { Unused u; }")
        files = self.files()
        self.assertEqual(
            measure.without_caller(self.folder.name, files, measure.References(files)),
            (["io.optimus.am.Unused"], ["io.optimus.am.Below"]))

    def test_reads_what_a_policy_reaches_without_the_vocabulary(self):
        self.write("model", "io.optimus.model.policy.AllocationPolicy", "interface AllocationPolicy { Job job(); }")
        self.write("model", "io.optimus.model.policy.Job", "record Job() {}")
        self.write("model", "io.optimus.model.policy.own.P",
                   "import io.optimus.model.policy.AllocationPolicy;\nimport io.optimus.model.policy.Job;\n"
                   "class P implements AllocationPolicy { Rule rule; Job job; }")
        self.write("model", "io.optimus.model.policy.own.Rule", "class Rule { Part part; }")
        self.write("model", "io.optimus.model.policy.own.Part", "class Part { io.optimus.model.fit.Fit fit; }")
        self.write("model", "io.optimus.model.fit.Fit", "class Fit { Deep deep; }")
        self.write("model", "io.optimus.model.fit.Deep", "class Deep {}")
        read = measure.to_read("P", measure.References(self.files()))
        self.assertEqual([name.rpartition(".")[2] for name in read], ["Fit", "AllocationPolicy", "P", "Part", "Rule"])

    def test_prints_a_column_for_each_module(self):
        self.write("model", "io.optimus.model.job.Worker", WORKER)
        self.write("am", "io.optimus.am.Worker", "class Worker {}")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(measure.main(["--root", self.folder.name]), 0)
        self.assertRegex(out.getvalue(), r"^ +all +am +model")
        self.assertIn("  Worker: io.optimus.am, io.optimus.model.job", out.getvalue())


if __name__ == "__main__":
    unittest.main()
