import { aggregateMessages } from "../field/error.ts";
import { FieldPath } from "../field/path.ts";
import {
  binaryOperators,
  type LabelOperator,
  type LabelRequirement,
  validateKey,
  validateRequirement,
} from "./label-requirement.ts";

/** A token of a label selector; `end` is the last. */
type Token =
  | { readonly type: "end"; readonly text: "" }
  | { readonly type: "identifier"; readonly text: string }
  | { readonly type: "symbol"; readonly text: string };

const symbols = /(?:==|!=|[=!(),<>])/y;
const identifier = /[^=!(),<> \t\r\n\0]+/y;
const blanks = /[ \t\r\n]*/y;

/**
 * Splits a label selector into tokens. As in Kubernetes, a NUL after a token is skipped, and any
 * other ends the selector.
 */
function lex(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const taken = pattern.exec(text)?.[0] ?? "";
    at += taken.length;
    return taken;
  };
  for (;;) {
    take(blanks);
    if (at >= text.length || text[at] === "\0") return [...tokens, { type: "end", text: "" }];
    const symbol = take(symbols);
    tokens.push(
      symbol === ""
        ? { type: "identifier", text: take(identifier) }
        : { type: "symbol", text: symbol },
    );
    if (text[at] === "\0") at++;
  }
}

const operators: ReadonlyMap<string, LabelOperator> = new Map<string, LabelOperator>([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

/** In Kubernetes' words. */
export class SelectorProblem extends Error {}

/**
 * Parses a label selector by recursive descent: "in" and "notin" are operators only where an
 * operator is expected. Throws a SelectorProblem.
 */
export class LabelSelectorParser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = lex(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const { type, text } = this.#next;
      if (type === "end") return requirements;
      if (type !== "identifier" && text !== "!") {
        throw new SelectorProblem(`found '${text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      if (!this.#comma()) return requirements;
    }
  }

  get #next(): Token {
    return this.#tokens[this.#position] ?? { type: "end", text: "" };
  }

  #consume(): Token {
    const token = this.#next;
    this.#position++;
    return token;
  }

  /** Whether another requirement follows. */
  #comma(): boolean {
    const { type, text } = this.#consume();
    if (type === "end") return false;
    if (text !== ",") {
      throw new SelectorProblem(`found '${text}', expected: ',' or 'end of string'`);
    }
    const following = this.#next;
    if (following.type === "identifier" || following.text === "!") return true;
    throw new SelectorProblem(`found '${following.text}', expected: identifier after ','`);
  }

  #requirement(): LabelRequirement {
    try {
      const requirement = this.#unchecked();
      const problems = aggregateMessages(validateRequirement(requirement));
      if (problems !== "") throw new SelectorProblem(problems);
      return requirement;
    } catch (error) {
      if (!(error instanceof SelectorProblem)) throw error;
      throw new SelectorProblem(`unable to parse requirement: ${error.message}`);
    }
  }

  #unchecked(): LabelRequirement {
    const negated = this.#next.type === "symbol" && this.#consume().text === "!";
    const key = this.#key();
    if (negated) return { key, operator: "!", values: [] };
    const { type, text } = this.#next;
    if (type === "end" || text === ",") return { key, operator: "exists", values: [] };
    const operator = this.#operator();
    const values = operator === "in" || operator === "notin" ? this.#set() : this.#value();
    return { key, operator, values: [...new Set(values)].sort() };
  }

  #key(): string {
    const { type, text } = this.#consume();
    if (type !== "identifier") throw new SelectorProblem(`found '${text}', expected: identifier`);
    const [problem] = validateKey(text, FieldPath.root);
    if (problem !== undefined) throw new SelectorProblem(problem.toString());
    return text;
  }

  #operator(): LabelOperator {
    const { text } = this.#consume();
    const operator = operators.get(text);
    if (operator !== undefined) return operator;
    throw new SelectorProblem(`found '${text}', expected: ${binaryOperators.join(", ")}`);
  }

  /** A missing value is the empty value. */
  #value(): string[] {
    if (this.#next.type === "end" || this.#next.text === ",") return [""];
    const { type, text } = this.#consume();
    if (type === "identifier") return [text];
    throw new SelectorProblem(`found '${text}', expected: identifier`);
  }

  /** An empty item is the empty value. */
  #set(): string[] {
    const open = this.#consume();
    if (open.text !== "(") throw new SelectorProblem(`found '${open.text}' expected: '('`);
    const { type, text } = this.#next;
    if (type === "identifier" || text === ",") return this.#list();
    if (text !== ")") {
      throw new SelectorProblem(`found '${text}', expected: ',', ')' or identifier`);
    }
    this.#consume();
    return [""];
  }

  #list(): string[] {
    const values: string[] = [];
    for (;;) {
      const { type, text } = this.#consume();
      if (type === "identifier") values.push(text);
      else if (text !== ",") {
        throw new SelectorProblem(`found '${text}', expected: ',', or identifier`);
      }
      const ended = type === "identifier" ? this.#endsAfterValue() : this.#endsAfterComma(values);
      if (!ended) continue;
      this.#consume();
      return values;
    }
  }

  #endsAfterValue(): boolean {
    const { type, text } = this.#next;
    if (type === "symbol" && (text === "," || text === ")")) return text === ")";
    throw new SelectorProblem(`found '${text}', expected: ',' or ')'`);
  }

  /**
   * Adds the empty values around a comma. Two commas before the end are an error in Kubernetes, so
   * the end counts only after one.
   */
  #endsAfterComma(values: string[]): boolean {
    const { text } = this.#next;
    if (values.length === 0 || text === ")" || text === ",") values.push("");
    if (text === ",") this.#consume();
    return text === ")";
  }
}
