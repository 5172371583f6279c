"""The step server's client: episodes played over HTTP, by a model or by any other code.

A loop that plays a model::

    from openai import OpenAI
    from oracle import Client

    model = OpenAI()
    with Client("http://127.0.0.1:8000") as client:
        episode = client.open(family=FAMILY, difficulty="hard", seed=1, protocol="oracle-vcot")
        while not episode.done:
            chat = model.chat.completions.create(model="...", messages=episode.messages)
            episode.say(chat.choices[0].message.content)
        print(episode.verdict, episode.answer(model="..."))
"""

from importlib.util import find_spec

if find_spec("httpx") is None:
    raise ImportError("the client needs more packages: pip install 'puzzles[serve]'")

from oracle.client.asking import ServerError
from oracle.client.clients import AsyncClient, AsyncRemoteEpisode, Client, RemoteEpisode

__all__ = ["AsyncClient", "AsyncRemoteEpisode", "Client", "RemoteEpisode", "ServerError"]
