const encoder = new TextEncoder();

/** Quotes as Go's strconv.Quote (`%q`) does: what is not printable becomes an escape. */
export function quote(text: string): string {
  // A lone surrogate cannot be encoded; on the wire it becomes the replacement character.
  const quoted = text
    .toWellFormed()
    .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["\\]/gu, escapeCharacter);
  return `"${quoted}"`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
]);

function escapeCharacter(character: string): string {
  const known = escapes.get(character);
  if (known !== undefined) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, "0");
}

/** Quotes as Go's time package does in its errors: every byte outside of ASCII as `\xNN`. */
export function quoteBytes(text: string): string {
  let quoted = "";
  for (const byte of encoder.encode(text)) {
    const character = String.fromCharCode(byte);
    if (byte >= 0x80 || byte < 0x20) quoted += `\\x${hex(byte, 2)}`;
    else quoted += character === '"' || character === "\\" ? `\\${character}` : character;
  }
  return `"${quoted}"`;
}
