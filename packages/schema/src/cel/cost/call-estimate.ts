import type { CelType } from "../cel-type.ts";
import type { Expr } from "../syntax/ast.ts";
import { type Bounds, either, fixed, plus, scaled, times, UNBOUNDED, UNKNOWN } from "./bounds.ts";
import { CHECK_COST, REGEX_FACTOR, STRING_FACTOR, UNIT_COST_FUNCTIONS } from "./call-cost.ts";

/** The properties of an argument that determine the cost of a call. */
export interface Operand {
  readonly expr: Expr;
  readonly type: CelType;
  readonly size: Bounds | undefined;
  /** The size of list elements; undefined where unknown. */
  readonly elementSize: Bounds | undefined;
}

export interface CallOperands {
  readonly fn: string;
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
}

/** The cost of a call itself, and the size of its result. */
export interface CallEstimate {
  readonly cost: Bounds;
  readonly result?: Bounds;
}

const MAX_FORMAT_SIZE = 64;
const MAX_NAME_FORMAT_REGEX = 128;
const ADDRESS_BYTES: Bounds = { min: 4, max: 16 };

type Rule = (call: CallOperands) => CallEstimate | undefined;

const sizeOf = (operand: Operand | undefined): Bounds => operand?.size ?? UNKNOWN;
const traversal = (size: Bounds, passes = 1): Bounds => scaled(size, passes * STRING_FACTOR);

/** Kubernetes' estimates, by function. */
const BY_FUNCTION: ReadonlyMap<string, Rule> = new Map([
  ...names("isSorted sum max min indexOf lastIndexOf", listTraversal),
  ["url", ({ args }: CallOperands) => sameSize(args[0])],
  ...names("lowerAscii upperAscii substring trim", ({ target }) => target && sameSize(target)),
  ["replace", replaceEstimate],
  ["split", splitEstimate],
  ["join", joinEstimate],
  ...names("find findAll", findEstimate),
  ...names(
    "cidr isIP isCIDR quantity isQuantity semver isSemver",
    ({ args }) => args[0] && { cost: traversal(sizeOf(args[0])) },
  ),
  ["ip", ipEstimate],
  ["ip.isCanonical", ({ args }: CallOperands) => ({ cost: traversal(sizeOf(args[0]), 2) })],
  ...names(UNIT_COST_FUNCTIONS, () => ({ cost: fixed(1) })),
  ["check", () => ({ cost: fixed(CHECK_COST) })],
  ...names("fieldSelector labelSelector", selectorEstimate),
  ["containsIP", containsIpEstimate],
  ["containsCIDR", containsCidrEstimate],
  ["validate", validateEstimate],
  ["_==_", opaqueEquality],
] satisfies (readonly [string, Rule])[]);

function names(list: string, rule: Rule): readonly (readonly [string, Rule])[] {
  return list.split(" ").map((name) => [name, rule] as const);
}

/** Undefined where cel-go's estimate applies. */
export function kubernetesEstimate(call: CallOperands): CallEstimate | undefined {
  const sets = /^list_sets_(contains|intersects|equivalent)_list$/.exec(call.overload);
  if (sets) return setEstimate(call, sets[1] === "equivalent" ? 2 : 1);
  return BY_FUNCTION.get(call.fn)?.(call);
}

function setEstimate({ args }: CallOperands, factor: number): CallEstimate {
  const pairs = times(sizeOf(args[0]), sizeOf(args[1]));
  return { cost: plus(scaled(pairs, factor), fixed(1)) };
}

function selectorEstimate({ args }: CallOperands): CallEstimate {
  const length = sizeOf(args[0]);
  const requirements = scaled(scaled(length, 0.5), 50);
  return { cost: plus(fixed(10), traversal(length), requirements) };
}

function sameSize(operand: Operand | undefined): CallEstimate {
  const size = sizeOf(operand);
  return { cost: traversal(size), result: size };
}

function listTraversal({ target }: CallOperands): CallEstimate | undefined {
  if (!target) return undefined;
  if (target.type.params.length === 0) return { cost: traversal(sizeOf(target)) };
  const { kind } = target.type.param(0);
  const text = kind === "string" || kind === "bytes";
  const each = text ? plus(fixed(1), traversal(target.elementSize ?? UNKNOWN)) : fixed(1);
  return { cost: times(sizeOf(target), each) };
}

function replaceEstimate({ target, args }: CallOperands): CallEstimate | undefined {
  if (!target || args.length < 2) return undefined;
  const [size, old, by] = [sizeOf(target), sizeOf(args[0]), sizeOf(args[1])];
  const most = replaceLimits(size.max, old.min, by.max <= old.min);
  const least = replaceLimits(size.min, old.max, old.max <= by.min);
  const count: Bounds = { min: least.count, max: most.count };
  const kept: Bounds = { min: least.kept, max: most.kept };
  return { cost: traversal(size, 2), result: plus(times(count, by), kept) };
}

function replaceLimits(
  size: number,
  old: number,
  unchanged: boolean,
): { count: number; kept: number } {
  if (old === 0) return { count: size < UNBOUNDED ? size + 1 : size, kept: size };
  if (unchanged) return { count: 0, kept: size };
  return { count: Math.ceil(size / old), kept: 0 };
}

