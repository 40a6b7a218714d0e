import { closeSync, fstatSync, openSync, read, statSync } from "node:fs";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import type { LogOptions } from "@rookery/apiserver";
import { parseTime } from "@rookery/kube";
import { type ContainerLog, rotatedLogs } from "./container-log.ts";

export interface LogSource {
  readonly path: string;
  /** The log that is still written to; undefined where it is complete. */
  readonly live: ContainerLog | undefined;
  readonly now: () => number;
}

interface LogEntry {
  readonly time: string;
  readonly isWhole: boolean;
  readonly line: string;
}

/** The output of a container, selected by the query of pods/log. */
export function readLog(source: LogSource, options: LogOptions, signal: AbortSignal): Readable {
  return Readable.from(limited(entriesText(source, options, signal), options.limitBytes), {
    objectMode: false,
  });
}

async function* entriesText(
  source: LogSource,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const follower = new LogFollower(source);
  try {
    const since = sinceTime(options, source.now());
    const first = (await follower.read()).filter(({ time }) => Date.parse(time) >= since);
    const { tailLines } = options;
    const wanted = tailLines === undefined ? first : tailOf(first, tailLines);
    if (wanted.length > 0) yield entriesBytes(wanted, options.timestamps);
    while (options.follow && source.live && !signal.aborted) {
      // Asked before the rest is read: what comes in between is read, or heard of.
      const { isClosed } = source.live;
      using change = nextChange(source.live, signal);
      const more = await follower.read();
      if (more.length > 0) yield entriesBytes(more, options.timestamps);
      else if (isClosed) return;
      else await change.happened;
    }
  } finally {
    follower.close();
  }
}

function sinceTime({ sinceSeconds, sinceTime: since }: LogOptions, now: number): number {
  if (since !== undefined) return parseTime(since).getTime();
  return sinceSeconds === undefined ? 0 : now - sinceSeconds * 1000;
}

/** The last whole lines, with the parts before each. */
function tailOf(entries: readonly LogEntry[], lines: number): readonly LogEntry[] {
  let begin = entries.length;
  for (let left = lines; begin > 0; begin -= 1) {
    const isNewLine = begin === entries.length || entries[begin - 1]?.isWhole;
    if (isNewLine && left === 0) break;
    if (isNewLine) left -= 1;
  }
  return entries.slice(begin);
}

function entriesBytes(entries: readonly LogEntry[], timestamps: boolean): Buffer {
  const texts = entries.map(({ time, isWhole, line }) => {
    return `${timestamps ? `${time} ` : ""}${line}${isWhole ? "\n" : ""}`;
  });
  // Bytes of a line are kept as they are, whatever they mean.
  return Buffer.from(texts.join(""), "latin1");
}

async function* limited(
  chunks: AsyncGenerator<Buffer>,
  limit: number | undefined,
): AsyncGenerator<Buffer> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const chunk of chunks) {
    if (chunk.length >= left) {
      yield chunk.subarray(0, left);
      return;
    }
    left -= chunk.length;
    yield chunk;
  }
}

/** Resolves when more was written, the log is complete, or the reader left. */
function nextChange(log: ContainerLog, signal: AbortSignal) {
  const { promise: happened, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  if (log.isClosed || signal.aborted) done();
  const forget = log.onceChanged(done);
  signal.addEventListener("abort", done, { once: true });
  return {
    happened,
    [Symbol.dispose]() {
      forget();
      signal.removeEventListener("abort", done);
    },
  };
}

/** Reads on where it was, also when the file was rotated meanwhile, as often as that was. */
class LogFollower {
  readonly #source: LogSource;
  #file: OpenFile | undefined;
  #rest = "";

  constructor(source: LogSource) {
    this.#source = source;
  }

  async read(): Promise<LogEntry[]> {
    let text = this.#rest;
    do text += await readRest(this.#file);
    while (this.#goOn());
    const end = text.lastIndexOf("\n") + 1;
    this.#rest = text.slice(end);
    return text
      .slice(0, end)
      .split("\n")
      .flatMap((line) => entryOf(line));
  }

  close(): void {
    if (this.#file) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }

  /** Opens the file behind the one that was read to its end; whether there is more to read. */
  #goOn(): boolean {
    // Without a pause, so that nothing is written or rotated in between.
    const { path } = this.#source;
    const files = this.#file ? [...rotatedLogs(path), path] : [path];
    const known = files.findIndex((file) => inodeOf(file) === this.#file?.inode);
    // One that is gone was older than all that are there.
    const next = files[known + 1];
    const inode = next === undefined ? undefined : inodeOf(next);
    if (next === undefined || inode === undefined) return false;
    if (this.#file && fstatSync(this.#file.descriptor).size > this.#file.offset) return true;
    this.close();
    this.#file = { descriptor: openSync(next, "r"), inode, offset: 0 };
    return true;
  }
}

/** The file stays open while it is followed, so that no other file gets its inode. */
interface OpenFile {
  readonly descriptor: number;
  readonly inode: number;
  offset: number;
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

const readAt = promisify(read);

async function readRest(file: OpenFile | undefined): Promise<string> {
  if (!file) return "";
  const chunks: string[] = [];
  const buffer = Buffer.alloc(256 * 1024);
  for (;;) {
    const { bytesRead } = await readAt(file.descriptor, buffer, 0, buffer.length, file.offset);
    if (bytesRead === 0) return chunks.join("");
    file.offset += bytesRead;
    chunks.push(buffer.toString("latin1", 0, bytesRead));
  }
}

function entryOf(text: string): LogEntry[] {
  const [, time = "", tag, line = ""] = /^(\S+) \S+ ([FP]) (.*)$/s.exec(text) ?? [];
  return tag ? [{ time, isWhole: tag === "F", line }] : [];
}
