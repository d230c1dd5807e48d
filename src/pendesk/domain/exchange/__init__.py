"""Other programs' files, read into one plan for an import. Pure: files come in as bytes, a plan goes out."""
