"""From files to a profile, from a profile and a goal to a task."""
