import { isForbidden } from "@rookery/kube";

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
    try {
      return await read();
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
    try {
      const items = await read(this.#namespace);
      this.#narrowed.add(what);
      return items;
    } catch (error) {
      if (!isForbidden(error)) throw error;
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
