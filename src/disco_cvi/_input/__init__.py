"""What users give becomes trusted: options, points, labels."""
