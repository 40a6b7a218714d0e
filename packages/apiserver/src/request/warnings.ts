const maxTotalCharacters = 4 * 1024;
const maxItemCharacters = 256;

/** Characters that a quoted header value can't hold. */
const unprintable = /[\p{Cc}\p{Cs}]/u;

/**
 * What a client is told beside its answer, in Warning headers. Each text once; when they grow too
 * long together, each is cut.
 */
export class Warnings {
  readonly #texts = new Set<string>();

  /** A text that can't stand in a header is left out, as kube-apiserver does. */
  add(text: string): void {
    if (text !== "" && !unprintable.test(text)) this.#texts.add(text);
  }

  /** The values of the Warning headers, in the order in which they were added. */
  headers(): string[] {
    const texts = [...this.#texts];
    const total = texts.reduce((sum, text) => sum + [...text].length, 0);
    if (total <= maxTotalCharacters) return texts.map(warningHeader);
    return withinLimit(texts.map((text) => [...text].slice(0, maxItemCharacters).join("")));
  }
}

function withinLimit(texts: readonly string[]): string[] {
  const headers: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= maxTotalCharacters) break;
    written += [...text].length;
    headers.push(warningHeader(text));
  }
  return headers;
}

/** Bytes above ASCII go as they are in UTF-8; Node writes headers in Latin-1. */
function warningHeader(text: string): string {
  const quoted = text.replace(/[\\"]/g, "\\$&");
  return Buffer.from(`299 - "${quoted}"`, "utf8").toString("latin1");
}
