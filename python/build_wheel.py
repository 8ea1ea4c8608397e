#!/usr/bin/env python3
"""Builds the wheel of optimus_yarn with the standard library: ``build_wheel.py FOLDER``.

pip calls the same function as a build backend (PEP 517). Equal sources make equal bytes.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import pathlib
import re
import sys
import tarfile
import zipfile
from typing import Any, Optional

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = "optimus_yarn"
# The first time that a zip file can hold.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)
WHEEL = "Wheel-Version: 1.0\nGenerator: optimus_yarn build_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def project() -> dict[str, str]:
    """Returns the plain strings of pyproject's section [project]; Python 3.9 has no reader of TOML."""
    section = (HERE / "pyproject.toml").read_text(encoding="utf-8").split("[project]")[1].split("\n[")[0]
    return dict(re.findall(r'^([a-z-]+) = "(.*)"$', section, re.MULTILINE))


def metadata() -> str:
    values = project()
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {values['name']}\nVersion: {values['version']}\n"
        f"Summary: {values['description']}\n"
        f"License: Apache-2.0\nRequires-Python: {values['requires-python']}\n"
        "Description-Content-Type: text/markdown\n\n" + (HERE / "README.md").read_text(encoding="utf-8")
    )


def sources() -> list[pathlib.Path]:
    return sorted((HERE / PACKAGE).rglob("*.py"))


def build_wheel(
    wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    """Writes the wheel into a folder and returns its file name (PEP 517)."""
    version = project()["version"]
    information = f"{PACKAGE}-{version}.dist-info"
    files = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in sources()}
    files[f"{information}/METADATA"] = metadata().encode()
    files[f"{information}/WHEEL"] = WHEEL.encode()
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{information}/RECORD"] = (record + f"{information}/RECORD,,\n").encode()
    name = f"{PACKAGE}-{version}-py3-none-any.whl"
    pathlib.Path(wheel_directory).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, ZIP_TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    """Writes the sources into a folder and returns the file's name (PEP 517)."""
    root = f"{PACKAGE}-{project()['version']}"
    with tarfile.open(pathlib.Path(sdist_directory, f"{root}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in [HERE / "pyproject.toml", HERE / "README.md", HERE / "build_wheel.py", *sources()]:
            archive.add(path, f"{root}/{path.relative_to(HERE).as_posix()}")
    return f"{root}.tar.gz"


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds the wheel of optimus_yarn.")
    parser.add_argument("folder", help="where the wheel goes")
    arguments = parser.parse_args()
    print(pathlib.Path(arguments.folder, build_wheel(arguments.folder)))


if __name__ == "__main__":
    sys.exit(main())
