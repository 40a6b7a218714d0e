const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/** Go's `%q`: what is not printable becomes an escape. */
export function goQuote(text: string): string {
  const quoted = text
    .toWellFormed()
    .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["\\]/gu, (character) => escapeCharacter(character));
  return `"${quoted}"`;
}

function escapeCharacter(character: string): string {
  const known = ESCAPES[character];
  if (known) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, "0")}`
    : `\\U${code.toString(16).padStart(8, "0")}`;
}
