"""What the fields of a text are called on a page."""

FIELD_NAMES = {
    "title": "Title",
    "summary": "Summary",
    "results": "Results",
    "conditions": "Conditions",
    "boundaries": "Boundaries",
    "goalId": "Goal",
    "approach": "Approach",
    "body": "Text",
    "statusLine": "Status line",
    "attachments": "Attachments",
    "label": "Title",
    "description": "Description",
    "area": "Product area",
    "paths": "File paths",
    "criteria": "Acceptance criteria",
}
