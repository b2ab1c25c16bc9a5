"""Tasks on a Dask cluster: submitted, awaited, watched, and cancelled when the work ends.

Every task is pure and its data can be read again, so that Dask computes anew what a lost worker
held. What Dask cannot mend becomes an error that says what to do: workers that die again and again
(`KilledWorker`, which names a task that may be innocent), and workers that stand still because
their memory is full, for which Dask would wait for ever.
"""

from __future__ import annotations

import pkgutil
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from operator import itemgetter
from typing import Any, Self
from urllib.parse import urlsplit
from weakref import WeakSet

from disco_cvi import __version__
from disco_cvi._compute.progress import Progress
from disco_cvi._output.words import describe
from disco_cvi.distributed.workers import Workers
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError, WorkersFailedError

# Seconds without a finished task after which workers that stand still are given up.
PATIENCE = 45.0
# Seconds that a cluster may take to start its first worker.
_START = 60.0
_POLL = 0.25
_REACH = 2.0
_RETRIES = 3
_VERSION = "disco_cvi:__version__"


def import_dask(purpose: str) -> Any:
    """Return Dask's distributed package, or say how to get it."""
    try:
        import distributed
    except ImportError:
        message = f'{purpose} needs Dask: pip install "disco-cvi[dask]"'
        raise InvalidInputError(message) from None
    return distributed


def find_client(client: object, caller: str) -> Any:
    """Return the client that was given, or Dask's current one."""
    distributed = import_dask(caller)
    if client is None:
        with suppress(ValueError):
            return distributed.default_client()
        raise InvalidInputError(
            argument="client",
            caller=caller,
            rule="be given, or a Dask client be open",
            remedy="Open one of this machine by dask.distributed.Client(), or one of a cluster by "
            "Client('tcp://scheduler:8786').",
        )
    if not isinstance(client, distributed.Client) or client.asynchronous:
        rule = "be a dask.distributed.Client that is not asynchronous"
        raise InvalidTypeError(argument="client", caller=caller, rule=rule, got=describe(client))
    return client


