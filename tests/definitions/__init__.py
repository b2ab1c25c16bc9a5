"""Every index by its definition: slow, literal, and free of any code of the package."""
