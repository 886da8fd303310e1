# SPDX-License-Identifier: MIT
"""Docstrings, examples and stubs say what is so."""
import ast
import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import imsat
from support import SOURCE

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


def modules():
    yield imsat
    for found in pkgutil.iter_modules(imsat.__path__):
        if found.name != "_imsat":
            yield importlib.import_module(f"imsat.{found.name}")


class Documents(unittest.TestCase):
    def test_docstrings(self):
        tried = 0
        for module in modules():
            failed, count = doctest.testmod(module)
            self.assertEqual(failed, 0, module.__name__)
            tried += count
        self.assertGreater(tried, 20)

    def test_page(self):
        failed, tried = doctest.testfile(str(SOURCE / "docs/python.md"), module_relative=False)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 20)

    def test_everything_public_is_documented(self):
        for name in imsat.__all__:
            thing = getattr(imsat, name)
            if isinstance(thing, type) and issubclass(thing, Exception):
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            for method, value in vars(thing).items() if isinstance(thing, type) else ():
                if inspect.isfunction(value) and not method.startswith("_"):
                    self.assertTrue(inspect.getdoc(value), f"{name}.{method}")

    def test_every_parameter_is_documented(self):
        for estimator in (imsat.IMSAT, imsat.Hasher):
            for name in estimator().get_params():
                self.assertIn(f"\n    {name} : ", estimator.__doc__)

    def test_stubs(self):
        """The stubs have all names, and the estimators all of their parameters."""
        path = Path(imsat.__file__).with_suffix(".pyi")
        self.assertTrue(path.with_name("py.typed").exists())
        found = {node.name: node for node in ast.parse(path.read_text(encoding="utf-8")).body
                 if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual(set(found) | {"metrics"}, set(imsat.__all__))
        for estimator in (imsat.IMSAT, imsat.Hasher):
            methods = {node.name: node for node in found[estimator.__name__].body
                       if isinstance(node, ast.FunctionDef)}
            self.assertLessEqual({"fit", "transform", "get_params", "save"}, set(methods))
            names = [a.arg for a in methods["__init__"].args.args[1:]
                     + methods["__init__"].args.kwonlyargs]
            self.assertEqual(names, list(inspect.signature(estimator).parameters))

    def test_lines(self):
        for path in sorted(SOURCE.glob("python/**/*.py*")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                self.assertLessEqual(len(line), 100, f"{path}:{number}")


class Examples(unittest.TestCase):
    def test_examples(self):
        self.assertEqual(len(EXAMPLES), 4)
        for path in EXAMPLES:
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, path], cwd=folder, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertTrue(done.stdout)


if __name__ == "__main__":
    unittest.main()