class DaskRunner:
    """Runs tasks on a cluster; to be used in a `with` block, at whose end nothing is left there.

    Attributes
    ----------
    n_workers : int
        How many tasks can run at once.
    workers : Workers
        What the workers have.
    enough_blocks : int
        How many blocks are to be tried if these are too few for the workers; for messages.
    """

    def __init__(self, client: Any, caller: str) -> None:
        self.client = client
        self.caller = caller
        self.workers = _look_at_workers(client)
        self.n_workers = self.workers.n_threads
        self.enough_blocks = 2 * self.n_workers
        self._run = secrets.token_hex(4)
        self._number = 0
        self._own: WeakSet[Any] = WeakSet()
        self._borrowed: list[Any] = []
        self._since: list[Any] = []
        self._step = "starting"
        self._bar: Progress | None = None
        self._is_direct = _can_reach(client)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the future of a call."""
        name = getattr(function, "__name__", type(function).__name__)
        self._number += 1
        with _quiet():
            future = self.client.submit(
                function,
                *arguments,
                key=f"{name}-{self._run}-{self._number}",
                retries=_RETRIES,
            )
        self._own.add(future)
        self._since.append(future)
        return future

    def spread(self, function: Callable[..., Any], n_results: int, *arguments: Any) -> list[Any]:
        """Return one future for each result in the tuple of one call."""
        whole = self.submit(function, *arguments)
        return [self.submit(itemgetter(number), whole) for number in range(n_results)]

    def compute(self, collections: Sequence[Any]) -> list[Any]:
        """Return the futures of Dask collections, which the user may hold as well."""
        with _quiet():
            futures = list(self.client.compute(list(collections), retries=_RETRIES))
        self._borrowed.extend(futures)
        return futures

    def gather(self, futures: Iterable[Any]) -> list[Any]:
        """Return the results of futures; raise what their tasks raised."""
        distributed = import_dask(self.caller)
        wanted = list(futures)
        try:
            self._wait(wanted)
            return list(self.client.gather(wanted, direct=self._is_direct))
        except distributed.KilledWorker as error:
            raise self._failed("a worker ran out of memory or died four times") from error
        except distributed.CancelledError as error:
            raise WorkersFailedError(
                f"The Dask scheduler lost or cancelled a task at the step {self._step!r}; see "
                "whether it and its workers still run."
            ) from error

    def release(self, futures: Iterable[Any]) -> None:
        """Forget results that no further task needs."""
        for future in futures:
            future.release()

    def told(self, step: str, n_tasks: int) -> None:
        """Begin another step: the bar is about its tasks."""
        self._close_bar()
        self._step = step
        self._since = []
        self._bar = Progress(step, n_tasks)

    def close(self) -> None:
        """Let the cluster forget all tasks, those that wait to be run as well.

        To cancel them ends the client's connection, and with it all else that the user has there:
        the scheduler does not expect tasks that were released before.
        """
        self._close_bar()
        self._since = []
        self.release([*self._own, *self._borrowed])

    def _wait(self, futures: list[Any]) -> None:
        """Wait until all futures are done or one has failed, and watch the workers meanwhile."""
        distributed = import_dask(self.caller)
        n_done, last = -1, time.monotonic()
        while True:
            with suppress(TimeoutError):
                distributed.wait(futures, timeout=_POLL)
                return
            if any(future.status in ("error", "cancelled") for future in futures):
                return
            done = sum(future.done() for future in self._own)
            if done != n_done:
                n_done, last = done, time.monotonic()
                self._show()
            elif time.monotonic() - last > PATIENCE:
                self._refuse_standstill()

    def _show(self) -> None:
        if self._bar is not None:
            done = sum(future.done() for future in self._since)
            self._bar.step(done - self._bar.done)

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _refuse_standstill(self) -> None:
        """Raise if workers are paused, or there are none; tasks may take longer than patience."""
        found = worker_facts(self.client)
        if not found:
            raise self._failed("all workers of the cluster are gone")
        if any(facts.get("status") == "paused" for facts in found):
            raise self._failed("a worker whose memory is full stands still")

    def _failed(self, problem: str) -> WorkersFailedError:
        return WorkersFailedError(
            argument="n_blocks",
            caller=self.caller,
            problem=f"is too small, as it seems: {problem}, at the step {self._step!r}",
            remedy=f"Take {self.enough_blocks} blocks, or larger workers.",
        )


@contextmanager
def _quiet() -> Iterator[None]:
    """Small arrays of many blocks are sent with the tasks; Dask would warn of that."""
    import dask

    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "10 GB"}):
        yield


def worker_facts(client: Any) -> list[dict[str, Any]]:
    """What the scheduler knows of each worker."""
    return list(client.scheduler_info(n_workers=-1)["workers"].values())


def _look_at_workers(client: Any) -> Workers:
    """Return what the workers have, once there are any, and refuse those of another version."""
    if not worker_facts(client):
        # A cluster that grows by need starts a worker for the first task.
        probe = client.submit(pow, 1, 1, key=f"probe-{secrets.token_hex(4)}")
        with suppress(TimeoutError):
            probe.result(timeout=_START)
    found = worker_facts(client)
    if not found:
        raise WorkersFailedError("The Dask cluster has no workers; start some.")
    _check_versions(client)
    limits = [(facts["memory_limit"] or 0, facts["nthreads"]) for facts in found]
    memory, threads = min(
        (limit for limit in limits if limit[0]),
        key=lambda limit: limit[0] / limit[1],
        default=(0, 1),
    )
    return Workers(len(found), sum(facts["nthreads"] for facts in found), memory, threads)


def _check_versions(client: Any) -> None:
    """Raise unless all workers have this version of the package; they find it by its name."""
    found = client.run(pkgutil.resolve_name, _VERSION, on_error="return")
    for address, version in found.items():
        # A worker that is just being started again has no answer.
        if version == __version__ or isinstance(version, OSError):
            continue
        got = f"version {version}" if isinstance(version, str) else f"none ({version})"
        raise WorkersFailedError(
            f"The workers of the Dask cluster must have disco-cvi {__version__}, as this process "
            f"has; {address} has {got}. Install it there: "
            f'pip install "disco-cvi[dask]=={__version__}"'
        )


def _can_reach(client: Any) -> bool:
    """Whether results can be fetched from the workers, past the scheduler, which is quicker."""
    for address in list(client.scheduler_info(n_workers=-1)["workers"])[:1]:
        place = urlsplit(address)
        if not place.hostname or not place.port:
            return True  # workers in this process
        with suppress(OSError), socket.create_connection((place.hostname, place.port), _REACH):
            return True
    return False
