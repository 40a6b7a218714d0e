import { createHash } from "node:crypto";
import type { RenamerOptions } from "../rules/field-rule.ts";

/**
 * Appends a mark to ETags and hashes of renamed documents and removes it from requests. A client's
 * cache is thus only valid while both the server's document and the mapping are unchanged.
 */
export class Fingerprint {
  readonly #mark: string;

  constructor({ mapping, rules = [] }: RenamerOptions) {
    const text = JSON.stringify([mapping.pairs, rules]);
    this.#mark = `-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
  }

  mark(text: string): string {
    return text + this.#mark;
  }

  /** Undefined for a text without this mark. */
  unmark(text: string): string | undefined {
    return text.endsWith(this.#mark) ? text.slice(0, -this.#mark.length) : undefined;
  }

  /** Inside of the quotes. */
  markTag(tag: string): string {
    return tag.endsWith('"') ? `${this.mark(tag.slice(0, -1))}"` : this.mark(tag);
  }

  /** The marked tags of a request without their marks; undefined where there are none. */
  unmarkTags(tags: string): string | undefined {
    if (tags.trim() === "*") return tags;
    const known = tags.split(",").flatMap((tag) => this.#unmarkTag(tag.trim()) ?? []);
    return known.length === 0 ? undefined : known.join(", ");
  }

  #unmarkTag(tag: string): string | undefined {
    if (!tag.endsWith('"')) return this.unmark(tag);
    const text = this.unmark(tag.slice(0, -1));
    return text === undefined ? undefined : `${text}"`;
  }

  /** Marks the hash in the URL of an OpenAPI document. */
  markHash(url: string): string {
    return url.replace(
      /([?&]hash=)([^&#]+)/,
      (_, key: string, hash: string) => key + this.mark(hash),
    );
  }

  unmarkHash(query: string): string {
    return query.replace(/(^|&)(hash=)([^&]+)/, (all, start: string, key: string, hash: string) => {
      const known = this.unmark(hash);
      return known === undefined ? all : start + key + known;
    });
  }
}
