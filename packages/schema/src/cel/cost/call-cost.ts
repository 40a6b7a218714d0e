import { CelFormat } from "../functions/named-formats.ts";
import type { Meter } from "../meter.ts";
import { CelList, CelMap, Opaque, Optional, sizeOf, type Value } from "../values/value.ts";

export interface EvaluatedCall {
  readonly fn: string;
  /** "" where several overloads are possible. */
  readonly overload: string;
  readonly args: readonly Value[];
  readonly result: Value;
}

export const STRING_FACTOR = 0.1;
export const REGEX_FACTOR = 0.25;

/** The functions that cost one unit whatever their arguments. */
export const UNIT_COST_FUNCTIONS = [
  "masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast",
  "isGlobalUnicast format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan",
  "compareTo add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery",
  "serviceAccount path group resource subresource namespace name allowed reason error errored",
].join(" ");

/** The cost of an authorization check: an expression can afford two. */
export const CHECK_COST = 350_000;

type CostRule = (call: EvaluatedCall, meter: Meter) => number;

const arg = ({ args }: EvaluatedCall, index: number): Value => args[index] ?? null;
const size = (value: Value): number => sizeOf(value) ?? 1;
const traversal = (length: number): number => Math.ceil(length * STRING_FACTOR);
const times = (factor: number): ((call: EvaluatedCall) => number) => {
  return (call) => Math.ceil(size(arg(call, 0)) * factor * STRING_FACTOR);
};

const viaText = times(1);

/** Text against a pattern; an empty text still costs the pattern. */
function matching(text: number, pattern: number): number {
  return traversal(1 + text) * Math.ceil(pattern * REGEX_FACTOR);
}

const regexCall: CostRule = (call) => matching(size(arg(call, 0)), size(arg(call, 1)));
const traverseFirst: CostRule = (call, meter) => traversalCost(arg(call, 0), meter);

/** Kubernetes' rules, by function. */
const BY_FUNCTION: ReadonlyMap<string, CostRule> = new Map([
  ...names("isSorted sum max min indexOf lastIndexOf", traverseFirst),
  ...names("url lowerAscii upperAscii substring trim cidr isIP isCIDR", times(1)),
  ...names("quantity isQuantity semver isSemver", times(1)),
  ...names("replace split ip.isCanonical", times(2)),
  ["join", (call: EvaluatedCall) => Math.ceil(size(call.result) * 2 * STRING_FACTOR)],
  ...names("find findAll", regexCall),
  ["ip", (call: EvaluatedCall) => (call.overload === "cidr_ip" ? 1 : viaText(call))],
  ...names(UNIT_COST_FUNCTIONS, () => 1),
  ["check", () => CHECK_COST],
  ...names("fieldSelector labelSelector", (call) => selectorCost(size(arg(call, 1)))),
  ["containsIP", containsIpCost],
  ["containsCIDR", containsCidrCost],
  ["validate", validateCost],
] satisfies (readonly [string, CostRule])[]);

/** The rules of cel-go, by overload. */
const BY_OVERLOAD: ReadonlyMap<string, CostRule> = new Map([
  ...names("starts_with_string ends_with_string string_to_bytes bytes_to_string", times(1)),
  ...names("strings_quote string_format", times(1)),
  ["in_list", (call: EvaluatedCall) => size(arg(call, 1))],
  ...names("less_string greater_string less_equals_string greater_equals_string", smallerSide),
  ...names("less_bytes greater_bytes less_equals_bytes greater_equals_bytes", smallerSide),
  ...names("equals not_equals", smallerSide),
  ...names("add_string add_bytes", (call) => traversal(size(arg(call, 0)) + size(arg(call, 1)))),
  ["matches_string", regexCall],
  [
    "contains_string",
    (call: EvaluatedCall) => traversal(size(arg(call, 0))) * traversal(size(arg(call, 1))),
  ],
  ...names("list_sets_contains_list list_sets_intersects_list", setCost(1)),
  ["list_sets_equivalent_list", setCost(2)],
] satisfies (readonly [string, CostRule])[]);

function names(list: string, rule: CostRule): readonly (readonly [string, CostRule])[] {
  return list.split(" ").map((name) => [name, rule] as const);
}

/** The cost of a call after its evaluation. */
export function callCost(call: EvaluatedCall, meter: Meter): number {
  if (call.fn === "_==_" && arg(call, 0) instanceof Opaque) return 1;
  const rule = BY_FUNCTION.get(call.fn) ?? BY_OVERLOAD.get(call.overload);
  return rule ? rule(call, meter) : 1;
}

/** The cost to parse a selector, with a requirement for each two characters. */
function selectorCost(length: number): number {
  return 10 + traversal(length) + Math.ceil(length * 0.5) * 50;
}

function smallerSide(call: EvaluatedCall): number {
  return traversal(Math.min(sizeInOptional(arg(call, 0)), sizeInOptional(arg(call, 1))));
}

function sizeInOptional(value: Value): number {
  const inner = value instanceof Optional ? value.value : undefined;
  return inner === undefined ? size(value) : sizeInOptional(inner);
}

function setCost(factor: number): CostRule {
  return (call) => 1 + Math.floor(size(arg(call, 0)) * size(arg(call, 1)) * factor);
}

function containsIpCost(call: EvaluatedCall): number {
  const compared = traversal(2 * size(arg(call, 0)));
  const parsed = call.overload === "cidr_contains_ip_string" ? traversal(size(arg(call, 1))) : 0;
  return compared + parsed;
}

function containsCidrCost(call: EvaluatedCall): number {
  const bytes = size(arg(call, 0));
  const parsed = call.overload === "cidr_contains_cidr_string" ? traversal(size(arg(call, 1))) : 0;
  return traversal(2 * bytes) + traversal(bytes) + 1 + parsed;
}

function validateCost(call: EvaluatedCall): number {
  const format = arg(call, 0);
  return format instanceof CelFormat ? matching(size(arg(call, 1)), format.regexSize) : 1;
}

/** Short texts cost nothing, but count as work of the meter. */
function traversalCost(value: Value, meter: Meter): number {
  meter.work(2);
  if (typeof value === "string") {
    meter.read(value);
    return Math.floor(Buffer.byteLength(value) * STRING_FACTOR);
  }
  if (value instanceof Uint8Array) return Math.floor(value.length * STRING_FACTOR);
  let cost = 0;
  if (value instanceof CelList) {
    for (const element of value) cost += traversalCost(element, meter);
    return cost;
  }
  if (!(value instanceof CelMap)) return 1;
  for (const key of value.keys()) {
    cost += traversalCost(key, meter) + traversalCost(value.find(key) ?? null, meter);
  }
  return cost;
}
