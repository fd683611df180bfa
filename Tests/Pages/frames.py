"""Frames of WebSocket (RFC 6455), as a server sends and receives them."""
import base64
import hashlib
import struct

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


def accept_key(key):
    magic = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return base64.b64encode(hashlib.sha1(magic.encode()).digest()).decode()


def frame(kind, body):
    """Returns one whole frame without a mask."""
    head = bytes([0x80 | kind])
    if len(body) < 126:
        return head + bytes([len(body)]) + body
    if len(body) < 65536:
        return head + b"\x7e" + struct.pack(">H", len(body)) + body
    return head + b"\x7f" + struct.pack(">Q", len(body)) + body


def read_frame(stream):
    """Returns the kind and the body of the next frame of a client, or None at the end."""
    head = stream.read(2)
    if len(head) < 2:
        return None
    length = head[1] & 0x7F
    if length == 126:
        length = struct.unpack(">H", stream.read(2))[0]
    elif length == 127:
        length = struct.unpack(">Q", stream.read(8))[0]
    assert head[1] & 0x80, "a client must mask its frames"
    assert head[0] & 0x80, "Chromium sends no fragments"
    assert length <= 65536, "a message of the page has at most 64 KiB"
    mask, body = stream.read(4), stream.read(length)
    if len(body) < length:
        return None
    key = (mask * (length // 4 + 1))[:length]
    whole = int.from_bytes(body, "little") ^ int.from_bytes(key, "little")
    return head[0] & 0x0F, whole.to_bytes(length, "little")
