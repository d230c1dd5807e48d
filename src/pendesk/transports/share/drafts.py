"""What a guest has typed into the form, with the answer to it."""

from typing import NamedTuple


class GuestRequestDraft(NamedTuple):
    title: str = ""
    body: str = ""
    name: str = ""
    problem: str = ""
    notice: str = ""

    def operation_arguments(self) -> dict[str, str]:
        return {"title": self.title, "body": self.body, "guest_name": self.name}
