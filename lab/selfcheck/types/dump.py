"""Writes what the types of official SDKs say that a request may contain, one file for each wire API.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python dump.py

Each line of `places` is a type of object and its keys: a key that has to be given ends with *, and one that only Vertex AI takes
with ^. After it come the types of its value: text, integer, number, flag, null, any, =WORD, the name of a place or a union, with
[] for a list and {} for an object with any keys. Unions are called AnyNAME. `errors` are the codes of errors that the SDK has a type for.
"""

import ast
import enum
import importlib
import inspect
import pathlib
import pkgutil
import types
import typing
from importlib.metadata import version

import typing_extensions
from typing_extensions import NotRequired, Required, is_typeddict

LITERALS = (typing.Literal, typing_extensions.Literal)
PLAIN = {str: "text", int: "integer", float: "number", bool: "flag", type(None): "null", bytes: "text", object: "any", typing.Any: "any"}
HERE = pathlib.Path(__file__).parent


class Dump:
    """The places that were found so far, and those still to be read."""

    def __init__(self, unions=None):
        self.names, self.places, self.unions, self.waiting = {}, {}, {}, []
        self.known = unions or {}
        self.models = unions is None  # whether models, which typed SDKs have for answers alone, are places

    def name(self, cls):
        """The short name of a place: that of its class, with the end of its module where two have the same."""
        if cls in self.names:
            return self.names[cls]
        short = shorten(cls.__name__)
        if short in self.names.values():
            short = shorten("".join(part.title() for part in cls.__module__.rsplit(".", 1)[-1].split("_"))) + short
        self.names[cls] = short
        self.waiting.append(cls)
        return short

    def text(self, hint):
        """The types of a value, in the notation of the files. None: nothing that can be in JSON."""
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin in (Required, NotRequired, typing.Annotated):
            return self.text(args[0])
        if hint in PLAIN:
            return PLAIN[hint]
        if origin in LITERALS:
            return "|".join("=" + str(word).lower() if isinstance(word, bool) else "=" + str(word) for word in args)
        if origin in (typing.Union, types.UnionType):
            return self.union(hint, args)
        if origin in (dict, typing.Mapping) or getattr(origin, "__name__", "") in ("Mapping", "MutableMapping"):
            return suffixed(self.text(args[1]), "{}")
        if origin is not None and args:  # list, Iterable, Sequence and the SDKs' own
            return suffixed(self.text(args[0]), "[]")
        if inspect.isclass(hint) and issubclass(hint, enum.Enum):
            return "|".join("=" + member.value for member in hint if not member.value.endswith("_UNSPECIFIED"))
        if is_typeddict(hint) or is_model(hint) and self.models:
            return self.name(hint)
        if hint in (dict, "dict"):
            return "any{}"
        return None

    def union(self, hint, args):
        parts = sorted({part for arg in args for text in [self.text(arg)] if text for part in text.split("|")}, key=rank)
        if "text" in parts:  # words beside it, such as names of models, are examples
            parts = [part for part in parts if not part.startswith("=") or part.endswith(("[]", "{}"))]
        name = self.known.get(frozenset(typing.get_args(hint)))
        name = name and "Any" + shorten(name)
        if name and len(parts) > 3 and "null" not in parts and self.unions.setdefault(name, parts) == parts:
            return name
        return "|".join(parts) or None

    def typed_dict(self, cls):
        hints = typing.get_type_hints(cls, include_extras=True)
        for key, hint in hints.items():
            required = typing.get_origin(hint) is Required or key in cls.__required_keys__ and typing.get_origin(hint) is not NotRequired
            yield key, required, self.text(hint) or "any"

    def read(self, fields, leave_out=()):
        while self.waiting:
            cls = self.waiting.pop()
            self.places[self.names[cls]] = [field for field in fields(cls) if field[0] not in leave_out]

    def prune(self, root):
        """Drops what was read on the way and is in no request."""
        seen, waiting = set(), [root]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                texts = self.unions.get(name, []) + [text for _, _, text in self.places.get(name, [])]
                waiting += [part.rstrip("[]{}") for text in texts for part in text.split("|") if not part.startswith("=")]
        self.places = {name: fields for name, fields in self.places.items() if name in seen}
        self.unions = {name: parts for name, parts in self.unions.items() if name in seen}

    def write(self, name, package, root, errors=()):
        self.prune(root)
        lines = [f"# {package} {version(package)}, written by dump.py.", f"sdk: {package} {version(package)}", f"root: {root}"]
        for title, entries in ("unions", {k: " ".join(v) for k, v in self.unions.items()}), ("places", {k: listed(v) for k, v in self.places.items()}):
            lines += [f"{title}:"] + [f"  {key}: {text}" if text else f'  {key}: ""' for key, text in sorted(entries.items())] if entries else []
        if errors:
            lines += ["errors:"] + [f"  - {code}" for code in sorted(errors)]
        (HERE / f"{name}.yaml").write_text("\n".join(lines) + "\n")
        print(f"{name}.yaml: {len(self.places)} places, {sum(map(len, self.places.values()))} keys")


def shorten(name):
    return name.removeprefix("Beta").removesuffix("Param").removesuffix("Param")


def suffixed(text, suffix):
    return text and "|".join(part + suffix for part in text.split("|"))


