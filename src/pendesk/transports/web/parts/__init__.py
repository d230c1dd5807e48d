"""What the pages share: templates, assets, the session cookie, forms and redirects."""
