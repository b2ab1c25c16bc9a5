"""What can go wrong with a user's input."""

from __future__ import annotations

__all__ = [
    "ArgumentError",
    "InvalidInputError",
    "InvalidTypeError",
    "NoiseLabelWarning",
    "UndefinedScoreError",
    "WorkersFailedError",
]


class ArgumentError(Exception):
    """An argument that cannot be used; `InvalidInputError` and `InvalidTypeError` are its kinds.

    The message reads "{argument} of {caller} must {rule}; got {got}. {remedy}". Whoever speaks to
    people that call no Python function, as the command line does, words it anew from the fields.

    Parameters
    ----------
    message : str, optional
        The whole message, where it is about no argument.
    argument : str, optional
        Name of the argument.
    caller : str, optional
        Name of the public function.
    rule : str, optional
        What the argument must do or be.
    got : str, optional
        What came instead, in words; left out where there is nothing to show.
    problem : str, optional
        What is wrong, where "must ...; got ..." does not say it.
    remedy : str, optional
        What to do about it: whole sentences.

    Examples
    --------
    >>> from disco_cvi.exceptions import InvalidInputError
    >>> error = InvalidInputError(argument="bins", caller="histogram", rule="be positive", got="0")
    >>> str(error)
    'bins of histogram must be positive; got 0.'
    >>> error.worded("--bins")
    '--bins must be positive; got 0.'
    """

    def __init__(
        self,
        message: str | None = None,
        *,
        argument: str | None = None,
        caller: str | None = None,
        rule: str | None = None,
        got: str | None = None,
        problem: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.argument = argument
        self.caller = caller
        self.rule = rule
        self.got = got
        self.remedy = remedy
        if problem is None and rule is not None:
            problem = f"must {rule}" if got is None else f"must {rule}; got {got}"
        self.problem = problem
        super().__init__(self.worded(f"{argument} of {caller}") if message is None else message)

    def worded(self, subject: str) -> str:
        """Return the message about an argument that the reader knows under another name."""
        if self.problem is None:
            return str(self)
        space = "" if self.problem.startswith((",", ":")) else " "
        remedy = f" {self.remedy}" if self.remedy else ""
        return f"{subject}{space}{self.problem}.{remedy}"


class InvalidInputError(ArgumentError, ValueError):
    """An argument has the right type but a value that cannot be used.

    The message names the argument and the function, says what is allowed, what came, and what to do
    about it; the same parts are fields (see `ArgumentError`). An argument of the wrong type raises
    `InvalidTypeError` instead.

    Examples
    --------
    >>> import disco_cvi
    >>> issubclass(disco_cvi.InvalidInputError, ValueError)
    True
    """


class InvalidTypeError(ArgumentError, TypeError):
    """An argument has a type that cannot be used; a `TypeError` with the fields of the message.

    Examples
    --------
    >>> from disco_cvi import disco_score
    >>> from disco_cvi.exceptions import InvalidTypeError
    >>> try:
    ...     disco_score([[0.0], [1.0]], [0, 1], min_points="2")
    ... except InvalidTypeError as error:
    ...     error.argument, error.rule, error.got
    ('min_points', 'be an integer of at least 1', "'2' (str)")
    """


class WorkersFailedError(ArgumentError, RuntimeError):
    """Workers of a cluster died, or came to a standstill, in the middle of the work.

    Nearly always memory is what they lacked; the message says how many blocks need less of it.

    Examples
    --------
    >>> from disco_cvi.exceptions import WorkersFailedError
    >>> issubclass(WorkersFailedError, RuntimeError)
    True
    """


class UndefinedScoreError(ValueError):
    """The input is well formed, but the index is not defined for it.

    Malformed input is an error of the caller; an undefined score is an answer, so it has a class of
    its own that a table of many indices can catch and explain.
    """


class NoiseLabelWarning(UserWarning):
    """Noise is probably not labeled as it was meant.

    A cluster is called as people call noise, such as "-1" or "noise", or no point has the
    `noise_label` that was given.

    Examples
    --------
    >>> import warnings
    >>> from disco_cvi import disco_score
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     score = disco_score([[0], [1], [9]], ["a", "a", "-1"], min_points=2)
    >>> str(caught[0].message).partition(".")[0]
    "The cluster '-1' counts as a cluster"
    """
