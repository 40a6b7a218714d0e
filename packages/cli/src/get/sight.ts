import { ignoreForbidden } from "../objects.ts";

/** Lists objects of all namespaces, or of one if the user may list no others, and records the gaps. */
export class Sight {
  readonly #namespace: string;
  readonly #narrowed = new Set<string>();
  readonly #hidden = new Set<string>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /** Without a namespace, `read` lists all. */
  async list<T>(
    what: string,
    read: (namespace?: string) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const all = await ignoreForbidden(read());
    if (all) return all;
    const some = await ignoreForbidden(read(this.#namespace));
    if (some) {
      this.#narrowed.add(what);
      return some;
    }
    this.#hidden.add(what);
    return [];
  }

  /** The lists that are incomplete for tenants. */
  unseen(shared: readonly string[]): readonly string[] {
    return [...this.#hidden, ...shared.filter((what) => this.#narrowed.has(what))].toSorted();
  }

  /** A note on incomplete lists; empty if all are complete. */
  note(): string {
    const [narrowed, hidden] = [this.#narrowed, this.#hidden].map((names) => [...names].toSorted());
    const parts = [
      ...(narrowed?.length
        ? [`of namespace ${this.#namespace} alone: ${narrowed.join(", ")}`]
        : []),
      ...(hidden?.length ? [`not at all: ${hidden.join(", ")}`] : []),
    ];
    return parts.length === 0 ? "" : `You may not list all of it. Seen ${parts.join("; ")}.\n`;
  }
}
