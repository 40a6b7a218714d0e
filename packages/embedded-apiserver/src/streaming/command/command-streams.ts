import type { Readable, Writable } from "node:stream";
import type { Status } from "@rookery/kube";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a client has opened to talk with a process, by whichever protocol. */
export interface CommandStreams {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** JSON that tells of new sizes. */
  readonly resize: Readable | undefined;
  /** Says how it ended. */
  writeStatus(status: Partial<Status>): Promise<void>;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal;
  /** All is said. */
  close(): void;
}
