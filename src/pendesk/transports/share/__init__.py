"""What guests see: the pages behind the link of a share."""
