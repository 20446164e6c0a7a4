"""What mypy would not see: a message that is put into text before a language has said it.

mypy takes every object for something that can stand in an f-string.  A `Message` raises there, so
that the mail would fail; this plugin finds such places without playing them.
"""

from collections.abc import Callable

from mypy.nodes import CallExpr, Context, MemberExpr, StrExpr
from mypy.plugin import FunctionContext, MethodContext, Plugin
from mypy.types import Instance, Type, UnionType, get_proper_type

_MESSAGE = "machjudge.translatable.Message"


def _may_be_message(kind: Type) -> bool:
    plain = get_proper_type(kind)
    if isinstance(plain, UnionType):
        return any(map(_may_be_message, plain.items))
    return isinstance(plain, Instance) and plain.type.fullname == _MESSAGE


def _check(context: FunctionContext | MethodContext) -> Type:
    shown = any(_may_be_message(kind) for kinds in context.arg_types for kind in kinds)
    if shown and not _is_repr(context.context):
        context.api.fail("a Message has no text before it is said", context.context)
    return context.default_return_type


def _is_repr(call: Context) -> bool:
    """True if that is ``{…!r}``, which shows the key and the fields."""
    callee = call.callee if isinstance(call, CallExpr) else None
    text = callee.expr if isinstance(callee, MemberExpr) else None
    return isinstance(text, StrExpr) and text.value.startswith("{!r")


class MessagePlugin(Plugin):
    """Looks at what becomes text: f-strings, ``format`` and ``str``."""

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Of f-strings and ``"…".format(…)``."""
        return _check if fullname == "builtins.str.format" else None

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Of ``str(…)``."""
        return _check if fullname == "builtins.str" else None


def plugin(_: str) -> type[Plugin]:
    """Where mypy begins."""
    return MessagePlugin
