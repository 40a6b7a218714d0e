import { type FileHandle, open, readFile } from "node:fs/promises";

interface Line {
  readonly at: "begin" | "end";
  readonly object: string;
  readonly pod: string;
  /** The namespace of the pod. */
  readonly instance: string;
  /** Nanoseconds. */
  readonly time: string;
}

/** One reconcile of an object by a pod; without an end where the pod was killed in the middle. */
export interface Reconcile {
  readonly object: string;
  readonly pod: string;
  readonly instance: string;
  readonly begin: bigint;
  readonly end: bigint | undefined;
}

/** All reconciles of managers that write to one file. */
export async function readReconciles(file: string): Promise<readonly Reconcile[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return pair(parse(text));
}

function parse(text: string): readonly Line[] {
  return text
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as Line);
}

/** A reconcile that has begun. */
export type Begin = Pick<Reconcile, "object" | "instance" | "begin">;

/** Reads a long file in parts: each time what was begun since the last. */
export class ReconcileReader implements AsyncDisposable {
  readonly #file: FileHandle;
  #position = 0;
  #rest = "";

  static async open(file: string): Promise<ReconcileReader> {
    return new ReconcileReader(await open(file, "a+"));
  }

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  async more(): Promise<readonly Begin[]> {
    const { size } = await this.#file.stat();
    const buffer = Buffer.alloc(size - this.#position);
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#position);
    this.#position += bytesRead;
    const text = this.#rest + buffer.subarray(0, bytesRead).toString();
    const end = text.lastIndexOf("\n") + 1;
    this.#rest = text.slice(end);
    return parse(text.slice(0, end))
      .filter(({ at }) => at === "begin")
      .map(({ object, instance, time }) => ({ object, instance, begin: BigInt(time) }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}

/** Two reconciles of one object, by two pods, of which one began before the other had ended. */
export function overlapsAmong(reconciles: readonly Reconcile[]): readonly string[] {
  const byObject = Map.groupBy(reconciles, ({ object }) => object);
  return [...byObject].flatMap(([object, all]) => {
    const sorted = all.toSorted((a, b) => (a.begin < b.begin ? -1 : 1));
    return sorted.flatMap((later, index) => {
      const rival = sorted
        .slice(0, index)
        .find(({ pod, end }) => pod !== later.pod && end !== undefined && end > later.begin);
      return rival ? [`${object}: ${later.pod} began while ${rival.pod} was at it`] : [];
    });
  });
}

/** A controller never has two reconciles of one object at once. */
function pair(lines: readonly Line[]): readonly Reconcile[] {
  const open = new Map<string, Line>();
  const done: Reconcile[] = [];
  for (const line of lines) {
    const { at, object, pod, instance, time } = line;
    const key = `${pod} ${object}`;
    const begun = open.get(key);
    if (at === "begin") open.set(key, line);
    else if (begun) {
      done.push({ object, pod, instance, begin: BigInt(begun.time), end: BigInt(time) });
      open.delete(key);
    }
  }
  const rest = [...open.values()].map(({ object, pod, instance, time }) => ({
    object,
    pod,
    instance,
    begin: BigInt(time),
    end: undefined,
  }));
  return [...done, ...rest];
}
