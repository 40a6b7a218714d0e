const maxTotalCharacters = 4 * 1024;
const maxItemCharacters = 256;

/** Characters that a quoted header value can't contain. */
const unprintable = /[\p{Cc}\p{Cs}]/u;

/**
 * The Warning headers of a response, without duplicates. All are truncated if their total is too
 * long.
 */
export class Warnings {
  readonly #texts = new Set<string>();

  /** Skips texts that can't be in a header, like kube-apiserver. */
  add(text: string): void {
    if (text !== "" && !unprintable.test(text)) this.#texts.add(text);
  }

  /** In order of addition. */
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

/** Non-ASCII text is UTF-8; Node writes headers as Latin-1. */
function warningHeader(text: string): string {
  const quoted = text.replace(/[\\"]/g, "\\$&");
  return Buffer.from(`299 - "${quoted}"`, "utf8").toString("latin1");
}
