"""Damaged copies of model files. The same seed gives the same copy, wherever and in whatever order they are made.

bytes, words, cut, doubled, removed do not know what they change; digits and numbers are changed in text. values and
parts keep the file readable and change what it says: a value of an FBX record or of a GLB's binary; a whole record, a
member of the JSON or a line of text that is removed, doubled or put in another's place."""
import copy
import json
import random
import re
import struct

import fbx_tree

WORDS = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x7FC00000, 0x7F800000, 0xFF800000, 0x7F7FFFFF)
NUMBERS = (b'-1', b'0', b'1e39', b'1e999', b'-0.0', b'65536', b'2147483648', b'4294967295', b'18446744073709551616')
BLOCK_BYTES = 4096
TOKEN = re.compile(rb'(?<![\w.])-?\d[\d.]*(?:[eE][-+]?\d+)?')


def is_glb(data):
    return data[:4] == b'glTF'


def is_binary_fbx(data):
    return data[:18] == b'Kaydara FBX Binary'


def is_json(data):
    return data[:1] == b'{'


# -- Any bytes --


def few(chance):
    """1 to 16, small ones more often: many changes at once mostly end at the first one."""
    return 1 << chance.randrange(5)


def change_bytes(data, chance):
    data = bytearray(data)
    for _ in range(few(chance)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def change_words(data, chance):
    """Aligned or not: FBX aligns nothing."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        struct.pack_into('<I', data, chance.randrange(len(data) - 3), chance.choice(WORDS))
    return bytes(data)


def cut(data, chance):
    return data[:chance.randrange(len(data))]


def block_of(data, chance):
    first = chance.randrange(len(data))
    return first, first + chance.randint(1, BLOCK_BYTES)


def double_block(data, chance):
    first, last = block_of(data, chance)
    return data[:last] + data[first:]


def remove_block(data, chance):
    first, last = block_of(data, chance)
    return data[:first] + data[last:]


# -- GLB --


def split_glb(data):
    """(JSON text, all behind its chunk)"""
    text_end = 20 + struct.unpack_from('<I', data, 12)[0]
    return data[20:text_end], data[text_end:]


def join_glb(text, rest):
    text += b' ' * (-len(text) % 4)
    head = struct.pack('<4sIIII', b'glTF', 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    return head + text + rest


def in_text(change):
    """A change of text, applied to the JSON of a GLB too."""

    def changed(data, chance):
        if not is_glb(data):
            return change(data, chance)
        text, rest = split_glb(data)
        return join_glb(change(text, chance), rest)

    return changed


# -- Text --


def change_digits(text, chance):
    text = bytearray(text)
    digits = [at for at, byte in enumerate(text) if 0x30 <= byte <= 0x39]
    for _ in range(few(chance)):
        text[chance.choice(digits)] = 0x30 + chance.randrange(10)
    return bytes(text)


def change_numbers(text, chance):
    for _ in range(chance.randint(1, 3)):
        first, last = chance.choice([match.span() for match in TOKEN.finditer(text)])
        text = text[:first] + chance.choice(NUMBERS) + text[last:]
    return text


# -- What the file says --


def change_fbx_values(data, chance):
    root, tail = fbx_tree.read(data)
    records = [record for _, record in fbx_tree.all_records(root) if record.values]
    for _ in range(few(chance)):
        record = chance.choice(records)
        number = chance.randrange(len(record.values))
        value = bytearray(record.values[number])
        start = fbx_tree.payload_start(value)
        if start + 4 <= len(value) and chance.randrange(2):
            struct.pack_into('<I', value, chance.randrange(start, len(value) - 3), chance.choice(WORDS))
        elif start < len(value):
            value[chance.randrange(start, len(value))] = chance.randrange(256)
        record.values[number] = bytes(value)
    return fbx_tree.write(data, root, tail)


def change_values(data, chance):
    if is_binary_fbx(data):
        return change_fbx_values(data, chance)
    if not is_glb(data):
        return change_numbers(data, chance)
    text, rest = split_glb(data)
    return join_glb(text, rest[:8] + chance.choice((change_bytes, change_words))(rest[8:], chance))


def change_fbx_parts(data, chance):
    root, tail = fbx_tree.read(data)
    for _ in range(chance.randint(1, 3)):
        records = fbx_tree.all_records(root)
        parent, record = chance.choice(records)
        place = parent.children.index(record)
        what = chance.choice(('removed', 'doubled', 'replaced', 'emptied', 'values'))
        other = copy.deepcopy(chance.choice(records)[1])
        if what == 'emptied':
            record.children = []
        elif what == 'values':
            record.values = other.values
        else:
            parent.children[place:place + 1] = {'removed': [], 'doubled': [record, copy.deepcopy(record)],
                                                'replaced': [other]}[what]
    return fbx_tree.write(data, root, tail)


def json_places(document):
    """(container, key) of every member and element."""
    found, waiting = [], [document]
    while waiting:
        container = waiting.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        found += [(container, key) for key in keys]
        waiting += [container[key] for key in keys if isinstance(container[key], (dict, list))]
    return found


def change_json_parts(text, chance):
    document = json.loads(text)
    for _ in range(chance.randint(1, 3)):
        places = json_places(document)
        (container, key), (giver, given) = chance.choice(places), chance.choice(places)
        what = chance.choice(('removed', 'doubled', 'replaced'))
        if what == 'removed':
            del container[key]
        elif what == 'doubled' and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        else:
            container[key] = copy.deepcopy(giver[given])
    return json.dumps(document).encode('utf-8')


def change_lines(text, chance):
    lines = text.splitlines(keepends=True)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(lines))
        lines[place:place + 1] = chance.choice(([], [lines[place]] * 2, [chance.choice(lines)]))
    return b''.join(lines)


def change_parts(data, chance):
    if is_binary_fbx(data):
        return change_fbx_parts(data, chance)
    return in_text(change_json_parts)(data, chance) if is_glb(data) or is_json(data) else change_lines(data, chance)


# -- Models --

CHANGES = {'bytes': change_bytes, 'words': change_words, 'cut': cut, 'doubled': double_block, 'removed': remove_block,
           'digits': in_text(change_digits), 'numbers': in_text(change_numbers), 'values': change_values,
           'parts': change_parts}
KINDS = tuple(CHANGES)
BLIND = KINDS[:5]
TIMES = {'values': 5, 'parts': 5, 'bytes': 2}  # how often a kind is taken, 1 for others


class Source:
    """A model: name and bytes of its files. The first is the one that is cooked."""

    def __init__(self, name, files):
        self.name, self.files = name, files
        self.main = next(iter(files))
        self.kinds = [kind for kind in KINDS for _ in range(TIMES.get(kind, 1))
                      if kind not in ('digits', 'numbers') or not is_binary_fbx(files[self.main])]

    def mutant(self, seed, number):
        """(kind, files): one file of the model changed in one way."""
        chance = random.Random('%s %s %d' % (seed, self.name, number))
        kind = chance.choice(self.kinds)
        name = chance.choice(list(self.files)) if kind in BLIND else self.main
        return kind, {**self.files, name: CHANGES[kind](self.files[name], chance)}
