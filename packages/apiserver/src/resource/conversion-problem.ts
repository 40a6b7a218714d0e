/** What Go's converter of maps calls what JSON calls otherwise. */
const kinds: Readonly<Record<string, string>> = {
  string: "string",
  number: "int64",
  bool: "bool",
  array: "slice",
  object: "map",
};

/**
 * What is said of a value of the wrong type where an object is not read from JSON but made of maps,
 * by what a reader of JSON would say.
 */
export function conversionProblem(why: string): string {
  const found = /^json: cannot unmarshal (\w+)(?: (\S+))? into Go .* of type (\S.*)$/.exec(why);
  if (found === null) return why;
  const [, word = "", literal = "", type = ""] = found;
  const kind = /[.eE]/.test(literal) ? "float64" : (kinds[word] ?? word);
  if (type.startsWith("[]")) return `cannot restore slice from ${kind}`;
  if (type.startsWith("map[")) return `cannot restore map from ${kind}`;
  if (/^u?int\d*$/.test(type)) return numberProblem(kind, type);
  if (type === "string" && kind === "int64") return `cannot convert ${kind} to ${type}`;
  if (/^(?:string|bool|float\d+)$/.test(type)) return `unrecognized type: ${type}`;
  return `cannot restore struct from: ${kind}`;
}

function numberProblem(kind: string, type: string): string {
  return kind === "float64" ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${type}`;
}
