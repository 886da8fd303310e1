# SPDX-License-Identifier: MIT
"""Build the extension, the library that it carries, and the stubs for type checkers.

The library is built where `make` builds it, in build/ of the source tree, and is linked in
whole, so that the wheel needs no libimsat on the system. What is made on the way goes to
build/python.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
HERE = pathlib.Path(__file__).resolve().parent


def version() -> str:
    """The version that the header says."""
    header = (ROOT / "include/imsat/imsat.h").read_text(encoding="utf-8")
    found = re.search(r'#define IMSAT_VERSION "([^"]+)"', header)
    if not found:
        raise SystemExit("include/imsat/imsat.h: has no IMSAT_VERSION")
    return found.group(1)


def pkg_config(*arguments: str) -> list[str]:
    """The flags of a package; those of the library itself are in its build folder."""
    environment = dict(os.environ)
    paths = [str(BUILD), environment.get("PKG_CONFIG_PATH", "")]
    environment["PKG_CONFIG_PATH"] = os.pathsep.join(path for path in paths if path)
    done = subprocess.run(["pkg-config", *arguments], check=True, text=True,
                          stdout=subprocess.PIPE, env=environment)
    return shlex.split(done.stdout)


class Build(build_ext):
    """Builds the library first."""

    def run(self) -> None:
        subprocess.run(["cmake", "--preset", "release", "--log-level=WARNING"], cwd=ROOT,
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", "--preset", "release", "--target", "imsat_static"],
                       cwd=ROOT, check=True)
        super().run()
        if not self.inplace:
            self.write_stubs(pathlib.Path(self.build_lib))

    def write_stubs(self, folder: pathlib.Path) -> None:
        """By the package itself, which has its parameters from the library."""
        # By its text, not its name: Python would look for the package beside the file first, where
        # the extension is not.
        program = (HERE / "stubs.py").read_text(encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", "-"], check=True, text=True, input=program,
                              stdout=subprocess.PIPE, cwd=folder)
        (folder / "imsat/__init__.pyi").write_text(done.stdout, encoding="utf-8")

    def build_extension(self, ext: Extension) -> None:
        libraries = pkg_config("--static", "--libs", "imsat")
        ext.extra_objects = [str(BUILD / "libimsat.a")]
        ext.extra_link_args += [flag for flag in libraries if flag != "-limsat"]
        super().build_extension(ext)


(BUILD / "python").mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    ext_modules=[
        Extension(
            "imsat._imsat",
            sources=sorted(str(path.relative_to(HERE)) for path in (HERE / "src").glob("*.c")),
            depends=["src/binding.h", str(BUILD / "libimsat.a")],
            include_dirs=[str(ROOT / "include")],
            extra_compile_args=["-std=c11", "-Wall", "-Wextra", "-Wshadow", "-fvisibility=hidden",
                                "-Wwrite-strings", "-Wvla", "-Wundef"],
            extra_link_args=["-Wl,--exclude-libs,ALL"],
            py_limited_api=True,
        )
    ],
    cmdclass={"build_ext": Build},
    options={
        "bdist_wheel": {"py_limited_api": "cp311"},
        "build": {"build_base": str(BUILD / "python")},
        "egg_info": {"egg_base": str(BUILD / "python")},
    },
)
