"""How indices follow data that change step by step."""
