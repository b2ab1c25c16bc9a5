"""Compiling beforehand: the calls work, and it is said where kernels are kept."""

from __future__ import annotations

import pytest

from disco_cvi import precompile
from helpers.zoo import COMPILER_IS_OFF


@pytest.mark.skipif(COMPILER_IS_OFF, reason="nothing is compiled")
def test_it_says_where_kernels_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert precompile.main([]) == 0
    assert "are kept in /" in capsys.readouterr().out


def test_without_a_folder_that_can_be_written_it_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(precompile, "kept_in", lambda _: None)
    assert precompile.main([]) == 1
    assert "Let NUMBA_CACHE_DIR name one" in capsys.readouterr().err


def test_it_takes_no_arguments() -> None:
    with pytest.raises(SystemExit, match="2"):
        precompile.main(["--jobs"])
