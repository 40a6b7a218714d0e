import type { Issues } from "./issues.ts";
import type { Token, TokenKind } from "./lexer.ts";

/** Thrown after the first syntax error was reported. */
export class ParseAborted extends Error {}

const KEYWORDS = new Set(["in", "true", "false", "null"]);

const START_OF_EXPRESSION =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Reads tokens; every failure is reported as an issue. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #issues: Issues;
  #index = 0;

  constructor(tokens: readonly Token[], issues: Issues) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  get current(): Token {
    return this.peek(0);
  }

  peek(ahead: number): Token {
    const last = this.#tokens.length - 1;
    const token = this.#tokens[Math.min(this.#index + ahead, last)];
    if (!token) throw new ParseAborted();
    return token;
  }

  next(): Token {
    const token = this.current;
    this.#index++;
    return token;
  }

  isOperator(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "operator" && token.text === text;
  }

  isKeyword(text: string): boolean {
    return this.current.kind === "identifier" && this.current.text === text;
  }

  isIdentifier(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "identifier" && !KEYWORDS.has(token.text);
  }

  /** Consumes the operator if it is next. */
  accept(text: string): Token | undefined {
    return this.isOperator(text) ? this.next() : undefined;
  }

  expect(text: string): Token {
    const accepted = this.accept(text);
    if (accepted) return accepted;
    const { current } = this;
    if (current.kind !== "end") return this.fail(`expecting '${text}'`);
    return this.abort(current.offset, `Syntax error: missing '${text}' at '<EOF>'`);
  }

  /** The name after a dot. */
  expectMember(): Token {
    if (this.isIdentifier()) return this.next();
    const { kind, text, offset } = this.current;
    if (["true", "false", "null"].includes(text)) return this.fail("expecting IDENTIFIER");
    const input = kind === "end" ? "." : `.${text}`;
    return this.abort(offset, `Syntax error: no viable alternative at input '${input}'`);
  }

  expectIdentifier(): Token {
    return this.isIdentifier() ? this.next() : this.fail("expecting IDENTIFIER");
  }

  expectEnd(): void {
    const { kind, text, offset } = this.current;
    if (kind === "end") return;
    const problem = this.peek(1).kind === "end" ? "extraneous" : "mismatched";
    this.abort(offset, `Syntax error: ${problem} input '${text}' expecting <EOF>`);
  }

  failAtStart(): never {
    return this.fail(`expecting ${START_OF_EXPRESSION}`);
  }

  fail(expectation: string): never {
    const { text, offset } = this.current;
    return this.abort(offset, `Syntax error: mismatched input '${text}' ${expectation}`);
  }

  abort(offset: number | undefined, message: string): never {
    this.#issues.report(offset, message);
    throw new ParseAborted();
  }

  is(kind: TokenKind): boolean {
    return this.current.kind === kind;
  }
}
