"""What can be done, one file per verb, and the one dispatcher through which all of it goes."""
