"""Every small change that could be made to a Python source: where, and what stands there afterwards."""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

COMPARED = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
WORKED_OUT = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}


class Change(NamedTuple):
    """One change of a source.

    Attributes
    ----------
    start, end : int
        The bytes of the source that go.
    text : str
        What comes.
    first, last : int
        The lines of the statement, or of the part of its head, that runs the place.
    at_import : bool
        Whether the place stands outside all functions, so that importing the module runs it.
    """

    start: int
    end: int
    text: str
    first: int
    last: int
    at_import: bool

    def made(self, source: bytes) -> bytes:
        """Return the changed source."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def changes(source: bytes) -> list[Change]:
    """Return every change of a source, in its order; docstrings, annotations and the words of texts stay."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    out = set()
    for node, place, at_import in _places(ast.parse(source).body, True):
        for old, text in _instead(node):
            start = starts[old.lineno - 1] + old.col_offset
            end = starts[old.end_lineno - 1] + old.end_col_offset
            out.add(Change(start, end, text, place.lineno, place.end_lineno, at_import))
    return sorted(out)


def says_the_same(one: bytes, other: bytes) -> bool:
    """Return whether two sources differ in nothing that runs, or the second is no Python."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except SyntaxError:
        return True


Node = Any
"""Any node that has a place in the source."""


def _places(body: list[Node], at_import: bool) -> Iterator[tuple[Node, Node, bool]]:
    """Yield what may change, each with what runs it: a simple statement as a whole, of the head of another the part."""
    for statement in body:
        if _is_text(statement) or _is_for_types(statement):
            continue
        if not hasattr(statement, "body") and not isinstance(statement, ast.Match):
            yield from ((node, statement, at_import) for node in _nodes(statement))
            continue
        if isinstance(statement, ast.If | ast.While):
            yield statement, statement.test, at_import
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                yield from _places([child], at_import and not isinstance(statement, ast.FunctionDef))
            elif child is not getattr(statement, "returns", None):
                for node in _nodes(child):
                    yield node, child if hasattr(child, "lineno") else node, at_import


def _nodes(node: Node) -> Iterator[Node]:
    """Yield a node and what is in it, without annotations and without f-strings.

    Python 3.11 doesn't know where in the source the parts of an f-string stand.
    """
    if isinstance(node, ast.JoinedStr):
        return
    if hasattr(node, "lineno"):
        yield node
    for child in ast.iter_child_nodes(node):
        if child is not getattr(node, "annotation", None):
            yield from _nodes(child)


def _is_text(node: Node) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_for_types(node: Node) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _instead(node: Node) -> Iterator[tuple[Node, str]]:
    """Yield what could stand in the place of a node or of a part of it."""
    match node:
        case ast.If() | ast.While() | ast.IfExp() if _is_worth_negating(node.test):
            yield node.test, f"(not ({ast.unparse(node.test)}))"
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            yield from ((test, "True") for part in node.generators for test in part.ifs)
        case ast.Compare():
            for n, operator in enumerate(node.ops):
                for other in COMPARED[type(operator)]:
                    yield node, _with(node, lambda new, n=n, other=other: new.ops.__setitem__(n, other()))
        case ast.BoolOp():
            other = ast.And if isinstance(node.op, ast.Or) else ast.Or
            yield node, _with(node, lambda new: setattr(new, "op", other()))
        case ast.UnaryOp():
            yield node, f"({ast.unparse(node.operand)})"
        case ast.BinOp() if type(node.op) in WORKED_OUT and not _joins_types(node):
            yield node, _with(node, lambda new: setattr(new, "op", WORKED_OUT[type(node.op)]()))
        case ast.Constant(value=bool()):
            yield node, str(not node.value)
        case ast.Constant(value=int() | float()):
            yield node, repr(node.value + 1)
            yield node, f"({node.value - 1!r})"
        case ast.Call(args=[first, second, *_]) if ast.Starred not in map(type, (first, second)):
            yield node, _with(node, lambda new: new.args.__setitem__(slice(0, 2), [second, first]))
        case ast.Return(value=ast.expr()):
            yield node, "return None"
        case ast.AugAssign():
            if type(node.op) in WORKED_OUT:
                new = ast.AugAssign(target=node.target, op=WORKED_OUT[type(node.op)](), value=node.value)
                yield node, ast.unparse(new)
            yield node, "pass"
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield node, "pass"
        case ast.Break():
            yield node, "continue"
        case ast.Continue():
            yield node, "break"


def _with(node: Node, edit: Callable[[Node], None]) -> str:
    new = copy.deepcopy(node)
    edit(new)
    return f"({ast.unparse(new)})"


def _is_worth_negating(test: Node) -> bool:
    """Return whether no other change negates a condition already."""
    return not isinstance(test, ast.Compare | ast.Constant) and not isinstance(getattr(test, "op", None), ast.Not)


def _joins_types(node: ast.BinOp) -> bool:
    """Return whether a node is ``a | b`` of types."""
    names = [ast.unparse(side).split("[")[0].split(".")[-1] for side in (node.left, node.right)]
    return isinstance(node.op, ast.BitOr) and any(
        name == "None" or name[:1].isupper() or isinstance(getattr(builtins, name, None), type) for name in names
    )
