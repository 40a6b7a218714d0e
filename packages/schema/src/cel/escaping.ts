// biome-ignore format: a list of words
const RESERVED: ReadonlySet<string> = new Set([
  "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
  "import", "let", "loop", "package", "namespace", "return", "var", "void", "while",
]);

const EXPANSIONS: ReadonlyMap<string, string> = new Map([
  ["__", "__underscores__"],
  [".", "__dot__"],
  ["-", "__dash__"],
  ["/", "__slash__"],
]);
const CONTRACTIONS: ReadonlyMap<string, string> = new Map(
  [...EXPANSIONS].map(([text, escaped]) => [escaped, text] as const),
);

/** The name of a property in rules; undefined where rules cannot express it. */
export function escapePropertyName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (text) => EXPANSIONS.get(text) ?? text);
}

/** The inverse of `escapePropertyName`; undefined for malformed names. */
export function unescapePropertyName(escaped: string): string | undefined {
  if (!escaped.includes("__")) return escaped;
  let valid = true;
  const name = escaped.replace(/__[^_]+__/g, (text) => {
    const contraction = CONTRACTIONS.get(text);
    if (contraction !== undefined) return contraction;
    const word = text.slice(2, -2);
    valid &&= RESERVED.has(word) && text.length === escaped.length;
    return word;
  });
  return valid ? name : undefined;
}

/** The escaped form of a reserved word, which rules may also write unescaped. */
export function escapedKeyword(word: string): string | undefined {
  return RESERVED.has(word) ? `__${word}__` : undefined;
}
