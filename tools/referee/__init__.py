"""Any game's rules on a pipe, random games with their checks, and the arena as one engine.

The site runs without this application; ``rpsite.settings`` adds it where the folder is there.
"""
