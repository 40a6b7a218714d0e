import { defineError } from "@rookery/errors";

export { UnavailableError } from "@rookery/packaging";

/** A process ended that should have gone on; `log` is what it wrote last. */
export class ProcessEndedError extends defineError(
  "ProcessEnded",
  (process: string, how: { ending: string; log: string }) => ({
    message: `could not run ${process}: it ended with ${how.ending}\n${how.log}`,
    process,
    log: how.log,
  }),
) {}

/** A condition did not come true in time. */
export class TimedOutError extends defineError(
  "TimedOut",
  (what: string, how: { milliseconds: number; detail?: string; cause?: unknown }) => {
    const detail = how.detail ? `\n${how.detail}` : "";
    return {
      message: `could not wait for ${what}: ${how.milliseconds / 1000} s are over${detail}`,
      milliseconds: how.milliseconds,
      cause: how.cause,
    };
  },
) {}

/** The port that was asked for by number belongs to someone else. */
export class PortInUseError extends defineError("PortInUse", (port: number, cause?: unknown) => ({
  message: `could not listen on port ${port}: it is in use; end what listens there or leave the port out, then a free one is taken`,
  port,
  cause,
})) {}

/** A lock is held by another process and the caller does not want to wait for it. */
export class LockHeldError extends defineError("LockHeld", (file: string, holder: string) => ({
  message: `could not lock ${file}: it is held by ${holder}`,
  file,
  holder,
})) {}

/** A command of the machine (ip, iptables, kubectl, ...) failed. */
export class CommandFailedError extends defineError(
  "CommandFailed",
  (command: string, how: { exitCode?: number; stderr: string; cause?: unknown }) => {
    const ending = how.exitCode === undefined ? "it did not start" : `exit code ${how.exitCode}`;
    const said = how.stderr.trim();
    return {
      message: `could not run ${command}: ${ending}${said ? `: ${said}` : ""}`,
      exitCode: how.exitCode,
      stderr: how.stderr,
      cause: how.cause,
    };
  },
) {}
