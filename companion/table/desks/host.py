"""The web process's end of the pipe: starts the sensor process, and restarts it when it dies."""

import multiprocessing
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from companion.table.desks.outbox import Outbox
from companion.table.desks.pulse import LOOK_S, Pulse
from companion.table.desks.scaledesk import ENDED
from companion.table.messages import (
    NO_BOARD,
    PROCESS_ENDED,
    PROCESS_HUNG,
    PROCESS_SILENT,
    PROCESS_TROUBLES,
    Alive,
    CalibrationSays,
    CameraSays,
    Check,
    Checked,
    Expect,
    Order,
    Said,
    SensorSays,
    SensorSpec,
    Stop,
    TellBoard,
    UseCamera,
    UseProfile,
    switched_off_check,
    unread_check,
)
from companion.table.naming import public_name
from companion.table.sensing.child import main
from firmware.link.events import Answered
from firmware.link.troubles import link_down

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 8.0
_GOODBYE_S = 3.0
_PAUSE_S = 0.2


class SensorHost:
    """Hands each report to `hear`, from a thread of its own."""

    def __init__(self, spec: SensorSpec, hear: Callable[[Said], None], pulse: Pulse | None = None) -> None:
        self._spec = spec
        self._hear = hear
        self._stopping = threading.Event()
        self._paused = threading.Event()
        self._process: SpawnProcess | None = None
        self._expected = Expect(None)
        self._open_checks: set[int] = set()
        """Numbers of the checks that have not been answered yet."""
        self._board_command: TellBoard | None = None
        """The last command to the board, until it answers."""
        self._pulse = pulse or Pulse()
        self._wait_s = FIRST_WAIT_S
        """How long to wait before a restart, if the last process did not live for long."""
        self._camera_report = CameraSays("")
        """The last that the process itself said of its camera."""
        self._told_silence = False
        """Whether it was reported that the process is silent."""
        self._outbox = Outbox()
        self._lock = threading.Lock()
        self._process_lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="sensor host", daemon=True)
        self._watch = threading.Thread(target=self._watch_pulse, name="sensor watch", daemon=True)

    def start(self) -> None:
        """Start process and threads."""
        self._outbox.start()
        self._thread.start()
        self._watch.start()

    @property
    def spec(self) -> SensorSpec:
        """What is looked through and read with now."""
        with self._lock:
            return self._spec

    def order(self, order: Order) -> bool:
        """Queue an order for the process, without ever waiting for it; while the process is being started,
        only orders that somebody waits for are kept.

        Return False if nobody will hear of it.
        """
        with self._lock:
            was_queued, older = self._outbox.put(order)
            if was_queued and isinstance(order, Check):
                self._open_checks.add(order.number)
            if was_queued and isinstance(order, TellBoard):
                self._board_command = order
            if was_queued and isinstance(order, UseProfile):
                self._spec = replace(self._spec, taught=True)
        if isinstance(older, Check):
            self._pass_on(unread_check(older.number))
        return was_queued

    def use(self, camera: str, *, taught: bool) -> None:
        """Look through another camera, also after a restart of the process."""
        with self._lock:
            self._spec = self._spec.with_camera(camera, taught=taught)
            self._outbox.put(UseCamera(camera, taught))

    def expect(self, expected: Expect) -> None:
        """Set what may lie in the tray, also after a restart of the process; sent only if it changed."""
        with self._lock:
            if expected != self._expected:
                self._expected = expected
                self._outbox.put(expected)

    def pause(self) -> None:
        """End the process, and start none until `again`."""
        self._paused.set()
        with self._lock:
            self._outbox.shut()  # whoever restarts it later no longer means what is queued
            self._board_command, open_checks = None, sorted(self._open_checks)
        for number in open_checks:
            self._pass_on(switched_off_check(number))
        self._kill_process()

    def restart(self) -> None:
        """End the process if it runs, and start one."""
        with self._lock:
            self._wait_s = FIRST_WAIT_S
        self._paused.clear()
        self._outbox.open()
        self._kill_process()

    def stop(self) -> None:
        """End process and threads; idempotent."""
        self._stopping.set()
        self._outbox.put_last(Stop())
        if self._thread.is_alive():
            self._thread.join(_GOODBYE_S)
        self._kill_process()
        self._outbox.close()

    @property
    def pid(self) -> int | None:
        """Of the process that runs now."""
        process = self._living_process()
        return None if process is None else process.pid

    def _living_process(self) -> SpawnProcess | None:
        """Return the process if it lives. Locked, because a dead process that two threads ask at once would
        tell the second that it lives."""
        with self._process_lock:
            process = self._process
            return process if process is not None and process.is_alive() else None

    def _pass_on(self, said: Said) -> None:
        """Pass on what is said, by the process or in its place."""
        with self._lock:
            if isinstance(said, Checked):
                self._open_checks.discard(said.number)
            elif isinstance(said, CalibrationSays) and _has_kept_profile(said):
                self._spec = replace(self._spec, taught=True)
            elif self._board_command is not None and _is_answer_to(said, self._board_command):
                self._board_command = None
        self._hear(said)

    def _handle_message(self, said: Said | Alive) -> None:
        """Take what the process says."""
        with self._pulse.handling():
            if isinstance(said, Alive):
                self._pulse.note_beat()
                return
            if isinstance(said, CameraSays):
                self._camera_report = said
                if self._told_silence:  # it is told when the silence is over
                    return
            self._pass_on(said)

    def _report_silence(self) -> None:
        """Report once that the process is silent, and its last word on the camera when it speaks again."""
        silent = self._pulse.is_silent
        if silent != self._told_silence:
            self._told_silence = silent
            self._hear(self._process_trouble(PROCESS_SILENT) if silent else self._camera_report)

    def _process_trouble(self, key: str) -> CameraSays:
        sentence, remedy = PROCESS_TROUBLES[key]
        return CameraSays(public_name(self._spec.camera), sentence, remedy, key)

    def _watch_pulse(self) -> None:
        while not self._stopping.wait(LOOK_S):
            if self._pulse.count_look():
                self._kill_process()

    def _kill_process(self) -> None:
        process = self._living_process()  # waits for one that is just being started
        if process is not None:
            process.kill()
            self._join_process(process)

    def _join_process(self, process: SpawnProcess) -> None:
        if wait([process.sentinel], _GOODBYE_S):
            with self._process_lock:
                process.join(_GOODBYE_S)

    def _run(self) -> None:
        while not self._stopping.is_set():
            if self._paused.is_set():
                self._stopping.wait(_PAUSE_S)
                continue
            self._run_one_process()
            if self._stopping.is_set():
                return
            if self._paused.is_set():
                continue
            self._report_end()
            self._stopping.wait(self._next_wait_s())

    def _next_wait_s(self) -> float:
        with self._lock:
            wait_s = FIRST_WAIT_S if self._pulse.lived_well else self._wait_s
            self._wait_s = min(2 * wait_s, LONGEST_WAIT_S)
            return wait_s

    def _report_end(self) -> None:
        """Tell all who wait that the process has ended, and that what was weighed is no longer known."""
        with self._lock:
            self._outbox.forget(Check)
            self._open_checks.clear()
            lost = None if self._outbox.has_waiting(TellBoard) else self._board_command
        self._hear(self._process_trouble(PROCESS_HUNG if self._pulse.has_hung else PROCESS_ENDED))
        if lost is not None:
            self._pass_on(SensorSays(Answered(lost.command, lost.arguments, 0, ENDED)))
        if self._spec.port != NO_BOARD:
            self._hear(SensorSays(link_down(ENDED, self._spec.port)))

    def _start_process(self) -> tuple[SpawnProcess, Connection] | None:
        """Start a process; return it and our end of its pipe, or None if none may or can be started now."""
        with self._lock:
            spec = self._spec
            if not self._outbox.has_waiting(UseProfile):  # UseCamera after it restates if a profile applies
                self._outbox.forget(UseCamera)  # the spec has it; twice, it would lose its first picture
        context = multiprocessing.get_context("spawn")
        with suppress(OSError), ExitStack() as failed:  # no memory, too many processes: perhaps not for long
            ours, theirs = (failed.enter_context(end) for end in context.Pipe())
            process = context.Process(target=main, args=(theirs, spec), name="tenshu sensors", daemon=True)
            with self._process_lock:
                if self._paused.is_set() or self._stopping.is_set():
                    return None
                process.start()
                self._process = process
            failed.pop_all()
            theirs.close()
            return process, ours
        return None

    def _run_one_process(self) -> None:
        """Run one process from start to death."""
        self._pulse.note_start()
        started = self._start_process()
        if started is None:
            self._pulse.note_end()
            return
        process, ours = started
        with self._lock:
            self._outbox.connect(ours, self._expected)
        self._told_silence = False
        with suppress(EOFError, OSError):
            while not (self._stopping.is_set() and self._living_process() is None):
                if self._paused.is_set():
                    break
                if ours.poll(LOOK_S):
                    self._handle_message(ours.recv())
                self._report_silence()
        self._pulse.note_end()
        process.kill()
        self._join_process(process)
        if self._outbox.disconnect():
            ours.close()


def _has_kept_profile(said: CalibrationSays) -> bool:
    """Whether a profile made with the present camera was kept: the next process reads with it too."""
    verdict = said.state.get("verdict")
    return isinstance(verdict, dict) and verdict.get("kept") is True


def _is_answer_to(said: Said, order: TellBoard) -> bool:
    match said:
        case SensorSays(Answered(command, arguments)):
            return (command, arguments) == (order.command, order.arguments)
    return False
