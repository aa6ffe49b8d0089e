"""``python -m rpsite.processes.rolling``, the address of ``tools.rolling`` until 1.3; it goes with 1.4."""

import runpy

if __name__ == "__main__":
    runpy.run_module("tools.rolling", run_name="__main__")
