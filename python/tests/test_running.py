# SPDX-License-Identifier: MIT
"""While the library works: progress, own augmentation, threads, Ctrl-C, memory."""
import gc
import io
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import imsat
import numpy as np
from imsat._progress import Bar
from support import SMALL, blobs


class Progress(unittest.TestCase):
    def test_told(self):
        told = []
        imsat.IMSAT(3, n_runs=2, progress=told.append, **SMALL).fit(blobs()[0])
        done = [p for p in told if p.epoch_done]
        self.assertEqual([(p.run, p.epoch) for p in done],
                         [(run, epoch + 1) for run in range(2) for epoch in range(60)])
        self.assertTrue(all(p.stage == "train" and p.runs == 2 and p.epochs == 60 for p in done))
        self.assertIn("cond_entropy", done[0].terms)
        self.assertLess(done[-1].objective, done[0].objective)

    def test_stops(self):
        X = blobs()[0]
        with self.assertRaises(imsat.StoppedError):
            imsat.IMSAT(3, progress=lambda p: p.epoch == 3, **SMALL).fit(X)

        def raises(progress):
            raise KeyError(progress.stage)

        with self.assertRaises(KeyError):
            imsat.IMSAT(3, progress=raises, **SMALL).fit(X)
        with self.assertRaises(TypeError):
            imsat.IMSAT(3, progress="bar", **SMALL).fit(X)

    def test_bar(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        for stream, expected in ((Terminal(), "\r"), (io.StringIO(), "train")):
            bar = Bar(stream, notebook=False)
            imsat.IMSAT(3, progress=bar, **SMALL).fit(blobs()[0])
            bar.close()
            self.assertTrue(stream.getvalue().startswith(expected))
            self.assertIn("[##############################] run 1/1 epoch 60/60 objective",
                          stream.getvalue())

    def test_bar_in_a_notebook(self):
        """A display that is updated, as IPython has it."""
        display = mock.MagicMock()
        modules = {"IPython": mock.MagicMock(), "IPython.display": mock.MagicMock(display=display)}
        modules["IPython"].get_ipython.return_value.config = {"IPKernelApp": {}}
        with mock.patch.dict(sys.modules, modules):
            imsat.IMSAT(3, verbose=1, **SMALL).fit(blobs()[0])
        display.assert_called_once()
        content = display.return_value.update.call_args.args[0]["text/plain"]
        self.assertIn("run 1/1 epoch 60/60 objective", content)

    def test_callbacks_may_use_the_library(self):
        X, inner = blobs()[0], []

        def fits(progress):
            if progress.epoch_done and progress.epoch == 2:
                inner.append(imsat.IMSAT(3, **SMALL).fit(X).labels_)

        outer = imsat.IMSAT(3, progress=fits, **SMALL).fit(X).labels_
        np.testing.assert_array_equal(inner, [outer])

    def test_verbose(self):
        code = ("import numpy, imsat; imsat.IMSAT(2, epochs=3, hidden=(4,), verbose=1)"
                ".fit(numpy.random.default_rng(0).random((40, 2)))")
        done = subprocess.run([sys.executable, "-c", code], check=True, text=True,
                              stderr=subprocess.PIPE)
        self.assertIn("run 1/1 epoch 3/3", done.stderr)


class Augmentation(unittest.TestCase):
    def fit(self, augment):
        return imsat.IMSAT(3, method="own", augment=augment, **SMALL).fit(blobs()[0])

    def test_own(self):
        X = blobs()[0]
        seen = []

        def jitter(x, rows, seed):
            seen.append((x.shape, rows, seed))
            np.testing.assert_array_equal(x, X[rows])
            return x + np.random.default_rng(seed).normal(size=x.shape)

        first = self.fit(jitter).predict_proba(X)
        np.testing.assert_array_equal(first, self.fit(jitter).predict_proba(X))
        self.assertGreater(len({seed for _, _, seed in seen}), 10)
        still = self.fit(lambda x, rows, seed: x).predict_proba(X)
        self.assertFalse(np.array_equal(first, still))

    def test_refused(self):
        for augment, error in ((lambda x, rows, seed: x[:-1], "augment returned an array of shape"),
                               (lambda x, rows, seed: None, "augment returned an array of shape"),
                               (lambda x, rows, seed: "word", "could not convert"),
                               (lambda x: x, "positional argument")):
            with self.assertRaisesRegex((ValueError, TypeError), error):
                self.fit(augment)

        def raises(x, rows, seed):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            self.fit(raises)


class Threads(unittest.TestCase):
    def test_two_fit_at_once(self):
        """With the results of one after the other; also of one estimator and one index."""
        X = blobs(600)[0]
        jobs = [{"method": "imsat-vat", **SMALL}, {"method": "linear-rim", "epochs": 60},
                {"method": "kmeans"}, {"method": "deep-rim", **SMALL}]
        expected = [imsat.IMSAT(3, **job).fit(X).predict_proba(X) for job in jobs]
        model = imsat.IMSAT(3, **jobs[0]).fit(X)
        found = [None] * 8

        def work(i):
            if i < 4:
                found[i] = imsat.IMSAT(3, **jobs[i]).fit(X).predict_proba(X)
            else:
                found[i] = model.predict_proba(X)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i in range(8):
            np.testing.assert_array_equal(found[i], expected[i if i < 4 else 0])

    def test_others_run_meanwhile(self):
        """The interpreter is free while the library works."""
        ended = threading.Event()

        def fit():
            imsat.IMSAT(3, hidden=(64,), epochs=400, random_state=0).fit(blobs(2000)[0])
            ended.set()

        thread = threading.Thread(target=fit)
        thread.start()
        turns = 0
        while not ended.is_set():
            turns += 1
            time.sleep(0.001)
        thread.join()
        self.assertGreater(turns, 10)


ENDLESS = """
import signal, sys, numpy as np, imsat
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
X = np.random.default_rng(0).random((2000, 20), np.float32)
told = lambda p: print("going", flush=True) if p.epoch_done and p.epoch == 1 else None
try:
    imsat.IMSAT(5, epochs=10**8, checkpoint=sys.argv[1], progress=told).fit(X)
except KeyboardInterrupt:
    print("stopped", imsat.IMSAT(2, method="kmeans").fit(X).labels_.shape)
"""


class Interrupts(unittest.TestCase):
    def test_ctrl_c(self):
        """It ends the training with a KeyboardInterrupt and a checkpoint; all else goes on."""
        with tempfile.TemporaryDirectory() as folder:
            checkpoint = Path(folder, "checkpoint")
            with subprocess.Popen([sys.executable, "-c", ENDLESS, checkpoint], text=True,
                                  stdout=subprocess.PIPE) as process:
                self.assertEqual(process.stdout.readline(), "going\n")
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.stdout.readline(), "stopped (2000,)\n")
            self.assertEqual(process.returncode, 0)
            self.assertTrue(checkpoint.exists())

    def test_checkpoints(self):
        X = blobs()[0]
        whole = imsat.IMSAT(3, **SMALL).fit(X)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "checkpoint")
            with self.assertRaises(imsat.StoppedError):
                imsat.IMSAT(3, checkpoint=path, progress=lambda p: p.epoch == 30,
                            **SMALL).fit(X)
            resumed = imsat.IMSAT(3, checkpoint=path, resume=True, **SMALL).fit(X)
        np.testing.assert_array_equal(resumed.predict_proba(X), whole.predict_proba(X))


