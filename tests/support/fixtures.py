"""The list of broken files that tests/run_fixtures.py makes: each one spoils a sound model in one way."""

FIXTURES = []


class Fixture:
    def __init__(self, code, exit_code, part, place, suffix, also, make):
        self.code, self.exit_code, self.part, self.place = 'MPAK-' + code, exit_code, part, place
        self.suffix, self.also, self.make = suffix, ['MPAK-' + other for other in also], make
        self.name = make.__name__


def fixture(code, exit_code, part, suffix='.glb', also=(), **place):
    """Registers make(model): it changes the model in place, or returns the bytes to write instead, or None for no file
    at all (see Absent).

    code       the issue that must be reported, and with also all that may be
    exit_code  of mpak cook
    part       stands in the text that mpak prints
    place      members of the issue in the JSON report"""

    def add(make):
        FIXTURES.append(Fixture(code, exit_code, part, place, suffix, also, make))
        return make

    return add


class Absent:
    """Returned by make: write nothing."""


class Folder:
    """Returned by make: make a folder in place of a file."""


class Sparse:
    """Returned by make: a file of so many bytes, with nothing but holes behind its beginning."""

    def __init__(self, data, byte_count):
        self.data, self.byte_count = data, byte_count
