"""SIGINT and SIGTERM: the documented exit codes, whole packs only, no temporary file, no process left behind."""
import os
import shutil
import signal
import subprocess
import time

import harness

FILES = 60


def processes_with(text):
    found = []
    for number in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/cmdline' % number, 'rb') as file:
                if text.encode() in file.read():
                    found.append(number)
        except OSError:
            pass  # it ended meanwhile
    return found


def interrupt(checks, scratch, number, code, delay_s):
    name = '%s after %.2f s' % (signal.Signals(number).name, delay_s)
    names = ['%02d.glb' % i for i in range(FILES)]
    process = subprocess.Popen([harness.MPAK, 'cook', '-q', '--compress', 'size', *names], cwd=scratch,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               # a shell ignores SIGINT for what it starts in the background
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    time.sleep(delay_s)
    process.send_signal(number)
    process.communicate(timeout=60)
    packs = sorted(entry for entry in os.listdir(scratch) if entry.endswith('.mpak'))
    if process.returncode == 0 and len(packs) == FILES:
        checks.check(False, '%s: all was done before the signal came' % name)
    checks.equal(process.returncode, code, name + ' exit code')
    others = [entry for entry in os.listdir(scratch) if entry not in names and entry not in packs]
    checks.equal(others, [], name + ' leaves no temporary file')
    if packs:
        checks.equal(harness.run(['validate', '-q', *packs], cwd=scratch)[0], 0, name + ' leaves only whole packs')
    deadline = time.monotonic() + 5
    while processes_with(scratch) and time.monotonic() < deadline:
        time.sleep(0.05)
    checks.equal(processes_with(scratch), [], name + ' leaves no process')
    for pack in packs:
        os.remove(os.path.join(scratch, pack))


def check_signals(checks, scratch, small):
    for number in range(FILES):
        shutil.copy(os.path.join(harness.SAMPLES, 'face60.glb'), os.path.join(scratch, '%02d.glb' % number))
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        for delay_s in (0.1, 0.17, 0.25):
            interrupt(checks, scratch, number, code, delay_s)
