import type { Logger } from "@rookery/runtime";

/** The text of an error, which may come from a remote server, is cut at this length. */
const longest = 500;

/**
 * Logs why connections fail, with details that conditions do not show: tenants read conditions, and may have named the
 * server to learn what is there. A failure that lasts is logged once.
 */
export class FailureLog {
  readonly #logger: Logger;
  readonly #last = new Map<string, string>();

  constructor(logger: Logger) {
    this.#logger = logger.withName("connections");
  }

  failed(holder: string, server: string, error: Error): void {
    const text = error.message.slice(0, longest);
    if (this.#last.get(holder) === text) return;
    this.#last.set(holder, text);
    this.#logger.info("Could not use a vCenter", { holder, server, error: text });
  }

  /** The holder is connected, or gone. */
  forget(holder: string): void {
    this.#last.delete(holder);
  }
}
