import subprocess
import sys

SHOW = """
import gc, sys
from pendesk.transports.interpreter import settle_interpreter
settle_interpreter()
print(gc.get_freeze_count() > 0, len(gc.get_objects()) < 100, gc.get_threshold()[0], sys.getswitchinterval() < 0.001)
"""


def test_a_server_does_not_walk_what_it_was_loaded_with_and_its_threads_give_way_soon():
    """In a process of its own: it holds for all of one."""
    shown = subprocess.run([sys.executable, "-c", SHOW], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["True", "True", "20000", "True"]
