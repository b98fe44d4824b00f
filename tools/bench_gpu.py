#!/usr/bin/env python3
"""bench_gpu.py: morph and skin on the GPU, csr64 beside blk64, in one run.

    python3 tools/bench_gpu.py [--build FOLDER] [--work FOLDER] [--small] [--only CASE,…] [GLB …]

Generates the sources, cooks them with FOLDER's mpak in both layouts and all payloads (default with the usual order of
vertices, then all with `--vertex-order blocks`, which fills blocks better and makes packs larger), and has
FOLDER/release/tools/bench_gpu time them: single face, film face, crowd of 500, 32 different characters in a frame, a mesh of
2 million vertices, morph and skin in one dispatch against two; all shapes active, and a tenth. GLB: real characters, shown
beside them (their largest part). Without a GPU that tells the time (or with --small) it runs small: results are checked, and
the times are not those of hardware.
"""
import argparse
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOT_RUN = 77

# name: vertices, shapes, share of vertices that a shape moves, joints
CASES = {
    "face": (24000, 52, 0.25, 60),
    "film": (60000, 300, 0.08, 0),
    "large": (2000000, 64, 0.10, 60),
}
BLOCKS = ["--vertex-order", "blocks"]
PAYLOADS = [("csr64", ["--quality", "lossless", "--layout", "csr64"]), ("default", ["--quality", "default"]),
            ("blocks", ["--quality", "default", *BLOCKS]), ("lossless", ["--quality", "lossless", *BLOCKS]),
            ("high", ["--quality", "high", *BLOCKS]), ("compact", ["--quality", "compact", *BLOCKS])]
COMPRESSED = ("compressed", ["--quality", "default", *BLOCKS, "--compress", "default"])


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--work", help="folder for sources and packs (default: FOLDER/bench_gpu)")
    parser.add_argument("--small", action="store_true", help="small meshes: checks results, on any machine")
    parser.add_argument("--only", default="ceiling,face,film,crowd,many,large,fused,frame,upload,real", help="cases, by commas")
    parser.add_argument("glb", nargs="*")
    return parser.parse_args()


class Bench:
    def __init__(self, arguments):
        self.mpak = os.path.join(arguments.build, "mpak")
        tools = os.path.join(arguments.build, "release", "tools")
        self.generator = os.path.join(tools, "gen_gpu_case")
        self.program = os.path.join(tools, "bench_gpu")
        self.work = arguments.work or os.path.join(arguments.build, "bench_gpu")
        self.small = arguments.small
        self.failed = False
        os.makedirs(self.work, exist_ok=True)

    def has_clock(self):
        """Does the GPU tell the time of compute? Software renderers do not."""
        done = subprocess.run([self.program, "ceiling"], check=False, stdout=subprocess.PIPE, text=True)
        return done.returncode == 0 and "clock: the GPU's" in done.stdout

    def run(self, *words):
        done = subprocess.run([str(word) for word in words], check=False)
        sys.stdout.flush()
        if done.returncode == NOT_RUN:
            print("bench-gpu: not run, there is no OpenGL 4.3 here")
            sys.exit(NOT_RUN)
        self.failed |= done.returncode != 0

    def bench(self, *words):
        self.run(self.program, *words)

    def source(self, case, seed=1):
        vertices, shapes, share, joints = CASES[case]
        if self.small:
            vertices = 1536
        path = os.path.join(self.work, f"{case}_{seed}.glb")
        if not os.path.exists(path):
            self.run(self.generator, path, "--vertices", vertices, "--targets", shapes, "--active-share", share,
                     "--joints", joints, "--seed", seed)
        return path

    def pack(self, source, payload):
        name = os.path.splitext(os.path.basename(source))[0]
        path = os.path.join(self.work, f"{name}_{payload}.mpak")
        if not os.path.exists(path):
            started = time.monotonic()
            self.run(self.mpak, "cook", "-q", "--compress", "load", *dict([*PAYLOADS, COMPRESSED])[payload], source, "-o", path)
            print(f"cooked {os.path.basename(path)}: {time.monotonic() - started:.1f} s, "
                  f"{os.path.getsize(path) / 1e6:.1f} MB")
        return path

    def packs(self, source, payloads):
        return [self.pack(source, payload) for payload in payloads]


def both_shares(bench, *words):
    """A case with all shapes active, then with a tenth of them: SHARE stands where the share belongs."""
    for share in ("1", "0.1"):
        bench.bench(*[share if word == "SHARE" else word for word in words])


def run_case(bench, case, real):
    every = [name for name, _ in PAYLOADS]
    count = 8 if bench.small else 500
    if case == "ceiling":
        bench.bench("ceiling")
    elif case in ("face", "film"):
        both_shares(bench, "one", case, "SHARE", *bench.packs(bench.source(case), every))
    elif case == "large":
        both_shares(bench, "one", case, "SHARE", *bench.packs(bench.source(case), every[:4]))
    elif case == "crowd":
        both_shares(bench, "crowd", case, count, "SHARE", *bench.packs(bench.source("face"), every[:4]))
    elif case == "many":
        sources = [bench.source("face", seed) for seed in range(1, 5 if bench.small else 33)]
        lists = [[bench.pack(source, payload) for source in sources] for payload in every[:3]]
        both_shares(bench, "many", case, "SHARE", *lists[0], "--", *lists[1], "--", *lists[2])
    elif case == "fused":
        both_shares(bench, "fused", "fused crowd", count, "SHARE", bench.pack(bench.source("face"), "blocks"))
        both_shares(bench, "fused", "fused large", 1, "SHARE", bench.pack(bench.source("large"), "blocks"))
    elif case == "frame":
        both_shares(bench, "frame", case, count, "SHARE", bench.pack(bench.source("face"), "blocks"))
    elif case == "upload":
        bench.bench("upload", *bench.packs(bench.source("large"), ["csr64", "lossless", "blocks"]),
                    bench.pack(bench.source("film"), "blocks"), bench.pack(bench.source("film"), "compressed"))
    elif case == "real":
        for source in real:
            name = os.path.splitext(os.path.basename(source))[0]
            both_shares(bench, "one", name, "SHARE", *bench.packs(source, every))
    else:
        sys.exit(f"bench_gpu.py: no case {case}")


def main():
    arguments = parse()
    bench = Bench(arguments)
    if not bench.small and not bench.has_clock():
        print("bench-gpu: no GPU that tells the time: small meshes, results are checked, times mean nothing")
        bench.small = True
    for case in arguments.only.split(","):
        run_case(bench, case, arguments.glb)
    sys.exit(1 if bench.failed else 0)


if __name__ == "__main__":
    main()