def rank(part):
    return part == "null", part.startswith("="), part


def listed(fields):
    return "; ".join(f"{key}{'*' if required else ''} {text}" for key, required, text in sorted(fields, key=lambda f: (not f[1], f[0])))


def is_model(cls):
    return inspect.isclass(cls) and hasattr(cls, "model_fields")


def modules(package):
    found = importlib.import_module(package)
    return [found] + [importlib.import_module(m.name) for m in pkgutil.walk_packages(found.__path__, package + ".")]


def unions_of(package):
    """The names of the unions that a package declares."""
    return {
        frozenset(typing.get_args(value)): name
        for module in modules(package)
        for name, value in vars(module).items()
        if typing.get_origin(value) in (typing.Union, types.UnionType)
    }


def typed(name, package, types_package, module, classes, leave_out=(), errors=()):
    dump = Dump(unions_of(types_package))
    found = [getattr(importlib.import_module(module), cls) for cls in classes]
    for cls in found:
        dump.names[cls] = "Request"
    merged = {}
    for cls in found:
        for key, required, text in dump.typed_dict(cls):
            texts = merged.get(key, (False, ""))[1].split("|") + text.split("|")
            merged[key] = required and key != "stream", "|".join(sorted({t for t in texts if t}, key=rank))  # stream=True is a class of its own
    dump.places["Request"] = [(key, *rest) for key, rest in merged.items() if key not in leave_out]
    dump.read(dump.typed_dict)
    dump.write(name, package, "Request", errors)


def error_codes():
    """The codes of errors that the SDK of Anthropic has types for."""
    codes = set()
    for module in modules("anthropic.types"):
        if module.__name__.endswith("_error_details"):
            for cls in vars(module).values():
                if is_model(cls) and cls.__module__ == module.__name__ and "error_code" in cls.model_fields:
                    codes.update(typing.get_args(cls.model_fields["error_code"].annotation))
    return codes


class Genai:
    """The types of google-genai, with the keys that its converters take for the Gemini API (mldev) and for Vertex AI."""

    def __init__(self):
        self.types = importlib.import_module("google.genai.types")
        tree = ast.parse(inspect.getsource(importlib.import_module("google.genai.models")))
        self.converters = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}
        self.dump = Dump()

    def keys(self, cls, to, target="to_object"):
        """The keys that a converter sets in an object, or None if there is no converter."""
        converter = self.converters.get(f"_{cls}_to_{to}")
        if converter is None:
            return None
        return {
            call.args[1].elts[0].value
            for call in ast.walk(converter)
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "setv" and call.args[0].id == target
        } - {"_url"}

    def fields(self, cls, source=None, target="to_object"):
        """The keys of a class. source is the class that its converter is for."""
        source = source or cls.__name__
        gemini, vertex = self.keys(source, "mldev", target), self.keys(source, "vertex", target)
        known = {camel(name, field): field for name, field in cls.model_fields.items()}
        for key in sorted(known if gemini is None else gemini | (vertex or set())):
            field = known.get(key) or self.elsewhere(source, key)
            text = self.dump.text(field.annotation) if field else "any"
            if text is None:
                continue
            text = "|".join(part for part in text.split("|") if part != "null") or "any"
            only_vertex = gemini is not None and key not in gemini or "not supported in Gemini API" in (field and field.description or "")
            yield key + ("^" if only_vertex else ""), False, text

    def elsewhere(self, source, key):
        return next((f for name, f in getattr(self.types, source).model_fields.items() if camel(name, f) == key), None)

    def write(self):
        t, config = self.types, "GenerateContentConfig"
        parts = {"contents": list[t.Content], "generationConfig": t.GenerationConfig, "systemInstruction": t.Content, "tools": list[t.Tool]}
        root = [("contents", True, self.dump.text(parts["contents"])), ("generationConfig", False, self.dump.text(parts["generationConfig"]))]
        for key, required, text in self.fields(getattr(t, config), config, "parent_object"):
            root.append((key, required, self.dump.text(parts[key]) if key in parts else text))
        self.dump.waiting = [cls for cls in self.dump.waiting if cls.__name__ not in ("HttpOptions",)]
        self.dump.places["Request"] = root
        self.dump.read(lambda cls: self.fields(cls, config if cls.__name__ == "GenerationConfig" else None))
        self.dump.write("google-genai", "google-genai", "Request")


def camel(name, field):
    first, *rest = name.split("_")
    return field.alias or first + "".join(word.title() for word in rest)


def main():
    headers = ("betas", "workspace_id", "user_profile_id")
    typed("anthropic", "anthropic", "anthropic.types.beta", "anthropic.types.beta.message_create_params",
          ["MessageCreateParamsNonStreaming", "MessageCreateParamsStreaming"], headers, error_codes())
    typed("openai-chat", "openai", "openai.types.chat", "openai.types.chat.completion_create_params",
          ["CompletionCreateParamsNonStreaming", "CompletionCreateParamsStreaming"])
    typed("openai-responses", "openai", "openai.types.responses", "openai.types.responses.response_create_params",
          ["ResponseCreateParamsNonStreaming", "ResponseCreateParamsStreaming"])
    Genai().write()


if __name__ == "__main__":
    main()
