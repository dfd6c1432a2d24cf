import types
torch = types.ModuleType("torch")
