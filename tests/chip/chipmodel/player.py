"""A minimal WebSocket client: the opponent of the board at a relay."""

import base64
import json
import os
import socket
import struct
import threading


class Player:
    def __init__(self, port, name, code, query=""):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /ws/api/{name}/{code}/{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.socket.recv(1)
        self.status = int(answer.split()[1])
        self.socket.settimeout(None)
        self.buffer = b""
        self.received = []
        # A thread answers the relay's pings, because the board's time is slower than the relay's.
        threading.Thread(target=self._receive, daemon=True).start()

    def send(self, **message):
        data = json.dumps(message).encode()
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.socket.sendall(b"\x81" + length + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))

    def messages(self):
        """All messages so far."""
        return list(self.received)

    def _receive(self):
        try:
            while True:
                data = self.socket.recv(65536)
                if not data:
                    break
                self.buffer += data
                self._read()
        except OSError:
            pass

    def _read(self):
        while len(self.buffer) >= 2:
            opcode, length, start = self.buffer[0] & 15, self.buffer[1] & 127, 2
            if length == 126:
                length, start = struct.unpack(">H", self.buffer[2:4])[0], 4
            elif length == 127:
                length, start = struct.unpack(">Q", self.buffer[2:10])[0], 10
            if len(self.buffer) < start + length:
                break
            payload, self.buffer = self.buffer[start:start + length], self.buffer[start + length:]
            if opcode == 9:
                self.socket.sendall(bytes([0x8A, 0x80 | len(payload)]) + b"\0\0\0\0" + payload)
            elif opcode == 1:
                self.received.append(json.loads(payload))

    def close(self):
        self.socket.close()
