"""From a class of options and a function to a command: its arguments, its help, its complaints."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from disco_cvi._output.words import did_you_mean
from disco_cvi.cli.options import Options
from disco_cvi.cli.screen import has_colors, note, one_line
from disco_cvi.exceptions import ArgumentError

Given = TypeVar("Given", bound=Options)

# What typer raises on wrong use has no public name but that of its child.
UsageError: Any = typer.BadParameter.__base__

# The groups of options in the order in which a help shows them.
_PANELS = ("labels", "labelings", "reading", "density", "search", "cluster", "output", "options")


_WORDS = "disco_cvi.words"


class CannotScoreError(Exception):
    """The command is used rightly, and what it was given cannot be used."""


@dataclass(frozen=True)
class Command:
    """All that a module says of its command."""

    run: Callable[[Any], None]
    options: type[Options]
    usage: str
    description: str
    epilog: str = ""


def build(name: str, command: Command, *children: tuple[str, Command]) -> Any:
    """Return a command as typer runs it; one that has `children` runs them by their name."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, invoke_without_command=True)
    settings: dict[str, Any] = {"help": command.description, "epilog": command.epilog}
    callback = _callback(command.options, command.run)
    if not children:
        app.command(name, cls=OneCommand, **settings)(callback)
    else:
        app.callback(cls=CommandGroup, **settings)(callback)
        for child, child_command in children:
            text: dict[str, Any] = {
                "help": child_command.description,
                "epilog": child_command.epilog,
            }
            run_child = _callback(child_command.options, child_command.run)
            app.command(child, cls=OneCommand, **text)(run_child)
    built: Any = get_command(app)
    built.name, built.usage = name, command.usage
    for child, child_command in children:
        built.commands[child].usage = child_command.usage
    return built


def _callback(options: type[Given], run: Callable[[Given], None]) -> Callable[..., None]:
    """Return a function with one argument per option, as typer wants it."""

    def callback(**values: Any) -> None:
        given = options(**values)
        if given.context.invoked_subcommand is not None:
            return
        try:
            run(given)
        except ArgumentError as error:
            # Messages name an argument of the Python function that was called, unknown here.
            raise CannotScoreError(error.worded(given.shell_name(error.argument))) from error

    hints = get_type_hints(options, include_extras=True)
    parameters = [
        inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_default(each),
            annotation=hints[each.name],
        )
        for each in fields(options)
    ]
    callback.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return callback


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is MISSING else field.default


class OneCommand(TyperCommand):
    """A command that does one thing."""

    allow_extra_args = True
    usage = ""

    def parse_args(self, context: Any, words: list[str]) -> list[str]:
        """Read the words, and refuse those that belong to nothing."""
        rest = _read_words(super().parse_args, self.params, context, words)
        if rest and not context.resilient_parsing:
            context.fail(f"unexpected argument {rest[0]!r}{_hint(context.params, rest[0])}")
        return rest

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Offer what may follow; after the first value of an option that takes several, another."""
        words = [word for word in ctx.meta.get(_WORDS, []) if word.startswith("--")]
        last = [param for param in self.params if words and words[-1] in param.opts]
        if last and _takes_value(last[0]) and last[0].multiple and not incomplete.startswith("-"):
            return list(last[0].shell_complete(ctx, incomplete))
        return super().shell_complete(ctx, incomplete)

    def format_help(self, context: Any, formatter: Any) -> None:
        """Write the whole help."""
        _write_help(self, context, formatter)


class CommandGroup(TyperGroup):
    """A command that has commands of its own."""

    usage = ""

    def parse_args(self, context: Any, words: list[str]) -> list[str]:
        """Read the words up to the name of a command."""
        try:
            return super().parse_args(context, words)
        except UsageError as error:
            error.ctx = error.ctx or context
            raise

    def resolve_command(self, context: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return the command that the first word names, and the other words."""
        known = self.list_commands(context)
        if args[0] not in known and not context.resilient_parsing:
            listed = f"There {'is' if len(known) == 1 else 'are'} {', '.join(known)}."
            question = did_you_mean(args[0], known) or listed
            context.fail(f"no such command: {args[0]!r}. {question}")
        return super().resolve_command(context, args)

    def format_help(self, context: Any, formatter: Any) -> None:
        """Write the whole help."""
        _write_help(self, context, formatter, self.summaries())

    def summaries(self) -> list[tuple[str, str]]:
        """Each command with what it is for."""
        return [
            (name, str(command.help).partition(".")[0]) for name, command in self.commands.items()
        ]


# --- the words after a command ------------------------------------------------------------------


