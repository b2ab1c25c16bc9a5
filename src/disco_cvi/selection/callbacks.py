"""Callbacks of scikit-learn, which has them from 1.9 on: one task for each candidate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def _load_support() -> tuple[Any, Callable[[Method], Method]]:
    try:
        from sklearn.callback import CallbackSupportMixin, with_callbacks
    except ImportError:
        return type("NoCallbacks", (), {}), lambda method: method
    return CallbackSupportMixin, with_callbacks


# The class that gives an estimator `set_callbacks`, and what its `fit` is decorated with.
CallbackSupport, with_callbacks = _load_support()


class Task:
    """The fit of one candidate, as callbacks of the search see it; it can go to another process."""

    def __init__(self, search: Any, context: Any) -> None:
        self._search = search
        self._context = context

    @contextmanager
    def around(self, estimator: Any, X: Any) -> Iterator[None]:
        """Tell callbacks that the fit begins and that it ended; hand them on to the estimator."""
        self._context.call_on_fit_task_begin(estimator=self._search, X=X)
        try:
            if hasattr(estimator, "set_callbacks"):
                with self._context.propagate_callback_context(estimator):
                    yield
            else:
                yield
        finally:
            self._context.call_on_fit_task_end(estimator=self._search, X=X)


@contextmanager
def candidate_tasks(search: Any, n_candidates: int, X: Any, y: Any) -> Iterator[list[Task | None]]:
    """Tell callbacks of the whole search; the block gets a task, or None, for each candidate."""
    if not getattr(search, "_skl_callbacks", None):
        yield [None] * n_candidates
        return
    root = search._init_callback_context(  # noqa: SLF001 - for those who write estimators
        max_subtasks=n_candidates, sequential_subtasks=False
    )
    root.call_on_fit_task_begin(estimator=search, X=X, y=y)
    # All of them beforehand: tasks that go to another process must not change meanwhile.
    contexts = [root.subcontext(task_name="candidate", task_id=i) for i in range(n_candidates)]
    yield [Task(search, context) for context in contexts]
    root.call_on_fit_task_end(estimator=search, X=X, y=y)
