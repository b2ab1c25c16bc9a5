"""Small changes of the source, one at a time: the tests must notice each of them.

``make mutants SAMPLE=400 SEED=0`` makes them and runs the tests marked `small` on each, with the
compiler off. What no test notices is a hole in the tests, or stands in survivors.toml with the
reason why it changes no result.

The changes are our own (`mutants.changes`). cosmic-ray would bring 28 packages, changes annotations
and decorators, which nothing can notice, and cannot leave out a statement; mutmut leaves decorated
functions alone, so all kernels; both start slowly where a function of one process can be replaced.
"""

from __future__ import annotations

from mutants.changes import Mutant, mutants_of

__all__ = ["Mutant", "mutants_of"]
