"""An attacker on a host of the lab that does not know the code.

Sends 200 datagrams a second of every kind, with the IDs and addresses of others and wrong tags, and repeats what it
received. Reports once a second how many it has sent.
"""
import json
import os
import random
import select
import socket
import struct
import time

PORT = 17077
NETWORK = "10.77.0."
BROADCAST = NETWORK + "255"


def datagram(source, octets):
    """Returns an IPv4 datagram from any address. The kernel fills in the length and checksum of the header."""
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 0, 0, 0, 64, socket.IPPROTO_UDP, 0,
                         socket.inet_aton(source), socket.inet_aton(BROADCAST))
    # A checksum of 0 means that there is none.
    return header + struct.pack("!HHHH", PORT, PORT, 8 + len(octets), 0) + octets


def lie(heard):
    """Returns a received datagram with another kind, port, node or sequence number, and a random tag."""
    octets = bytearray(random.choice(heard))
    octets[5] = random.randrange(4)
    octets[6] = 1
    if random.random() < 0.5:
        octets[7:9] = struct.pack("<H", random.choice([7077, 7078, 9]))
    if random.random() < 0.5:
        octets[9:25] = os.urandom(16)
    if random.random() < 0.5:
        octets[33:37] = os.urandom(4)
    octets[-16:] = os.urandom(16) if random.random() < 0.8 else bytes(16)
    return bytes(octets)


def main():
    ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    ear.bind(("", PORT))
    mouth = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    mouth.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    # Also listens on the port of links. Nodes that connect there get no valid answer.
    door = socket.create_server(("", 7077), backlog=64)
    doors = []
    own = NETWORK + "8"
    heard, sent, told = [], 0, 0.0
    while True:
        ready, _, _ = select.select([ear, door], [], [], 0.005)
        if ear in ready:
            octets, (address, _) = ear.recvfrom(512)
            if octets[:4] == b"PTLK" and address != own and octets not in heard:
                heard = (heard + [octets])[-64:]
        if door in ready:
            doors = (doors + [door.accept()])[-64:]
        if heard:
            source = NETWORK + str(random.choice([*range(1, 9), 8, 8, 99, 200]))
            octets = random.choice(heard[-8:]) if random.random() < 0.3 else lie(heard)
            mouth.sendto(datagram(source, octets), (BROADCAST, 0))
            sent += 1
        if heard and time.monotonic() - told >= 1:
            told = time.monotonic()
            print(json.dumps({"event": "outsider", "sent": sent}), flush=True)


main()
