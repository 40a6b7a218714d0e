import { type Expr, type MapEntry, OPERATORS, qualifiedName } from "./ast.ts";
import type { ExprFactory } from "./expr-factory.ts";
import type { Issues } from "./issues.ts";
import { literalValue } from "./literals.ts";
import type { TokenStream } from "./token-stream.ts";

// biome-ignore format: a list of words
const RESERVED = new Set([
  "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
  "package", "namespace", "return", "var", "void", "while",
]);
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** The functions of the operator parser that `PrimaryParser` needs. */
export interface ParserSeams {
  readonly stream: TokenStream;
  readonly issues: Issues;
  readonly factory: ExprFactory;
  expression(): Expr;
  call(offset: number, fn: string, target: Expr | undefined, args: readonly Expr[]): Expr;
  /** Aborts when the tree becomes too deep. */
  deeper(levels: number): void;
}

/** Parses unary operators, member access, calls and literals. */
export class PrimaryParser {
  readonly #seams: ParserSeams;
  readonly #stream: TokenStream;
  readonly #factory: ExprFactory;

  constructor(seams: ParserSeams) {
    this.#seams = seams;
    this.#stream = seams.stream;
    this.#factory = seams.factory;
  }

  unary(): Expr {
    if (this.#stream.isOperator("!")) return this.#prefixed("!", OPERATORS.not);
    if (this.#stream.isOperator("-") && !this.#isNumber(1)) {
      return this.#prefixed("-", OPERATORS.negate);
    }
    return this.#member();
  }

  /** Pairs of prefixes cancel out. */
  #prefixed(symbol: string, fn: string): Expr {
    const first = this.#stream.next();
    let count = 1;
    while (this.#stream.accept(symbol)) count++;
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#factory.at(first.offset).call(fn, operand);
  }

  #isNumber(ahead: number): boolean {
    const { kind } = this.#stream.peek(ahead);
    return kind === "int" || kind === "double";
  }

  #member(): Expr {
    let expr = this.#primary();
    for (let levels = 1; ; levels++) {
      this.#seams.deeper(levels);
      if (this.#stream.isOperator(".")) expr = this.#selectOrCall(expr);
      else if (this.#stream.isOperator("[")) expr = this.#index(expr);
      else if (this.#stream.isOperator("{") && qualifiedName(expr) !== undefined)
        expr = this.#struct(expr);
      else return expr;
    }
  }

  #selectOrCall(operand: Expr): Expr {
    const dot = this.#stream.next();
    const optional = this.#stream.accept("?");
    if (this.#stream.is("escapedIdentifier")) {
      this.#seams.issues.report(this.#stream.current.offset, "unsupported syntax: '`'");
      return this.#factory.at(dot.offset).select(operand, this.#stream.next().text);
    }
    const name = this.#stream.expectMember();
    if (optional) {
      const field = this.#factory.at(name.offset).literal(name.text);
      return this.#factory.at(dot.offset).call(OPERATORS.optSelect, operand, field);
    }
    const open = this.#stream.accept("(");
    if (!open) return this.#factory.at(dot.offset).select(operand, name.text);
    return this.#seams.call(open.offset, name.text, operand, this.#arguments());
  }

  #arguments(): readonly Expr[] {
    const args: Expr[] = [];
    if (this.#stream.accept(")")) return args;
    do args.push(this.#seams.expression());
    while (this.#stream.accept(","));
    this.#stream.expect(")");
    return args;
  }

  #index(operand: Expr): Expr {
    const { offset } = this.#stream.next();
    const fn = this.#stream.accept("?") ? OPERATORS.optIndex : OPERATORS.index;
    const index = this.#seams.expression();
    this.#stream.expect("]");
    return this.#factory.at(offset).call(fn, operand, index);
  }

  #struct(name: Expr): Expr {
    const { offset } = this.#stream.next();
    this.#entries(() => {
      this.#stream.accept("?");
      this.#stream.expectIdentifier();
    });
    return { kind: "struct", id: this.#factory.id(offset), typeName: qualifiedName(name) ?? "" };
  }

  #primary(): Expr {
    const { current } = this.#stream;
    switch (current.kind) {
      case "identifier":
        return this.#identifier("");
      case "operator":
        return this.#bracketed(current.text);
      case "end":
      case "escapedIdentifier":
        return this.#stream.failAtStart();
      default:
        return this.#literal(false);
    }
  }

  #bracketed(symbol: string): Expr {
    switch (symbol) {
      case "(":
        return this.#nested();
      case "[":
        return this.#list();
      case "{":
        return this.#map();
      case ".":
        this.#stream.next();
        return this.#stream.isIdentifier() ? this.#identifier(".") : this.#stream.failAtStart();
      case "-":
        if (!this.#isNumber(1)) return this.#stream.failAtStart();
        return this.#literal(true);
      default:
        return this.#stream.failAtStart();
    }
  }

  #nested(): Expr {
    this.#stream.next();
    const expr = this.#seams.expression();
    this.#stream.expect(")");
    return expr;
  }

  #identifier(prefix: string): Expr {
    if (this.#stream.isKeyword("in")) return this.#stream.failAtStart();
    const { text, offset } = this.#stream.next();
    const constant = CONSTANTS.get(text);
    if (constant !== undefined) return this.#factory.at(offset).literal(constant);
    if (RESERVED.has(text)) this.#seams.issues.report(offset, `reserved identifier: ${text}`);
    const open = this.#stream.accept("(");
    if (!open) return this.#factory.at(offset).ident(prefix + text);
    return this.#seams.call(open.offset, prefix + text, undefined, this.#arguments());
  }

  #literal(negative: boolean): Expr {
    const { offset } = negative ? this.#stream.next() : this.#stream.current;
    const result = literalValue(this.#stream.next(), negative);
    if ("value" in result) return this.#factory.at(offset).literal(result.value);
    this.#seams.issues.report(offset, result.problem);
    return this.#factory.at(offset).literal(null);
  }

  #list(): Expr {
    const { offset } = this.#stream.next();
    const elements: Expr[] = [];
    const optionals = new Set<number>();
    while (!this.#stream.accept("]")) {
      if (this.#stream.accept("?")) optionals.add(elements.length);
      elements.push(this.#seams.expression());
      if (!this.#stream.isOperator("]")) this.#stream.expect(",");
    }
    return this.#factory.at(offset).list(elements, optionals);
  }

  #map(): Expr {
    const { offset } = this.#stream.next();
    const entries: MapEntry[] = [];
    let optional = false;
    let key: Expr | undefined;
    this.#entries(
      () => {
        optional = this.#stream.accept("?") !== undefined;
        key = this.#seams.expression();
      },
      (value) => {
        if (key) entries.push({ key, value, optional });
      },
    );
    return this.#factory.at(offset).map(entries);
  }

  #entries(readKey: () => void, onValue: (value: Expr) => void = () => {}): void {
    while (!this.#stream.accept("}")) {
      readKey();
      this.#stream.expect(":");
      onValue(this.#seams.expression());
      if (!this.#stream.isOperator("}")) this.#stream.expect(",");
    }
  }
}
