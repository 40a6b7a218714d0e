import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Guarded, ReaperMessage } from "./reaper-protocol.ts";

type ReaperProcess = ChildProcessByStdio<Writable, Readable, null>;

/** Takes what was guarded off the record: it was ended in good order. */
export type Release = () => Promise<void>;

/**
 * Makes sure that something ends with this process, even if this process is killed. When the promise
 * resolves it is on record. Nothing here handles signals: whatever ends this process closes the pipe.
 */
export async function guard(guarded: Guarded): Promise<Release> {
  reaper ??= new Reaper();
  return reaper.guard(guarded);
}

let reaper: Reaper | undefined;

class Reaper {
  readonly #process: ReaperProcess = startReaper();
  readonly #waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  #lastId = 0;

  constructor() {
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#answer(line));
    this.#process.stdin.on("error", () => {});
    this.#process.on("error", (cause) => this.#fail(cause));
    this.#process.on("exit", () => this.#fail());
  }

  async guard(guarded: Guarded): Promise<Release> {
    const id = await this.#send((id) => ({ id, guard: guarded }));
    return async () => void (await this.#send((own) => ({ id: own, release: id })));
  }

  #send(message: (id: number) => ReaperMessage): Promise<number> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: () => resolve(id), reject });
      hold(this.#process, true);
      this.#process.stdin.write(`${JSON.stringify(message(id))}\n`);
    });
  }

  #answer(line: string): void {
    const id = Number(line);
    this.#waiting.get(id)?.resolve();
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) hold(this.#process, false);
  }

  #fail(cause?: Error): void {
    const error = new Error("could not guard what was started: the reaper ended", { cause });
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    if (reaper === this) reaper = undefined;
  }
}

function startReaper(): ReaperProcess {
  const main = fileURLToPath(new URL("./reaper-main.ts", import.meta.url));
  // Without what a debugger or a test runner set for this process: it must only do its one job.
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const child = spawn(process.execPath, [main], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
    cwd: "/",
    env,
  });
  hold(child, false);
  return child;
}

/** Whether this process stays alive for the reaper: only while an answer is outstanding. */
function hold(child: ReaperProcess, alive: boolean): void {
  const verb = alive ? "ref" : "unref";
  child[verb]();
  for (const stream of [child.stdin, child.stdout]) {
    (stream as Partial<Record<"ref" | "unref", () => void>>)[verb]?.();
  }
}
