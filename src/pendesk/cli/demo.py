"""pendesk demo: load the sample project, published and ready to claim."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import click

from pendesk.cli.console import Console, Failure, acting_as, everywhere, pass_console
from pendesk.cli.local import Local, at_desk

SAMPLE = "harbour.json"


@click.command()
@acting_as
@everywhere
@pass_console
def demo(console: Console) -> None:
    """Load the sample project: specs, plans and actions to try an agent on. Safe to run twice."""
    sample = read_sample()
    told = at_desk(console, lambda local: _load(local, sample))
    if told["loaded"]:
        text = (
            f"Loaded {sample['project']['name']} ({told['key']}): {told['specs']} specs, {told['actions']} actions, "
            f"{told['published']} specs published and ready to claim.\n"
            "Next, in a repository: pendesk connect"
        )
    else:
        text = f"{sample['project']['name']} ({told['key']}) is there already; nothing was changed."
    console.answer(told, text)


async def _load(local: Local, sample: dict[str, Any]) -> dict[str, Any]:
    from pendesk.domain.errors import NotFound

    key = sample["project"]["key"]
    try:
        await local.call("get_project", project_id=key)
    except NotFound:
        return {"loaded": True, **await local.call("load_project", **sample)}
    return {"loaded": False, "key": key}


def read_sample() -> dict[str, Any]:
    """From the installed package; from the repository where it runs out of a clone."""
    places = [
        resources.files("pendesk") / "examples" / SAMPLE,
        Path(__file__).parents[3] / "examples" / SAMPLE,
    ]
    for place in places:
        if place.is_file():
            sample: dict[str, Any] = json.loads(place.read_text("utf-8"))
            return sample
    raise Failure("The sample project is not part of this installation. Install pendesk again.")
