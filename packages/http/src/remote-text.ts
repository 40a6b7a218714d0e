const ellipsis = "…";
/** Control characters, bidirectional controls, and line separators. */
const unsafe = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Untrusted text for logs, events and conditions: one line without control characters, up to the
 * limit.
 */
export function remoteText(text: string, limit = 256): string {
  // Truncated first, because it may be megabytes.
  const escaped = text
    .slice(0, limit + 1)
    .toWellFormed()
    .replace(unsafe, escapeCharacter);
  return escaped.length <= limit
    ? escaped
    : `${escaped.slice(0, limit - ellipsis.length)}${ellipsis}`;
}

function escapeCharacter(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return " ";
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
