"""How answers reach people and programs: words, tables, data frames, files."""
