import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock } from "@rookery/kube";
import { isDiskFull } from "./disk-full.ts";

export type OutputName = "stdout" | "stderr";

export interface LogLimits {
  readonly fileBytes: number;
  /** With the one that is written to. */
  readonly files: number;
}

/** As a kubelet rotates by default. */
export const kubeletLogLimits: LogLimits = { fileBytes: 10 * 1024 * 1024, files: 5 };

/** A longer line is written in parts, as container runtimes do. */
const longestLine = 16 * 1024;
const newline = 0x0a;

/** The output of one run of a container, in the format of the CRI: "<time> stdout F <line>". */
export class ContainerLog {
  readonly path: string;
  readonly #now: Clock;
  readonly #limits: LogLimits;
  readonly #rest: Record<OutputName, Buffer> = {
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
  };
  readonly #readers = new Set<() => void>();
  #file: number;
  #bytes: number;
  #isClosed = false;

  constructor(path: string, { now, limits }: { readonly now: Clock; readonly limits: LogLimits }) {
    this.path = path;
    this.#now = now;
    this.#limits = limits;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = openSync(path, "a", 0o600);
    this.#bytes = statSync(path).size;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(name: OutputName, chunk: Buffer): void {
    if (this.#isClosed) return;
    let rest = this.#rest[name].length === 0 ? chunk : Buffer.concat([this.#rest[name], chunk]);
    const entries: Buffer[] = [];
    for (;;) {
      const end = rest.indexOf(newline);
      const isLong = end > longestLine || (end < 0 && rest.length > longestLine);
      if (end < 0 && !isLong) break;
      entries.push(this.#entry(name, rest.subarray(0, isLong ? longestLine : end), !isLong));
      rest = rest.subarray(isLong ? longestLine : end + 1);
    }
    this.#rest[name] = Buffer.from(rest);
    if (entries.length > 0) this.#append(Buffer.concat(entries));
  }

  /** Writes what is left without an end of line. */
  close(): void {
    if (this.#isClosed) return;
    for (const name of ["stdout", "stderr"] as const) {
      if (this.#rest[name].length > 0) this.#append(this.#entry(name, this.#rest[name], true));
    }
    this.#isClosed = true;
    closeSync(this.#file);
    this.#tell();
  }

  /** Calls back once when there is more to read, or nothing more will come. */
  onceChanged(reader: () => void): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  #entry(name: OutputName, line: Buffer, isWhole: boolean): Buffer {
    const time = this.#now().toISOString().replace("Z", "000000Z");
    return Buffer.concat([
      Buffer.from(`${time} ${name} ${isWhole ? "F" : "P"} `),
      line,
      Buffer.of(newline),
    ]);
  }

  /** Output is lost while the disk is full, as with container runtimes; later lines are whole again. */
  #append(bytes: Buffer): void {
    try {
      if (this.#bytes > 0 && this.#bytes + bytes.length > this.#limits.fileBytes) this.#rotate();
      if (writeSync(this.#file, bytes) < bytes.length) ftruncateSync(this.#file, this.#bytes);
      else this.#bytes += bytes.length;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
    this.#tell();
  }

  #rotate(): void {
    closeSync(this.#file);
    const stamp = this.#now().toISOString().replace(/\D/g, "");
    renameSync(this.path, `${this.path}.${stamp}-${process.hrtime.bigint()}`);
    this.#file = openSync(this.path, "a", 0o600);
    this.#bytes = 0;
    const rotated = rotatedLogs(this.path);
    const surplus = rotated.slice(0, Math.max(0, rotated.length - (this.#limits.files - 1)));
    for (const file of surplus) rmSync(file, { force: true });
  }

  #tell(): void {
    const readers = [...this.#readers];
    this.#readers.clear();
    for (const reader of readers) reader();
  }
}

/** The rotated files of a log, the oldest first. */
export function rotatedLogs(path: string): readonly string[] {
  const prefix = `${basename(path)}.`;
  const folder = dirname(path);
  // It goes with its pod, which may still be followed.
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix));
  return names.sort().map((name) => join(folder, name));
}
