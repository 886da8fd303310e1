#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The small files beside this one, by the tools that people write such files with. They are kept,
so that the tests need no Python: tests/unit/test_peer_files.c reads them, and
tests/peers/formats.py writes them anew and reads those.

    tests/data/make.py [FOLDER]
"""
import json
import os
import sys
import zipfile

import h5py
import numpy as np
import pandas as pd
import scipy.io
import scipy.sparse
import sklearn.datasets

ROWS, DIM = 7, 3
COUNT = np.arange(ROWS * DIM).reshape(ROWS, DIM)
FLOATS = (COUNT * 0.25 - 2).astype(np.float32)
LABELS = (np.arange(ROWS) ** 2 % 5).astype(np.int64)


def npz(put):
    """np.savez stores and np.savez_compressed deflates."""
    np.savez(put("stored.npz", FLOATS), FLOATS)
    np.savez_compressed(put("deflated.npz", FLOATS, LABELS), x=FLOATS, y=LABELS)
    wide = np.asfortranarray(FLOATS.astype(">f8"))
    np.savez(put("several.npz:wide", FLOATS), wide=wide, bytes=COUNT.astype(np.uint8), y=LABELS)
    put("several.npz:bytes", COUNT)
    # Every size of more than 10 bytes goes to a field of 64 bits.
    limit, zipfile.ZIP64_LIMIT = zipfile.ZIP64_LIMIT, 10
    np.savez(put("zip64.npz", FLOATS, LABELS), data=FLOATS, labels=LABELS)
    zipfile.ZIP64_LIMIT = limit


def vectors(put):
    """The formats of vectors to search, as their pages describe them."""
    for name, kind in ("fvecs", "<f4"), ("bvecs", "u1"), ("ivecs", "<i4"):
        rows = (FLOATS if name == "fvecs" else COUNT).astype(kind)
        with open(put("x." + name, rows), "wb") as file:
            for row in rows:
                np.array(DIM, "<i4").tofile(file)
                row.tofile(file)
    for name, kind in ("fbin", "<f4"), ("u8bin", "u1"), ("i8bin", "i1"), ("ibin", "<i4"):
        rows = (FLOATS if name == "fbin" else COUNT).astype(kind)
        with open(put("x." + name, rows), "wb") as file:
            np.array(rows.shape, "<u4").tofile(file)
            rows.tofile(file)


def safetensors(put):
    """A length, a header of JSON, padded to a multiple of 8 as the library of the format does,
    and the tensors."""
    def write(path, **tensors):
        header, at = {"__metadata__": {"made": "by hand"}}, 0
        for name, (kind, array) in tensors.items():
            header[name] = {"dtype": kind, "shape": array.shape,
                            "data_offsets": [at, at + array.nbytes]}
            at += array.nbytes
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(path, "wb") as file:
            file.write(len(text).to_bytes(8, "little") + text)
            for _, array in tensors.values():
                array.tofile(file)

    write(put("one.safetensors", FLOATS), only=("F32", FLOATS))
    brain = (FLOATS.view("<u4") >> 16).astype("<u2")  # exact: few bits are set
    write(put("several.safetensors:half", FLOATS), half=("F16", FLOATS.astype("<f2")),
          brain=("BF16", brain), y=("I64", LABELS), x=("U8", COUNT.astype("u1")))
    put("several.safetensors:brain", FLOATS)
    put("several.safetensors", COUNT, LABELS)


def sparse(put):
    """Matrices of scipy, also by Matrix Market, and svmlight of scikit-learn."""
    rows = scipy.sparse.csr_matrix(FLOATS)
    scipy.sparse.save_npz(put("csr.npz", FLOATS), rows)
    scipy.sparse.save_npz(put("csc.npz", FLOATS), rows.tocsc(), compressed=False)
    scipy.io.mmwrite(put("sparse.mtx", FLOATS), rows)
    scipy.io.mmwrite(put("dense.mtx", FLOATS), FLOATS)
    pattern = (COUNT % 2).astype(float)
    scipy.io.mmwrite(put("pattern.mtx", pattern), scipy.sparse.coo_matrix(pattern), field="pattern")
    dump = sklearn.datasets.dump_svmlight_file
    dump(FLOATS, LABELS, put("from0.svm", FLOATS, LABELS))
    dump(FLOATS, LABELS, put("from1.svm", FLOATS, LABELS), zero_based=False)
    # Without a column 0 only the comment says from where columns count.
    shifted = np.hstack([np.zeros((ROWS, 1), np.float32), FLOATS])
    dump(shifted, LABELS, put("said.svm", shifted, LABELS), comment="by hand",
         query_id=np.arange(ROWS))


def hdf5(put):
    """Datasets in one piece and in chunks."""
    with h5py.File(put("plain.h5", FLOATS), "w") as file:
        file["rows"] = FLOATS
    with h5py.File(put("several.h5", FLOATS, LABELS), "w") as file:
        file.create_dataset("x", data=FLOATS, chunks=(2, 2), compression="gzip", shuffle=True)
        file["y"] = LABELS
        file["group/big"] = FLOATS.astype(">f8")
        file["group/half"] = FLOATS.astype("<f2")
        file["name"] = "no numbers"
        file["linked"] = h5py.ExternalLink("plain.h5", "rows")
    put("several.h5:group/big", FLOATS)
    put("several.h5:group/half", FLOATS)
    with h5py.File(put("ann.hdf5", COUNT), "w") as file:
        file["train"], file["test"] = COUNT.astype("i4"), COUNT[:2].astype("i4")
        file["neighbors"], file["distances"] = COUNT[:2], FLOATS[:2]
    with h5py.File(put("chunks.h5", FLOATS), "w", libver="latest") as file:
        file.create_dataset("rows", data=FLOATS, chunks=(2, 3), compression="gzip")
    with h5py.File(put("block.h5", COUNT), "w", userblock_size=512) as file:
        file["rows"] = COUNT.astype("u1")
    # What is refused, each by its name.
    with h5py.File(put("refused.h5", None), "w") as file:
        file.create_dataset("gaps", (6, 3), "f4", chunks=(2, 3))[:2] = 1
        file.create_dataset("never", (7, 3), "f4")
        file.create_dataset("empty", (0, 3), "f4")
        file.create_dataset("large", (2, 1 << 28), "f4", chunks=(1, 1 << 28))
        file["scalar"] = 1.5


def matlab73(put):
    """MATLAB's version 7.3 is HDF5 behind a block of text, with dimensions in the opposite order,
    and attributes, as MATLAB writes them."""
    def start(path):
        return h5py.File(path, "w", userblock_size=512)

    def add(file, name, array, kind, **how):
        file.create_dataset(name, data=array.T, **how)
        file[name].attrs["MATLAB_class"] = np.bytes_(kind)

    def finish(path):
        with open(path, "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, by hand".ljust(124) + b"\0\2IM")

    path = put("plain73.mat", FLOATS)
    with start(path) as file:
        add(file, "rows", FLOATS, "single")
    finish(path)
    path = put("several73.mat", FLOATS, LABELS)
    images = np.moveaxis(np.arange(ROWS * 24).reshape(ROWS, 2, 3, 4), 0, -1)  # (h, w, c, n)
    with start(path) as file:
        add(file, "x", FLOATS.astype(np.float64), "double", chunks=(2, 3), compression="gzip")
        add(file, "y", LABELS[None, :].astype(np.float64), "double")
        add(file, "images", images.astype(np.uint8), "uint8", chunks=(3, 4, 3, 2))
        add(file, "odd", (COUNT % 2).astype(np.uint8), "logical")
        add(file, "text", np.frombuffer(b"text", np.uint8).astype(np.uint16)[None, :], "char")
        add(file, "empty", np.array([[0, 3]], np.uint64), "double")
        file["empty"].attrs["MATLAB_empty"] = np.uint8(1)
        add(file, "complex", FLOATS.astype([("real", "<f8"), ("imag", "<f8")]), "double")
        add(file, "#refs#/a", FLOATS, "double")
        matrix = scipy.sparse.csc_matrix(FLOATS.astype(np.float64))
        group = file.create_group("sparse")
        group["data"], group["ir"] = matrix.data, matrix.indices.astype(np.uint64)
        group["jc"] = matrix.indptr.astype(np.uint64)
        group.attrs["MATLAB_class"] = np.bytes_("double")
        group.attrs["MATLAB_sparse"] = np.uint64(ROWS)
    finish(path)
    put("several73.mat:images", np.arange(ROWS * 24).reshape(ROWS, 24))
    put("several73.mat:odd", COUNT % 2)
    put("several73.mat:sparse", FLOATS)


def mat(put):
    """MATLAB's files of version 5, plain and compressed, and 4. Images are (h, w, c, n)."""
    save = scipy.io.savemat
    save(put("plain.mat", FLOATS), {"rows": FLOATS})
    save(put("several.mat", FLOATS, LABELS),
         {"x": FLOATS.astype(np.float64), "y": LABELS, "bytes": COUNT.astype(np.uint8),
          "odd": COUNT % 2 == 1, "sparse": scipy.sparse.csc_matrix(FLOATS.astype(np.float64)),
          "complex": FLOATS * 1j, "cell": np.array(["a", 1], object), "struct": {"a": FLOATS},
          "text": "no numbers", "empty": FLOATS[:0], "deep": FLOATS[None, None, None]},
         do_compression=True)
    put("several.mat:bytes", COUNT)
    put("several.mat:odd", COUNT % 2)
    put("several.mat:sparse", FLOATS)
    put("several.mat:y", LABELS[None, :])
    images = np.arange(ROWS * 24).reshape(ROWS, 2, 3, 4).astype(np.uint8)
    for name, packed in ("images.mat", True), ("images_plain.mat", False):
        save(put(name, images.reshape(ROWS, 24), LABELS),
             {"X": np.moveaxis(images, 0, -1), "y": LABELS[:, None].astype(np.uint8)},
             do_compression=packed)
    matlab73(put)
    save(put("old.mat", FLOATS), {"rows": FLOATS, "count": 7.0, "text": "none"}, format="4")
    save(put("refused.mat", None), {"c": np.array(["a", 1], object), "s": {"a": 1}})


def json_lines(put):
    """Lines of JSON: objects as pandas writes them, with columns that have numbers for names,
    and a list of lists, a line each."""
    frame = pd.DataFrame(FLOATS.astype(np.float64))
    frame.to_json(put("objects.jsonl", FLOATS), orient="records", lines=True)
    with open(put("arrays.jsonl", COUNT), "w", encoding="utf-8") as file:
        for row in COUNT.tolist():
            file.write(json.dumps(row) + "\n")
    with open(put("lists.jsonl", FLOATS), "w", encoding="utf-8") as file:
        for row in FLOATS.tolist():
            file.write(json.dumps({"x": row}) + "\n")


WRITERS = [npz, vectors, safetensors, sparse, hdf5, mat, json_lines]


def write(folder):
    """All files to a folder: {name, as imsat takes it: (rows, labels or None)}."""
    expected = {}

    def put(name, rows, labels=None):
        if rows is not None:
            expected[name] = rows, labels
        return os.path.join(folder, name.split(":")[0])

    for writer in WRITERS:
        writer(put)
    return expected


if __name__ == "__main__":
    write(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
