"""The pages that a person sees."""
