"""A server beside a test, in a thread of its process."""

import threading
import time

import uvicorn
from fastapi import FastAPI


class Served:
    """An application in a thread of this process."""

    def __init__(self, app: FastAPI):
        self.server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        (socket,) = self.server.servers[0].sockets
        self.url = f"http://127.0.0.1:{socket.getsockname()[1]}/"

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join()
