"""Every page and form of the web app, one file each; registry.py lists the pages."""
