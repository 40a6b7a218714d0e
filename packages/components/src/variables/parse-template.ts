import { SubstitutionError } from "../errors.ts";

/** Says whether a character belongs to a token; `position` counts the token's characters from 1. */
type Accept = (character: string, position: number) => boolean;

/** Further rules for the characters of a token. */
interface Mode {
  /** "${" ends the token. */
  readonly substitutions?: boolean;
  /** A doubled "$" or "\", and "\/", stand for the second character. */
  readonly escapes?: boolean;
}

/** Scans the characters inside of substitutions. */
class Scanner {
  readonly #text: string;
  position: number;

  constructor(text: string, position: number) {
    this.#text = text;
    this.position = position;
  }

  /** The next character, "" at the end. */
  peek(): string {
    const point = this.#text.codePointAt(this.position);
    return point === undefined ? "" : String.fromCodePoint(point);
  }

  startsWith(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.position);
  }

  /** Steps over a prefix, if it is there. */
  skip(prefix: string): boolean {
    const there = this.startsWith(prefix);
    if (there) this.position += prefix.length;
    return there;
  }

  /** The longest run of accepted characters; "" where the next one is not accepted. */
  take(accept: Accept, mode: Mode = {}): string {
    let token = "";
    for (let position = 1; ; position++) {
      if (mode.substitutions && this.startsWith("${")) return token;
      if (mode.escapes && this.#isEscape()) this.position += 1;
      else if (this.peek() === "" || !accept(this.peek(), position)) return token;
      const character = this.peek();
      token += character;
      this.position += character.length;
    }
  }

  #isEscape(): boolean {
    return this.startsWith("$$") || this.startsWith("\\/") || this.startsWith("\\\\");
  }
}

/**
 * Parses a template of github.com/drone/envsubst, which clusterctl uses. "$$" is a dollar sign. Throws
 * SubstitutionError with the line.
 */
export function parseTemplate(text: string): Template {
  const nodes: TemplateNode[] = [];
  let literal = "";
  let position = 0;
  while (position < text.length) {
    const dollar = text.indexOf("$", position);
    if (dollar < 0) break;
    literal += text.slice(position, dollar);
    if (text[dollar + 1] === "{") {
      if (literal) nodes.push(literal);
      literal = "";
      const parsed = parseSubstitutionAt(text, dollar);
      nodes.push(parsed.node);
      position = parsed.end;
    } else {
      literal += "$";
      position = dollar + (text[dollar + 1] === "$" ? 2 : 1);
    }
  }
  literal += text.slice(position);
  if (literal) nodes.push(literal);
  return nodes;
}

function parseSubstitutionAt(text: string, start: number) {
  const scanner = new Scanner(text, start + 2);
  try {
    const node = parseSubstitution(scanner);
    return { node, end: scanner.position };
  } catch (error) {
    const line = text.slice(0, start).split("\n").length;
    if (error instanceof RangeError) throw new SubstitutionError("it is nested too deeply", line);
    if (!(error instanceof Refusal)) throw error;
    throw new SubstitutionError(error.message, line);
  }
}

/** envsubst's messages. */
class Refusal extends Error {}

const badSubstitution = "bad substitution";
const isIdentifier: Accept = (character) => /^[\p{L}\p{Nd}_]$/u.test(character);
const notClosing: Accept = (character) => character !== "}";

/** After "${", up to and with "}". */
function parseSubstitution(scanner: Scanner): Substitution {
  if (scanner.peek() === "#") return parseLength(scanner);
  const name = scanner.take(isIdentifier);
  if (!name) throw new Refusal("unable to parse variable name");
  switch (scanner.peek()) {
    case ":":
      return parseDefaultOrSubstring(scanner, name);
    case "=":
      return parseDefault(scanner, name);
    case ",":
    case "^":
      return parseCasing(scanner, name);
    case "/":
      return parseReplacement(scanner, name);
    case "#":
    case "%":
      return parseRemoval(scanner, name);
  }
  if (!scanner.skip("}")) throw new Refusal("missing closing brace");
  return { name, operation: "", args: [] };
}

function parseLength(scanner: Scanner): Substitution {
  scanner.skip("#");
  const name = scanner.take(isIdentifier);
  if (!name) throw new Refusal(badSubstitution);
  return close(scanner, { name, operation: "#", args: [] });
}

function parseDefaultOrSubstring(scanner: Scanner, name: string): Substitution {
  const isDefault = [":=", ":-", ":?", ":+"].some((operation) => scanner.startsWith(operation));
  return isDefault ? parseDefault(scanner, name) : parseSubstring(scanner, name);
}

/** A default, as "=", ":=" or ":-"; envsubst takes ":?" and ":+" for the same. */
function parseDefault(scanner: Scanner, name: string): Substitution {
  const operation = scanner.peek() === "=" ? "=" : scanner.take((_, position) => position < 3);
  scanner.skip(operation === "=" ? "=" : "");
  const args: TemplateNode[] = [];
  while (scanner.peek() !== "}") args.push(parseParameter(scanner, notClosing));
  return close(scanner, { name, operation, args });
}

function parseSubstring(scanner: Scanner, name: string): Substitution {
  scanner.skip(":");
  const notDelimiter: Accept = (character) => character !== ":" && character !== "}";
  const args = [parseParameter(scanner, notDelimiter)];
  if (scanner.peek() !== "}") {
    if (!scanner.take((character) => character === ":")) throw new Refusal(badSubstitution);
    args.push(parseParameter(scanner, notClosing));
  }
  return close(scanner, { name, operation: ":", args });
}

function parseCasing(scanner: Scanner, name: string): Substitution {
  const operation = scanner.take((character, position) => /[,^]/.test(character) && position < 3);
  return close(scanner, { name, operation, args: [] });
}

function parseReplacement(scanner: Scanner, name: string): Substitution {
  const operation = scanner.take((character, position) =>
    position === 1 ? character === "/" : position === 2 && /[/#%]/.test(character),
  );
  const args = [parseParameter(scanner, (character) => character !== "/", { escapes: true })];
  if (!scanner.take((character) => character === "/")) throw new Refusal(badSubstitution);
  if (scanner.peek() !== "}") args.push(parseParameter(scanner, notClosing, { escapes: true }));
  return close(scanner, { name, operation, args });
}

function parseRemoval(scanner: Scanner, name: string): Substitution {
  const sign = scanner.peek();
  const operation = scanner.take((character, position) => character === sign && position < 3);
  return close(scanner, { name, operation, args: [parseParameter(scanner, notClosing)] });
}

function parseParameter(
  scanner: Scanner,
  accept: Accept,
  mode: { escapes?: boolean } = {},
): TemplateNode {
  if (scanner.skip("${")) return parseSubstitution(scanner);
  const text = scanner.take(accept, { ...mode, substitutions: true });
  if (text) return text;
  throw new Refusal("unable to parse substitution within function");
}

function close(scanner: Scanner, substitution: Substitution): Substitution {
  if (!scanner.skip("}")) throw new Refusal(badSubstitution);
  return substitution;
}

/** A parsed template: text and substitutions. */
export type Template = readonly TemplateNode[];

export type TemplateNode = string | Substitution;

/** "${name}", or with an operation: "${name:=default}". */
interface Substitution {
  readonly name: string;
  readonly operation: string;
  readonly args: readonly TemplateNode[];
}
