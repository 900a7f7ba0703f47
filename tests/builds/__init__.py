"""What a build of a site makes, keeps, says and takes up again."""
