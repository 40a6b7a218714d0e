export { UnavailableError } from "@rookery/packaging";

/** A process ended that should have gone on; `log` is what it wrote last. */
export class ProcessEndedError extends Error {
  readonly code = "ProcessEnded";
  readonly process: string;
  readonly log: string;

  constructor(process: string, how: { ending: string; log: string }) {
    super(`could not run ${process}: it ended with ${how.ending}\n${how.log}`);
    this.name = "ProcessEndedError";
    this.process = process;
    this.log = how.log;
  }
}

/** A condition did not come true in time. */
export class TimedOutError extends Error {
  readonly code = "TimedOut";
  readonly milliseconds: number;

  constructor(what: string, how: { milliseconds: number; detail?: string; cause?: unknown }) {
    const detail = how.detail ? `\n${how.detail}` : "";
    super(`could not wait for ${what}: ${how.milliseconds / 1000} s are over${detail}`, {
      cause: how.cause,
    });
    this.name = "TimedOutError";
    this.milliseconds = how.milliseconds;
  }
}

/** The port that was asked for by number belongs to someone else. */
export class PortInUseError extends Error {
  readonly code = "PortInUse";
  readonly port: number;

  constructor(port: number, cause?: unknown) {
    super(
      `could not listen on port ${port}: it is in use; end what listens there or leave the port out, then a free one is taken`,
      { cause },
    );
    this.name = "PortInUseError";
    this.port = port;
  }
}

/** A lock is held by another process and the caller does not want to wait for it. */
export class LockHeldError extends Error {
  readonly code = "LockHeld";
  readonly file: string;
  readonly holder: string;

  constructor(file: string, holder: string) {
    super(`could not lock ${file}: it is held by ${holder}`);
    this.name = "LockHeldError";
    this.file = file;
    this.holder = holder;
  }
}

/** A command of the machine (ip, iptables, kubectl, ...) failed. */
export class CommandFailedError extends Error {
  readonly code = "CommandFailed";
  readonly exitCode: number | undefined;
  readonly stderr: string;

  constructor(command: string, how: { exitCode?: number; stderr: string; cause?: unknown }) {
    const ending = how.exitCode === undefined ? "it did not start" : `exit code ${how.exitCode}`;
    const said = how.stderr.trim();
    super(`could not run ${command}: ${ending}${said ? `: ${said}` : ""}`, { cause: how.cause });
    this.name = "CommandFailedError";
    this.exitCode = how.exitCode;
    this.stderr = how.stderr;
  }
}