function splitEstimate({ target, args }: CallOperands): CallEstimate | undefined {
  if (!target) return undefined;
  const size = sizeOf(target);
  const limit = args[1]?.expr.kind === "literal" ? args[1].expr.value : undefined;
  const max = typeof limit === "bigint" ? (limit < 0n ? UNBOUNDED : Number(limit)) : size.max;
  return { cost: traversal(size, 2), result: { min: 0, max } };
}

function joinEstimate({ target, args }: CallOperands): CallEstimate | undefined {
  if (!target) return undefined;
  const list = sizeOf(target);
  const text =
    target.type.params.length > 0 ? times(list, target.elementSize ?? UNKNOWN) : fixed(0);
  const gaps: Bounds = { min: Math.max(list.min - 1, 0), max: Math.max(list.max - 1, 0) };
  const result = args[0] ? plus(text, times(sizeOf(args[0]), gaps)) : text;
  return { cost: traversal(result), result };
}

function findEstimate({ target, args }: CallOperands): CallEstimate | undefined {
  if (!target || !args[0]) return undefined;
  const size = sizeOf(target);
  const cost = times(traversal(plus(size, fixed(1))), scaled(sizeOf(args[0]), REGEX_FACTOR));
  return { cost, result: { min: 0, max: size.max } };
}

function ipEstimate({ overload, args }: CallOperands): CallEstimate | undefined {
  if (overload === "cidr_ip") return { cost: fixed(1) };
  return args[0] && { cost: traversal(sizeOf(args[0])) };
}

function containsIpEstimate({ overload, args }: CallOperands): CallEstimate | undefined {
  if (!args[0]) return undefined;
  const compared = traversal(plus(ADDRESS_BYTES, ADDRESS_BYTES));
  const parsed = overload === "cidr_contains_ip_string" ? traversal(sizeOf(args[0])) : fixed(0);
  return { cost: plus(compared, parsed) };
}

function containsCidrEstimate({ overload, args }: CallOperands): CallEstimate | undefined {
  if (!args[0]) return undefined;
  const compared = traversal(plus(ADDRESS_BYTES, ADDRESS_BYTES));
  const parsed = overload === "cidr_contains_cidr_string" ? traversal(sizeOf(args[0])) : fixed(0);
  return { cost: plus(compared, traversal(ADDRESS_BYTES), fixed(1), parsed) };
}

function validateEstimate({ args }: CallOperands): CallEstimate | undefined {
  if (!args[0]) return undefined;
  const text = traversal(sizeOf(args[0]));
  return { cost: scaled(text, MAX_NAME_FORMAT_REGEX * REGEX_FACTOR) };
}

function opaqueEquality({ args }: CallOperands): CallEstimate | undefined {
  const [left, right] = args;
  if (!left || !right || !left.type.isExactly(right.type)) return undefined;
  switch (left.type.name) {
    case "net.IP":
    case "net.CIDR":
    case "kubernetes.Quantity":
    case "kubernetes.Semver":
      return { cost: fixed(1) };
    case "kubernetes.NamedFormat":
      return { cost: scaled({ min: 1, max: MAX_FORMAT_SIZE }, STRING_FACTOR) };
    case "kubernetes.URL": {
      const size = right.size ? either(right.size, right.size) : fixed(1);
      return { cost: scaled({ min: 1, max: size.max }, STRING_FACTOR) };
    }
    default:
      return undefined;
  }
}

/** cel-go's estimates of calls other than logic and concatenation. */
export function standardEstimate(call: CallOperands): CallEstimate {
  const { overload, target, args } = call;
  const [first, second] = args;
  switch (overload) {
    case "string_format":
      return { cost: traversal(sizeOf(target)) };
    case "string_to_bytes": {
      const size = sizeOf(first);
      return {
        cost: traversal(size),
        result: { min: size.min, max: Math.min(size.max * 4, UNBOUNDED) },
      };
    }
    case "bytes_to_string": {
      const size = sizeOf(first);
      return { cost: traversal(size), result: { min: Math.floor(size.min / 4), max: size.max } };
    }
    case "strings_quote": {
      const size = sizeOf(first);
      return {
        cost: traversal(size),
        result: { min: size.min + 2, max: Math.min(size.max * 2 + 2, UNBOUNDED) },
      };
    }
    case "starts_with_string":
    case "ends_with_string":
      return { cost: traversal(sizeOf(first)) };
    case "in_list":
      return { cost: scaled(sizeOf(second), 1) };
    case "matches_string":
      return {
        cost: times(traversal(plus(sizeOf(target), fixed(1))), scaled(sizeOf(first), REGEX_FACTOR)),
      };
    case "contains_string":
      return { cost: times(traversal(sizeOf(target)), traversal(sizeOf(first))) };
    default:
      return COMPARED.has(overload) ? comparison(first, second) : { cost: fixed(1) };
  }
}

const COMPARED: ReadonlySet<string> = new Set([
  "equals",
  "not_equals",
  ...["less", "greater", "less_equals", "greater_equals"].flatMap((id) => [
    `${id}_string`,
    `${id}_bytes`,
  ]),
]);

function comparison(left: Operand | undefined, right: Operand | undefined): CallEstimate {
  const max = Math.min(sizeOf(left).max, sizeOf(right).max);
  return { cost: scaled({ min: max > 0 ? 1 : 0, max }, STRING_FACTOR) };
}
