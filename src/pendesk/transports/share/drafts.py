"""What a guest has typed into the form, with the answer to it."""

from typing import NamedTuple


class Draft(NamedTuple):
    title: str = ""
    body: str = ""
    name: str = ""
    problem: str = ""
    notice: str = ""

    def arguments(self) -> dict[str, str]:
        return {"title": self.title, "body": self.body, "guest_name": self.name}
