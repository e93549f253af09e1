"""Stand-ins for modules that are not installed.

The request-reading code of vLLM and SGLang imports torch and much else that it does not use for reading requests. After
install("torch", "triton"), `import torch.nn` gives a module of which every attribute is a class that can be called,
subclassed and indexed, so that the real code loads without those packages.
"""

import importlib.abc
import importlib.machinery
import sys
import types


class StandInType(type):
    """The type of all stand-in classes: attributes of a class are stand-ins, too."""

    def __getattr__(cls, name):
        if is_special(name):
            raise AttributeError(name)
        return stand_in(name)

    def __call__(cls, *args, **kwargs):
        if not cls.__dict__.get("_is_stand_in"):
            return super().__call__(*args, **kwargs)  # a real class that inherits from a stand-in
        if used_as_decorator(args, kwargs):
            return args[0]
        return object.__new__(cls)

    def __instancecheck__(cls, instance):
        return False if cls.__dict__.get("_is_stand_in") else type.__instancecheck__(cls, instance)

    def __getitem__(cls, item):
        return cls

    def __iter__(cls):
        return iter(())

    def __or__(cls, other):
        return cls

    def __ror__(cls, other):
        return cls

    def __lt__(cls, other):  # "is the version older than ...": no
        return False

    def __ge__(cls, other):
        return True

    def __int__(cls):
        return 0

    __index__ = __len__ = __int__

    def __bool__(cls):
        return False


def stand_in(name):
    """Returns a class that stands for whatever the name is."""

    def attribute(self, key):
        if is_special(key):
            raise AttributeError(key)
        return stand_in(key)

    def schema(cls, source, handler):
        from pydantic_core import core_schema

        return core_schema.any_schema()

    return StandInType(
        name,
        (),
        {
            "_is_stand_in": True,
            "__module__": "standins",
            "__init_subclass__": classmethod(lambda cls, **kwargs: setattr(cls, "_is_stand_in", False)),
            "__get_pydantic_core_schema__": classmethod(schema),
            "__getattr__": attribute,
            "__call__": lambda self, *args, **kwargs: args[0] if used_as_decorator(args, kwargs) else self,
            "__enter__": lambda self: self,
            "__exit__": lambda self, *exc: False,
            "__iter__": lambda self: iter(()),
            "__getitem__": lambda self, item: self,
            "__bool__": lambda self: False,
            "__len__": lambda self: 0,
            "__int__": lambda self: 0,
            "__lt__": lambda self, other: False,
            "__mul__": lambda self, other: self,
            "__truediv__": lambda self, other: self,
        },
    )


def used_as_decorator(args, kwargs):
    return len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], StandInType)


def is_special(name):
    return name.startswith("__") and name.endswith("__")


class StandInModule(types.ModuleType):
    """A module that has every attribute."""

    def __getattr__(self, name):
        if is_special(name) and name != "__version__":
            raise AttributeError(name)
        value = "9.9.9" if name == "__version__" else stand_in(name)
        setattr(self, name, value)
        return value


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds stand-ins for some packages, and for all that is in them."""

    def __init__(self, packages, real):
        self.packages, self.real = set(packages), set(real)

    def find_spec(self, name, path=None, target=None):
        if name in self.real:
            return None
        if name in self.packages or any(name.startswith(package + ".") for package in self.packages):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = StandInModule(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


def install(*packages, real=()):
    """Makes stand-ins of some packages. Modules named in real are imported as they are, although their package is not."""
    sys.meta_path.insert(0, Finder(packages, real))
