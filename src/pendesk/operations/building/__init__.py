"""The 13 operations of the building loop, from "what is there to do" to "submitted"."""
