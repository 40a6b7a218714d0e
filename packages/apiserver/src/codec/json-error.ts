import { quote } from "@rookery/kube";

/** The state of the JSON scanner. */
type Expectation = "value" | "value or end" | "key" | "key or end" | "colon" | "after value";

interface Scan {
  readonly text: string;
  at: number;
}

/** Go's limit; accepted values have a tenth of it. */
const maxDepth = 10_000;

class Unexpected extends Error {}

/**
 * Describes a JSON syntax error like Go's encoding/json, since clients compare messages. Scans the
 * text again, because JSON.parse has other messages.
 */
export function describeJsonError(body: string | Uint8Array): string {
  // Go works on bytes and prints them as characters.
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : Buffer.from(body);
  try {
    scanDocument({ text: bytes.toString("latin1"), at: 0 });
    return "invalid JSON";
  } catch (error) {
    if (error instanceof Unexpected) return error.message;
    throw error;
  }
}

/** The type of a JSON value, as Go's errors name it. */
export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function scanDocument(scan: Scan): void {
  const open: ("{" | "[")[] = [];
  let expected: Expectation = "value";
  for (skipSpace(scan); ; skipSpace(scan)) {
    const character = scan.text[scan.at];
    if (character === undefined) {
      if (expected === "after value" && open.length === 0) return;
      throw new Unexpected("unexpected end of JSON input");
    }
    expected = step(scan, character, { open, expected });
  }
}

function step(
  scan: Scan,
  character: string,
  { open, expected }: { open: ("{" | "[")[]; expected: Expectation },
): Expectation {
  if (expected === "after value") return afterValue(scan, character, open);
  scan.at += 1;
  if (expected === "colon") {
    if (character === ":") return "value";
    throw invalid(character, "after object key");
  }
  if (expected === "key" || expected === "key or end") {
    if (character === "}" && expected === "key or end") return close(open);
    if (character !== '"') throw invalid(character, "looking for beginning of object key string");
    scanString(scan);
    return "colon";
  }
  if (character === "]" && expected === "value or end") return close(open);
  return beginValue(scan, character, open);
}

function close(open: ("{" | "[")[]): Expectation {
  open.pop();
  return "after value";
}

function beginValue(scan: Scan, character: string, open: ("{" | "[")[]): Expectation {
  if (character === "{" || character === "[") {
    open.push(character);
    if (open.length > maxDepth) throw invalid(character, "exceeded max depth");
    return character === "{" ? "key or end" : "value or end";
  }
  if (character === '"') scanString(scan);
  else if (character === "-" || isDigit(character)) scanNumber(scan, character);
  else scanLiteral(scan, character);
  return "after value";
}

function afterValue(scan: Scan, character: string, open: ("{" | "[")[]): Expectation {
  const inside = open.at(-1);
  scan.at += 1;
  if (inside === undefined) throw invalid(character, "after top-level value");
  if (character === (inside === "{" ? "}" : "]")) return close(open);
  if (character === ",") return inside === "{" ? "key" : "value";
  throw invalid(character, inside === "{" ? "after object key:value pair" : "after array element");
}

function scanString(scan: Scan): void {
  for (let character = take(scan); character !== '"'; character = take(scan)) {
    if (character === "\\") scanEscape(scan);
    else if (character < " ") throw invalid(character, "in string literal");
  }
}

function scanEscape(scan: Scan): void {
  const escaped = take(scan);
  if (escaped === "u") {
    for (let i = 0; i < 4; i++) {
      const digit = take(scan);
      if (!/[0-9a-fA-F]/.test(digit)) throw invalid(digit, "in \\u hexadecimal character escape");
    }
  } else if (!'bfnrt\\/"'.includes(escaped)) throw invalid(escaped, "in string escape code");
}

const literals = ["true", "false", "null"];

function scanLiteral(scan: Scan, first: string): void {
  const literal = literals.find((word) => word.startsWith(first));
  if (literal === undefined) throw invalid(first, "looking for beginning of value");
  for (const wanted of literal.slice(1)) {
    const character = take(scan);
    if (character !== wanted)
      throw invalid(character, `in literal ${literal} (expecting '${wanted}')`);
  }
}

function scanNumber(scan: Scan, first: string): void {
  const lead = first === "-" ? take(scan) : first;
  if (!isDigit(lead)) throw invalid(lead, "in numeric literal");
  if (lead !== "0") skipDigits(scan);
  if (scan.text[scan.at] === ".") {
    scan.at += 1;
    requireDigit(scan, "after decimal point in numeric literal");
  }
  if (/[eE]/.test(scan.text[scan.at] ?? "")) {
    scan.at += 1;
    if (/[+-]/.test(scan.text[scan.at] ?? "")) scan.at += 1;
    requireDigit(scan, "in exponent of numeric literal");
  }
}

function requireDigit(scan: Scan, where: string): void {
  const digit = take(scan);
  if (!isDigit(digit)) throw invalid(digit, where);
  skipDigits(scan);
}

function skipDigits(scan: Scan): void {
  while (isDigit(scan.text[scan.at] ?? "")) scan.at += 1;
}

function skipSpace(scan: Scan): void {
  while (" \t\r\n".includes(scan.text[scan.at] ?? "end")) scan.at += 1;
}

function take(scan: Scan): string {
  const character = scan.text[scan.at];
  if (character === undefined) throw new Unexpected("unexpected end of JSON input");
  scan.at += 1;
  return character;
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function invalid(character: string, context: string): Unexpected {
  return new Unexpected(`invalid character ${quoteCharacter(character)} ${context}`);
}

function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  return `'${quote(character).slice(1, -1)}'`;
}
