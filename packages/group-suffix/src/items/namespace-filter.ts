import type { ItemFilter, KeepNamespace } from "./item-filter.ts";

/** Decides about objects by namespace, and counts them. */
export abstract class NamespaceFilter implements ItemFilter {
  passed = 0;
  dropped = 0;
  readonly #keep: KeepNamespace;

  constructor(keep: KeepNamespace) {
    this.#keep = keep;
  }

  abstract push(chunk: Uint8Array): readonly Uint8Array[];

  abstract end(): readonly Uint8Array[];

  /** Objects with an unknown namespace are dropped. */
  protected passes(namespace: string | undefined): boolean {
    const passes = namespace !== undefined && this.#keep(namespace);
    if (passes) this.passed++;
    else this.dropped++;
    return passes;
  }
}
