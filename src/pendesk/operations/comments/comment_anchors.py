"""When a document's text changes, the comments on its passages move with it."""

from pendesk.domain.comment import TextEdit
from pendesk.domain.limits import EVENT_LIST_ITEMS
from pendesk.operations.operation import Call
from pendesk.store import comments


def reanchor_comments_and_list_lost_ids(call: Call, document_id: str, old_text: str, new_text: str) -> list[str]:
    """The comments that lost their place by this edit (the first few); the document must be locked."""
    quoting = comments.on_passages_of_document(call.tx, document_id) if old_text != new_text else []
    if not quoting:
        return []
    edit = TextEdit(old_text, new_text)
    lost: list[str] = []
    for comment in quoting:
        moved = edit.reanchor(comment)
        if moved == comment:
            continue
        comments.save_commented_passage(call.tx, moved)
        if moved.passage_lost and not comment.passage_lost:
            lost.append(comment.id)
    return lost[:EVENT_LIST_ITEMS]
