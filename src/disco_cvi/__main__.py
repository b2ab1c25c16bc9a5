"""`python -m disco_cvi` is the command `disco`."""

# Ctrl-C while these are imported is a traceback; so they are what Python itself has loaded before.
import os
import sys

TYPE_CHECKING = False  # as type checkers know it, without an import

if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130
# Seconds after which a command that goes on as if nothing had been asked is asked again.
_PATIENCE = 0.2


def main() -> int:
    """Run the command line and return its exit code.

    Ctrl-C is answered while it is loaded, too, and between its last line and the end.
    """
    interrupts = _Interrupts()
    try:
        interrupts.begin()
        _open_closed_streams()
        _spare_threads()
        os.environ["MPLBACKEND"] = "agg"  # files are all that is drawn, whatever windows there are
        from disco_cvi.cli import main as run

        code = run()
        interrupts.is_over = True
    except KeyboardInterrupt:
        interrupts.is_over = True
        code = None
    except Exception:
        if not interrupts.was_asked:
            raise
        interrupts.is_over = True
        code = None
    interrupts.stop_clock()
    if code is None or (interrupts.was_asked and code != INTERRUPTED):
        _tell_interrupted()
        return INTERRUPTED
    return code


def _open_closed_streams() -> None:
    """Let what nobody wants, as by '2>&-', lead nowhere: `print` would take the other stream."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))


def _tell_interrupted() -> None:
    if sys.stderr is not None:  # closed, and the signal came before it was opened
        sys.stderr.write("disco: interrupted\n")
        sys.stderr.flush()


def _spare_threads() -> None:
    """Let matrix products do without threads where none can be started.

    OpenBLAS would end the process while NumPy is loaded, by the signal of Ctrl-C.
    """
    import threading

    thread = threading.Thread(target=int)
    try:
        thread.start()
    except RuntimeError:
        for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
            os.environ.setdefault(variable, "1")
    else:
        thread.join()


class _Interrupts:
    """Ctrl-C, asked again until it is answered.

    Python drops what is raised while an object is cleared away or a callback runs, and packages
    take an interrupt in the middle of their import for a part that is missing, and go on.

    Attributes
    ----------
    was_asked : bool
    is_over : bool
        Whether the command has ended. There is nothing to clear away then, and nobody who would
        catch an interrupt, so the process is left at once. One attribute, for it has no moment
        between that Ctrl-C could come in, as a call has.
    """

    was_asked = False
    is_over = False

    def begin(self) -> None:
        """Be the one that answers, unless whoever started us lets Ctrl-C be ignored."""
        import atexit
        import signal

        # Loaded here, for a signal may come in the middle of any other import.
        from disco_cvi._compute.interrupts import is_interrupt

        self._is_interrupt = is_interrupt
        if callable(signal.getsignal(signal.SIGINT)):
            if hasattr(signal, "setitimer"):
                signal.signal(signal.SIGALRM, self._ask_again)
            sys.unraisablehook = self._tell_ignored
            signal.signal(signal.SIGINT, self._ask)
            # Called last: when Python takes itself apart, it gives signals their usual ways back.
            atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)

    def _ask(self, _number: int, _frame: "FrameType | None") -> None:
        if self.is_over:
            self._leave()
        self.was_asked = True
        self._set_clock(_PATIENCE)
        raise KeyboardInterrupt

    def _ask_again(self, _number: int, _frame: "FrameType | None") -> None:
        # What clears away on the way out is not disturbed: files would stay half written.
        if not self.is_over and not self._is_interrupt(sys.exc_info()[1]):
            raise KeyboardInterrupt

    def _set_clock(self, seconds: float) -> None:
        import signal

        if hasattr(signal, "setitimer"):  # not on Windows: what is dropped is answered at the end
            signal.setitimer(signal.ITIMER_REAL, seconds, seconds)

    def _tell_ignored(self, ignored: "sys.UnraisableHookArgs") -> None:
        """Tell what Python ignores, but nothing that is left of what was interrupted."""
        if not self.was_asked:
            sys.__unraisablehook__(ignored)

    def stop_clock(self) -> None:
        """Ask no more."""
        if self.was_asked:
            self._set_clock(0.0)

    def _leave(self) -> None:
        if not self.was_asked:
            _tell_interrupted()
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
