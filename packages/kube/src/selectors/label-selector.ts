import { ParseError } from "../errors.ts";
import { aggregateMessages, FieldError } from "../field/error.ts";
import type { FieldPath } from "../field/path.ts";
import { quote } from "../go/quote.ts";
import { validateLabelValue, validateQualifiedName } from "../names/names.ts";
import { LabelSelectorParser, SelectorProblem } from "./label-parser.ts";
import {
  formatRequirement,
  type LabelOperator,
  type LabelRequirement,
  matchesRequirement,
  validateRequirement,
} from "./label-requirement.ts";
import type { Selector, Values } from "./selector.ts";

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Values;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

const operators: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

class LabelRequirements implements Selector<LabelRequirement> {
  readonly requirements: readonly LabelRequirement[];

  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements.toSorted(byKey);
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  matches(labels: Values): boolean {
    return this.requirements.every((requirement) => matchesRequirement(requirement, labels));
  }

  requiredValue(key: string): string | undefined {
    const requirement = this.requirements.find((requirement) => requirement.key === key);
    const exact = ["=", "==", "in"].includes(requirement?.operator ?? "");
    return exact && requirement?.values.length === 1 ? requirement.values[0] : undefined;
  }

  toString(): string {
    return this.requirements.map(formatRequirement).join(",");
  }
}

function byKey(a: LabelRequirement, b: LabelRequirement): number {
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
}

/** The meaning of an absent LabelSelector. */
const nothing: Selector<LabelRequirement> = {
  requirements: [],
  isEmpty: false,
  matches: () => false,
  requiredValue: () => undefined,
  toString: () => "",
};

/** Reads "a=b,c!=d,e in (x,y),!f,g,h>1". Throws a ParseError with Kubernetes' reason. */
export function parseLabelSelector(text: string): Selector<LabelRequirement> {
  try {
    return new LabelRequirements(new LabelSelectorParser(text).parse());
  } catch (error) {
    if (!(error instanceof SelectorProblem)) throw error;
    throw new ParseError("label selector", text, error.message);
  }
}

/** Without validation. */
export function labelSelectorFromSet(labels: Values): Selector<LabelRequirement> {
  const entries = Object.entries(labels);
  return new LabelRequirements(
    entries.map(([key, value]) => ({ key, operator: "=", values: [value] })),
  );
}

/** Absent selects nothing, empty everything. Throws a ParseError with Kubernetes' reason. */
export function labelSelectorAsSelector(
  selector: LabelSelector | undefined,
): Selector<LabelRequirement> {
  if (selector === undefined) return nothing;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const requirements = [
    ...labelSelectorFromSet(matchLabels).requirements.map((label) => checked(label, selector)),
    ...matchExpressions.map((expression) => requirementOf(expression, selector)),
  ];
  return new LabelRequirements(requirements);
}

function checked(requirement: LabelRequirement, selector: LabelSelector): LabelRequirement {
  const problems = aggregateMessages(validateRequirement(requirement));
  if (problems !== "") throw invalid(selector, problems);
  return requirement;
}

function requirementOf(
  { key, operator: name, values = [] }: LabelSelectorRequirement,
  selector: LabelSelector,
): LabelRequirement {
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator !== undefined) return checked({ key, operator, values }, selector);
  throw invalid(selector, `${quote(name)} is not a valid label selector operator`);
}

function invalid(selector: LabelSelector, reason: string): ParseError {
  return new ParseError("label selector", JSON.stringify(selector), reason);
}

/** The problems of a LabelSelector in a spec. */
export function validateLabelSelector(
  selector: LabelSelector | undefined,
  path: FieldPath,
): FieldError[] {
  const expressions = selector?.matchExpressions ?? [];
  return [
    ...validateLabels(selector?.matchLabels ?? {}, path.child("matchLabels")),
    ...expressions.flatMap((expression, i) =>
      validateExpression(expression, path.child("matchExpressions").index(i)),
    ),
  ];
}

function validateExpression(
  { key, operator, values = [] }: LabelSelectorRequirement,
  path: FieldPath,
): FieldError[] {
  return [
    ...validateOperator(operator, values, path),
    ...invalidEach(key, validateQualifiedName(key), path.child("key")),
    ...values.flatMap((value, i) =>
      invalidEach(value, validateLabelValue(value), path.child("values").index(i)),
    ),
  ];
}

function validateOperator(
  operator: string,
  values: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (operator === "In" || operator === "NotIn") {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    return values.length > 0 ? [] : [FieldError.required(path.child("values"), detail)];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return values.length === 0 ? [] : [FieldError.forbidden(path.child("values"), detail)];
  }
  const detail = "not a valid selector operator";
  return [FieldError.invalid(path.child("operator"), operator, detail)];
}

/** The problems of labels in metadata. */
export function validateLabels(labels: Values, path: FieldPath): FieldError[] {
  const problems: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    problems.push(...invalidEach(key, validateQualifiedName(key), path));
    problems.push(...invalidEach(value, validateLabelValue(value), path));
  }
  return problems;
}

function invalidEach(value: string, problems: readonly string[], path: FieldPath): FieldError[] {
  return problems.map((problem) => FieldError.invalid(path, value, problem));
}