def _read_words(
    parse: Callable[[Any, list[str]], list[str]], params: list[Any], context: Any, words: list[str]
) -> list[str]:
    """Read the words; an option takes a value, or several until the next option."""
    try:
        if context.resilient_parsing:  # as it is while a shell completes a word
            context.meta[_WORDS] = list(words)
        else:
            words = list(_one_value_each(params, context, words))
        return parse(context, words)
    except UsageError as error:
        error.ctx = error.ctx or context
        raise


def _one_value_each(params: list[Any], context: Any, words: list[str]) -> Iterator[str]:
    """Write '--labels a b' as '--labels a --labels b', which typer understands."""
    taking = {name: each for each in params for name in each.opts if _takes_value(each)}
    rest, has_points = list(words), False
    while rest:
        word = rest.pop(0)
        yield word
        if word == "--":
            yield from rest
            return
        if word not in taking:
            has_points = has_points or not word.startswith("-")
            continue
        param = taking[word]
        if not rest or rest[0].startswith("--") or rest[0] in taking:
            context.fail(f"{word} needs a value: {word} {param.metavar}")
        yield rest.pop(0)
        while rest and param.multiple and _is_value(rest[0]):
            # '--drop a points.csv': no column is named like a file that is there.
            if not has_points and "FILE" not in param.metavar and Path(rest[0]).is_file():
                break
            yield from (word, rest.pop(0))


def _hint(params: dict[str, Any], word: str) -> str:
    """Say what a word too many was probably meant to be."""
    if "labels" not in params:
        return ""
    if params.get("dask") or params.get("scheduler"):
        return "; put a pattern of files into quotes, such as 'points-*.parquet'"
    if not params["labels"]:
        return f"; labels are named by --labels {word}"
    return "; 'disco compare' takes several labelings" if isinstance(params["labels"], str) else ""


def _takes_value(param: Any) -> bool:
    return bool(param.param_type_name == "option" and not param.is_flag)


def _is_value(word: str) -> bool:
    """Whether a word is a value and no option; -1 is the last column."""
    return not word.startswith("-") or word == "-" or word[1:].isdecimal()


# --- help and complaints ------------------------------------------------------------------------


def _write_help(
    command: Any, context: Any, formatter: Any, commands: Sequence[tuple[str, str]] = ()
) -> None:
    """Write a help: texts as they are laid out, options in groups, examples last."""
    formatter.write(f"usage: {context.command_path} {command.usage}\n\n{command.help}\n")
    _write_group(formatter, "commands", commands)
    shown = [param for param in command.get_params(context) if not param.hidden]
    arguments = [param for param in shown if param.param_type_name == "argument"]
    _write_group(formatter, "arguments", [(each.metavar, each.help) for each in arguments])
    for panel in _PANELS:
        rows = [
            (_names(param), _begin_small(param.help or "").removesuffix("."))
            for param in shown
            if param not in arguments and _panel(param) == panel
        ]
        _write_group(formatter, panel, rows)
    if command.epilog:
        formatter.write(f"\n{command.epilog}\n")


def _write_group(formatter: Any, heading: str, rows: Sequence[tuple[str, str]]) -> None:
    if not rows:
        return
    if has_colors(sys.stdout):
        heading = typer.style(heading, bold=True)
        rows = [(typer.style(name, fg="cyan"), text) for name, text in rows]
    with formatter.section(heading):
        formatter.write_dl(rows, col_max=20)


def _panel(param: Any) -> str:
    # The help of itself has none in older versions of typer.
    return getattr(param, "rich_help_panel", None) or _PANELS[-1]


def _names(param: Any) -> str:
    names = ", ".join(sorted(param.opts, key=len))
    return f"{names} {param.metavar}" if _takes_value(param) and param.metavar else names


def wrong_use(error: Any) -> str:
    """Say in one line what is wrong with the arguments, and whose help to read."""
    path = error.ctx.command_path if error.ctx else "disco"
    sentence = one_line(_complaint(error)).removesuffix(".")
    end = "" if sentence.endswith("?") else "."
    return f"{path}: {sentence}{end} See '{path} --help'."


def _complaint(error: Any) -> str:
    if hasattr(error, "possibilities"):
        params = error.ctx.command.get_params(error.ctx)
        # Without the dashes, which all have in common.
        known = {name.lstrip("-"): name for each in params for name in each.opts}
        question = did_you_mean(error.option_name.lstrip("-"), known)
        return f"no such option: {error.option_name}. {question}"
    param = getattr(error, "param", None)
    if param is not None:
        return f"{max(param.opts, key=len)} {error.message}"
    return _begin_small(str(error.format_message()))


def _begin_small(sentence: str) -> str:
    """Return a sentence of typer as ours begin."""
    is_word = sentence[1:2].islower()
    return sentence[:1].lower() + sentence[1:] if is_word else sentence


def note_warnings(message: Warning | str, *_: object, **__: object) -> None:
    """Show a warning of Python as commands speak, without the line of code that it came from."""
    note(one_line(str(message)))
