"""Binary FBX files of version 7.0 or newer as trees of records that can be changed and written again. Arrays are kept
plain, so that a changed byte is a changed value and no broken zlib stream."""
import struct
import zlib

HEAD_BYTES = 27
FIXED = {'Y': 2, 'C': 1, 'B': 1, 'I': 4, 'F': 4, 'D': 8, 'L': 8}


class Record:
    """values are bytes as the file has them, each with its letter in front."""

    def __init__(self, name=b''):
        self.name, self.values, self.children, self.has_end = name, [], [], False


def layout_of(data):
    return '<QQQ' if struct.unpack_from('<I', data, 23)[0] >= 7500 else '<III'


def payload_start(value):
    """Where the content of a value begins, behind its letter, counts and lengths."""
    letter = chr(value[0])
    return 1 if letter in FIXED else 5 if letter in 'SR' else 13


def read_value(data, at):
    letter = chr(data[at])
    if letter in FIXED:
        end = at + 1 + FIXED[letter]
        return data[at:end], end
    if letter in 'SR':
        end = at + 5 + struct.unpack_from('<I', data, at + 1)[0]
        return data[at:end], end
    count, packed, length = struct.unpack_from('<III', data, at + 1)
    end = at + 13 + length
    plain = zlib.decompress(data[at + 13:end]) if packed else data[at + 13:end]
    return data[at:at + 1] + struct.pack('<III', count, 0, len(plain)) + plain, end


def read_record(data, at, header):
    name_end = at + header + 1 + data[at + header]
    return Record(data[at + header + 1:name_end]), name_end


def read(data):
    """(root, bytes behind the records)"""
    layout = layout_of(data)
    header = struct.calcsize(layout)
    root, at = Record(), HEAD_BYTES
    open_records = [(root, None)]  # record, where it ends
    while True:
        while at == open_records[-1][1]:
            open_records.pop()
        end, count, _ = struct.unpack_from(layout, data, at)
        if end == 0:
            open_records[-1][0].has_end = True
            at += header + 1
            if len(open_records) == 1:
                return root, data[at:]
            continue
        record, at = read_record(data, at, header)
        for _ in range(count):
            value, at = read_value(data, at)
            record.values.append(value)
        open_records[-1][0].children.append(record)
        open_records.append((record, end))


def write(head, root, tail):
    """A file with the head of another one."""
    layout = layout_of(head)
    end_mark = bytes(struct.calcsize(layout) + 1)
    out = bytearray(head[:HEAD_BYTES])
    steps = [(root, None)]  # record, where its header lies: set once its children are to be closed
    while steps:
        record, start = steps.pop()
        if start is None:
            start = len(out)
            if record is not root:
                out += end_mark[1:] + bytes([len(record.name)]) + record.name + b''.join(record.values)
            steps.append((record, start))
            steps += [(child, None) for child in reversed(record.children)]
            continue
        if record.children or record.has_end:
            out += end_mark
        if record is not root:
            struct.pack_into(layout, out, start, len(out), len(record.values), sum(map(len, record.values)))
    return bytes(out) + tail


def all_records(root):
    """Each record but the root, parents first, with its parent."""
    found, waiting = [], [root]
    while waiting:
        parent = waiting.pop()
        found += [(parent, child) for child in parent.children]
        waiting += parent.children
    return found
