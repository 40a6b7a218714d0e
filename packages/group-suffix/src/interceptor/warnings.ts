/** Listeners hear of a text once; so many are remembered. */
const remembered = 1000;
/** So many reach one client at a time. */
const atOnce = 5;

/** Collects what renamers warn of: renaming does not wait for anything, so that who runs it is known. */
export class Warnings {
  readonly #listener: ((text: string) => void) | undefined;
  readonly #heard = new Set<string>();
  #collected: Set<string> | undefined;

  constructor(listener: ((text: string) => void) | undefined) {
    this.#listener = listener;
  }

  add(text: string): void {
    this.#collected?.add(text);
    if (this.#heard.has(text) || this.#heard.size >= remembered) return;
    this.#heard.add(text);
    this.#listener?.(text);
  }

  /** What `rename` returns, and values of the header Warning for what it warned of. */
  during<Result>(rename: () => Result): { result: Result; warnings: readonly string[] } {
    const collected = new Set<string>();
    this.#collected = collected;
    try {
      const result = rename();
      const warnings = [...collected].slice(0, atOnce).map((text) => `299 - ${quoted(text)}`);
      return { result, warnings };
    } finally {
      this.#collected = undefined;
    }
  }
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
