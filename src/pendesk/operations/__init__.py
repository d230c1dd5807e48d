"""What can be done, one file per verb, and the one door through which all of it goes."""
