"""The commands, one file each: a command is the function of its name in the module of its name."""
