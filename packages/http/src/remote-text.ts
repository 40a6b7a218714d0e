const ellipsis = "…";
/** Control characters, those that turn the direction of writing, and other ends of lines. */
const unsafe = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text that somebody else wrote as it may stand in a log, an event or a condition: on one line,
 * without characters that a terminal acts on, and no longer than the limit.
 */
export function remoteText(text: string, limit = 256): string {
  // Cut before it is searched: it may be megabytes.
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