def resident():
    """Bytes that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


class Leaks(unittest.TestCase):
    def test_a_hundred_fits(self):
        """Fits, refusals, models, codes and indexes leave nothing behind."""
        X = blobs(2000, 50)[0]

        def once():
            model = imsat.IMSAT(3, hidden=(16,), epochs=1, radius=np.ones(2000)).fit(X)
            model.predict_proba(X)
            codes = imsat.Hasher(64, method="lsh").fit_transform(X)
            index = imsat.HammingIndex(codes)
            index.append(codes)
            index.within(codes[:50], 5)
            for bad in ({"n_clusters": 9000}, {"prior": [1.0]}, {"preset": "x"}):
                try:
                    imsat.IMSAT(**bad).fit(X)
                except ValueError:
                    pass

        for _ in range(20):
            once()
        gc.collect()
        objects, held = len(gc.get_objects()), [resident()]
        for _ in range(4):
            for _ in range(25):
                once()
            gc.collect()
            held.append(resident())
        # What is lost grows in every round, by 25 times 8 kB if it is as small as a radius; what
        # the allocator keeps for later does not.
        self.assertLess(min(np.diff(held)), 128 << 10)
        self.assertLess(len(gc.get_objects()) - objects, 100)


if __name__ == "__main__":
    unittest.main()
