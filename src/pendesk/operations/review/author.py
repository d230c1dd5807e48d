"""Who did something: a person, an agent with its model, or a guest."""

from collections.abc import Iterable

from pendesk.operations.operation import Call, Output
from pendesk.store import people


class Who(Output):
    """kind: person, agent (an account of its own) or guest. agent: which of their agents it was, where one was, and
    agent_model its model.
    """

    name: str
    kind: str
    user_id: str | None = None
    agent_model: str | None = None
    agent: str | None = None


class Authors:
    """The authors of something, read at once."""

    def __init__(self, call: Call, user_ids: Iterable[str | None]) -> None:
        ids = sorted({user_id for user_id in user_ids if user_id})
        self.names = people.names_by_user_id(call.tx, ids)
        self._kinds = people.person_or_agent_by_user_id(call.tx, ids)

    def author(self, user_id: str | None, agent_model: str | None = None, agent: str | None = None) -> Who | None:
        if not user_id:
            return None
        kind = self._kinds.get(user_id, "person")
        name = self.names.get(user_id, "")
        return Who(name=name, kind=kind, user_id=user_id, agent_model=agent_model, agent=agent)
