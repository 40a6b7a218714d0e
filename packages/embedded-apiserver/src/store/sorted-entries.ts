import type { StoreEntry, StoreKey } from "@rookery/kube";

type Place = Pick<StoreKey, "namespace" | "name">;

/** Full chunks are split: an insertion moves at most this many entries. */
const chunkSize = 512;

/** The entries of one resource in list order. */
export class SortedEntries {
  /** No chunk is empty. */
  readonly #chunks: StoreEntry[][] = [];

  get(place: Place): StoreEntry | undefined {
    const chunk = this.#chunks[this.#chunkOf(place)];
    const found = chunk?.[lowerBound(chunk, place)];
    return found && comparePlaces(found, place) === 0 ? found : undefined;
  }

  /** Adds an entry, or replaces the one of its name. */
  set(entry: StoreEntry): void {
    const number = this.#chunkOf(entry);
    const chunk = this.#chunks[number];
    if (!chunk) {
      this.#chunks.push([entry]);
      return;
    }
    const at = lowerBound(chunk, entry);
    const there = chunk[at];
    if (there && comparePlaces(there, entry) === 0) {
      chunk[at] = entry;
      return;
    }
    chunk.splice(at, 0, entry);
    if (chunk.length > chunkSize) {
      this.#chunks.splice(number + 1, 0, chunk.splice(chunkSize / 2));
    }
  }

  delete(place: Place): void {
    const number = this.#chunkOf(place);
    const chunk = this.#chunks[number];
    const at = chunk ? lowerBound(chunk, place) : 0;
    const there = chunk?.[at];
    if (!chunk || !there || comparePlaces(there, place) !== 0) return;
    chunk.splice(at, 1);
    if (chunk.length === 0) this.#chunks.splice(number, 1);
  }

  all(): StoreEntry[] {
    return joined(this.#chunks);
  }

  inNamespace(namespace: string): StoreEntry[] {
    const start = { namespace, name: "" };
    // No other namespace sorts between this one and itself with "/", which no name contains.
    const end = { namespace: `${namespace}/`, name: "" };
    const first = this.#chunkOf(start);
    const chunks = this.#chunks.slice(first, this.#chunkOf(end) + 1);
    return joined(
      chunks.map((chunk) => chunk.slice(lowerBound(chunk, start), lowerBound(chunk, end))),
    );
  }

  /** The first chunk whose last entry does not precede the place, else the last chunk. */
  #chunkOf(place: Place): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = this.#chunks[middle]?.at(-1);
      if (last && comparePlaces(last, place) < 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(low, 0);
  }
}

/** `concat` copies blocks: ten times as fast as `flat`. */
function joined(chunks: readonly StoreEntry[][]): StoreEntry[] {
  const empty: StoreEntry[] = [];
  return empty.concat(...chunks);
}

function lowerBound(entries: readonly StoreEntry[], place: Place): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[middle];
    if (entry && comparePlaces(entry, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The order of etcd's keys, "<namespace>/<name>": the namespace "a-b" precedes "a". */
export function comparePlaces(
  a: Pick<StoreKey, "namespace" | "name">,
  b: Pick<StoreKey, "namespace" | "name">,
): number {
  if (a.namespace === b.namespace) return compareText(a.name, b.name);
  return compareText(`${a.namespace}/`, `${b.namespace}/`);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
