import { isForbidden } from "@rookery/kube";

/** What a user may list: of all namespaces, of one alone, or not at all; by what it is called. */
export class Sight {
  readonly #namespace: string;
  readonly #narrowed = new Set<string>();
  readonly #hidden = new Set<string>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /** `read` lists all namespaces where it is given none. */
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

  /** What was not listed at all, or, of what tenants share, of one namespace alone. */
  unseen(shared: readonly string[]): readonly string[] {
    return [...this.#hidden, ...shared.filter((what) => this.#narrowed.has(what))].toSorted();
  }

  /** What was not listed, and why; empty where all was. */
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
