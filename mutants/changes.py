"""Which small changes a source offers.

Only bodies and defaults of functions are changed. Decorators, annotations, assertions and texts are
left alone, as is what stands outside functions: sizes that decide about speed, and tables. A name
that would be left without its first value is no change either, nor is another part of a shape: any
test would notice, or none could.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
OPPOSITES = {
    "min": "max",
    "minimum": "maximum",
    "argmin": "argmax",
    "floor": "ceil",
    "any": "all",
    "left": "right",
    "zeros": "ones",
}
OPPOSITES |= {second: first for first, second in OPPOSITES.items()}

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Mutant(NamedTuple):
    """One change: where, what was written there, and what is written now."""

    function: str
    number: int
    kind: str
    line: str
    becomes: str
    source: str


class _Change(NamedTuple):
    """A part of the source, and the text to stand there instead."""

    kind: str
    node: ast.expr | ast.stmt
    text: str


def mutants_of(source: str) -> list[Mutant]:
    """Return all changes of a source, from top to bottom."""
    lines = source.splitlines(keepends=True)
    found = []
    for name, function in _functions(ast.parse(source), ""):
        for kind, node, text in _changes(function):
            changed = _put(lines, node, text)
            first = node.lineno - 1
            line, becomes = (each.splitlines()[first].strip() for each in (source, changed))
            found.append(Mutant(name, node.lineno, kind, line, becomes, changed))
    return found


def _functions(tree: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, Function]]:
    for each in tree.body:
        if isinstance(each, Function):
            yield prefix + each.name, each
        elif isinstance(each, ast.ClassDef):
            yield from _functions(each, f"{prefix}{each.name}.")


def _put(lines: list[str], node: ast.expr | ast.stmt, text: str) -> str:
    """Return the source with another text in the place of a node, on the node's first line."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    first = lines[node.lineno - 1].encode()[: node.col_offset].decode()
    last = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
    return "".join([*lines[: node.lineno - 1], first + text + last, *lines[node.end_lineno :]])


def _changes(function: Function) -> Iterator[_Change]:
    arguments = function.args
    bound = {each.arg for each in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    for default in [*arguments.defaults, *arguments.kw_defaults]:
        if default is not None:
            yield from _of_expression(default)
    for statement in function.body:
        yield from _of_statement(statement, bound)


def _of_statement(statement: ast.stmt, bound: set[str]) -> Iterator[_Change]:
    """Changes of a statement and of all within it; `bound`: names that have a value by then."""
    if isinstance(statement, ast.Assert | ast.Import | ast.ImportFrom | ast.ClassDef):
        return
    if isinstance(statement, Function):
        yield from _changes(statement)
        return
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return
    yield from _removals(statement, bound)
    if isinstance(statement, ast.AugAssign) and type(statement.op) in OPERATIONS:
        other = ast.AugAssign(statement.target, OPERATIONS[type(statement.op)](), statement.value)
        yield _Change("operation", statement, ast.unparse(other))
    if isinstance(statement, ast.If):
        yield _Change("condition", statement.test, "True")
    if isinstance(statement, ast.If | ast.While):
        yield _Change("condition", statement.test, "False")
    for name, value in ast.iter_fields(statement):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.stmt):
                yield from _of_statement(part, bound)
            elif isinstance(part, ast.expr) and name != "annotation":
                yield from _of_expression(part)
            elif isinstance(part, ast.ExceptHandler):
                for inner in part.body:
                    yield from _of_statement(inner, bound)
    bound |= _names(statement)


def _removals(statement: ast.stmt, bound: set[str]) -> Iterator[_Change]:
    if isinstance(statement, ast.Break | ast.Continue):
        other = "continue" if isinstance(statement, ast.Break) else "break"
        yield _Change("jump", statement, other)
    elif isinstance(statement, ast.Expr | ast.AugAssign | ast.Raise) or (
        isinstance(statement, ast.Assign) and _names(statement) <= bound
    ):
        yield _Change("removal", statement, "pass")


def _names(statement: ast.stmt) -> set[str]:
    """Names that get a value by a statement, or somewhere within it."""
    nodes = ast.walk(statement)
    return {each.id for each in nodes if isinstance(each, ast.Name) and _is_stored(each)}


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _of_expression(expression: ast.expr) -> Iterator[_Change]:
    left_alone = _left_alone(expression)
    for node in ast.walk(expression):
        if isinstance(node, ast.expr) and node not in left_alone:
            yield from _of_node(node)


def _left_alone(expression: ast.expr) -> set[ast.AST]:
    """Parts of f-strings, which have no place of their own, and numbers of a shape's part."""
    found: set[ast.AST] = set()
    for node in ast.walk(expression):
        if isinstance(node, ast.JoinedStr):
            found.update(ast.walk(node))
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(".shape"):
            found.add(node.slice)
    return found


def _of_node(node: ast.expr) -> Iterator[_Change]:
    if isinstance(node, ast.Compare):
        yield from _of_comparison(node)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        other = ast.BinOp(node.left, OPERATIONS[type(node.op)](), node.right)
        yield _Change("operation", node, _written(other))
    elif isinstance(node, ast.BoolOp):
        joint = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield _Change("and or", node, _written(ast.BoolOp(joint, node.values)))
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
        yield _Change("sign", node, _written(node.operand))
    elif isinstance(node, ast.IfExp):
        yield _Change("condition", node.test, "True")
        yield _Change("condition", node.test, "False")
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node)
    elif isinstance(node, ast.Name) and node.id in OPPOSITES:
        yield _Change("opposite", node, OPPOSITES[node.id])
    elif isinstance(node, ast.Attribute) and node.attr in OPPOSITES:
        other_name = ast.Attribute(node.value, OPPOSITES[node.attr])
        yield _Change("opposite", node, ast.unparse(other_name))


def _of_comparison(node: ast.Compare) -> Iterator[_Change]:
    for place, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:
            operators = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            changed = ast.Compare(node.left, operators, node.comparators)
            yield _Change("comparison", node, _written(changed))


def _of_constant(node: ast.Constant) -> Iterator[_Change]:
    value = node.value
    if isinstance(value, bool):
        yield _Change("constant", node, str(not value))
    elif isinstance(value, int | float):
        for other in (value + 1, value - 1):
            yield _Change("constant", node, _written(ast.Constant(other)))
    elif isinstance(value, str) and value in OPPOSITES:
        yield _Change("opposite", node, repr(OPPOSITES[value]))


def _written(node: ast.expr) -> str:
    """The text of an expression, which may stand wherever another stood."""
    text = ast.unparse(node)
    return text if text.isidentifier() or text.isdigit() else f"({text})"
