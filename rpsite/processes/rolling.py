"""The address of ``tools.rolling`` up to 1.2; it goes with 1.4."""

import runpy

if __name__ == "__main__":
    runpy.run_module("tools.rolling", run_name="__main__")
