"""What a guest has typed into the form, with what they are told about it."""

from typing import NamedTuple


class Draft(NamedTuple):
    title: str = ""
    body: str = ""
    name: str = ""
    problem: str = ""
    said: str = ""

    def arguments(self) -> dict[str, str]:
        return {"title": self.title, "body": self.body, "guest_name": self.name}
