"""Control flow: functions that decide, repeat and go through rows."""
