import { type Expr, OPERATORS, type Positions } from "./ast.ts";
import { ExpressionTooLarge, ExprFactory } from "./expr-factory.ts";
import { Issues, Source } from "./issues.ts";
import { tokenize } from "./lexer.ts";
import { MacroError, MacroInput } from "./macro-input.ts";
import { MACROS } from "./macros.ts";
import { PrimaryParser } from "./primary-parser.ts";
import { ParseAborted, TokenStream } from "./token-stream.ts";

const MAX_CODE_POINTS = 100_000;
const MAX_DEPTH = 250;

const RELATIONS: Readonly<Record<string, string>> = {
  "<": "_<_",
  "<=": "_<=_",
  ">": "_>_",
  ">=": "_>=_",
  "==": OPERATORS.equals,
  "!=": OPERATORS.notEquals,
};
const SUMS: Readonly<Record<string, string>> = { "+": OPERATORS.add, "-": OPERATORS.subtract };
const PRODUCTS: Readonly<Record<string, string>> = {
  "*": OPERATORS.multiply,
  "/": OPERATORS.divide,
  "%": OPERATORS.modulo,
};

export interface Parsed {
  readonly expr: Expr | undefined;
  readonly positions: Positions;
  readonly issues: Issues;
}

/** `expr` is undefined exactly where there are issues. */
export function parse(text: string): Parsed {
  const source = new Source(text);
  const issues = new Issues(source);
  const factory = new ExprFactory();
  const expr = parseSource(source, issues, factory);
  return { expr: issues.any ? undefined : expr, positions: factory.positions, issues };
}

function parseSource(source: Source, issues: Issues, factory: ExprFactory): Expr | undefined {
  const size = source.characters.length;
  if (size > MAX_CODE_POINTS) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`;
    issues.report(undefined, message);
    return undefined;
  }
  try {
    const stream = new TokenStream(tokenize(source, issues), issues);
    return new Parser(stream, issues, factory).start();
  } catch (error) {
    if (error instanceof ExpressionTooLarge) issues.report(undefined, error.message);
    else if (!(error instanceof ParseAborted)) throw error;
    return undefined;
  }
}

/** Parses operators by recursive descent; `PrimaryParser` parses their operands. */
class Parser {
  readonly #stream: TokenStream;
  readonly #issues: Issues;
  readonly #factory: ExprFactory;
  readonly #primary: PrimaryParser;
  #depth = 0;

  constructor(stream: TokenStream, issues: Issues, factory: ExprFactory) {
    this.#stream = stream;
    this.#issues = issues;
    this.#factory = factory;
    this.#primary = new PrimaryParser({
      stream,
      issues,
      factory,
      expression: () => this.#expression(),
      call: (offset, fn, target, args) => this.#callOrMacro(offset, fn, target, args),
      deeper: (levels) => this.#checkDepth(levels),
    });
  }

  start(): Expr {
    const expr = this.#expression();
    this.#stream.expectEnd();
    return expr;
  }

  #expression(): Expr {
    this.#checkDepth(++this.#depth);
    const condition = this.#disjunction();
    const question = this.#stream.accept("?");
    if (!question) return this.#leave(condition);
    const truthy = this.#disjunction();
    this.#stream.expect(":");
    const falsy = this.#expression();
    const nodes = this.#factory.at(question.offset);
    return this.#leave(nodes.call(OPERATORS.conditional, condition, truthy, falsy));
  }

  #disjunction(): Expr {
    return this.#logical("||", OPERATORS.or, () =>
      this.#logical("&&", OPERATORS.and, () => this.#relation()),
    );
  }

  #leave(expr: Expr): Expr {
    this.#depth--;
    return expr;
  }

  #checkDepth(depth: number): void {
    if (depth > MAX_DEPTH) {
      this.#stream.abort(undefined, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    }
  }

  #logical(symbol: string, fn: string, operand: () => Expr): Expr {
    const first = operand();
    const rest: Term[] = [];
    for (let op = this.#stream.accept(symbol); op; op = this.#stream.accept(symbol)) {
      rest.push({ offset: op.offset, expr: operand() });
    }
    return balance(this.#factory, fn, first, rest);
  }

  #relation(): Expr {
    return this.#leftAssociative(
      () => this.#relationOperator(),
      () => this.#sum(),
    );
  }

  #relationOperator(): string | undefined {
    if (this.#stream.isKeyword("in")) return OPERATORS.in;
    return this.#stream.is("operator") ? RELATIONS[this.#stream.current.text] : undefined;
  }

  #sum(): Expr {
    return this.#leftAssociative(
      () => this.#operatorOf(SUMS),
      () => this.#product(),
    );
  }

  #product(): Expr {
    return this.#leftAssociative(
      () => this.#operatorOf(PRODUCTS),
      () => this.#primary.unary(),
    );
  }

  #operatorOf(table: Readonly<Record<string, string>>): string | undefined {
    return this.#stream.is("operator") ? table[this.#stream.current.text] : undefined;
  }

  #leftAssociative(operator: () => string | undefined, operand: () => Expr): Expr {
    let left = operand();
    let chain = 0;
    for (let fn = operator(); fn !== undefined; fn = operator()) {
      this.#checkDepth(this.#depth + ++chain);
      const { offset } = this.#stream.next();
      const right = operand();
      left = this.#factory.at(offset).call(fn, left, right);
    }
    return left;
  }

  #callOrMacro(offset: number, fn: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    const nodes = this.#factory.at(offset);
    const expand = MACROS.get(`${fn}:${args.length}:${target ? "member" : "global"}`);
    if (!expand) return target ? nodes.memberCall(fn, target, args) : nodes.call(fn, ...args);
    try {
      return expand(new MacroInput(nodes, target, args));
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      this.#issues.report(error.at ? this.#factory.offset(error.at.id) : offset, error.message);
      return nodes.literal(null);
    }
  }
}

/** An operand and the operator before it. */
interface Term {
  readonly offset: number;
  readonly expr: Expr;
}

/** Joins `a && b && c …` into a balanced tree, so that long chains do not nest deeply. */
function balance(factory: ExprFactory, fn: string, first: Expr, rest: readonly Term[]): Expr {
  const operands = [first, ...rest.map((term) => term.expr)];
  const offsets = rest.map((term) => term.offset);
  const join = (low: number, high: number): Expr => {
    if (low > high) return operands[low] ?? first;
    const middle = Math.floor((low + high + 1) / 2);
    const left = join(low, middle - 1);
    const right = join(middle + 1, high);
    return factory.at(offsets[middle] ?? 0).call(fn, left, right);
  };
  return join(0, offsets.length - 1);
}
