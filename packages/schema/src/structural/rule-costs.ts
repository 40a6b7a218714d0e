import { FieldError, type FieldPath } from "@rookery/kube";
import { UNBOUNDED } from "../cel/cost/bounds.ts";
import { atLeastZero } from "../cel/schema/decl-type.ts";
import type { JSONSchemaProps } from "../json-schema-props.ts";

const PER_EXPRESSION = 10_000_000;
const PER_SCHEMA = 100_000_000;
const SHOWN = 4;

/** Sums the cost estimates of the rules of a schema. */
export class RuleCosts {
  #total = 0;
  readonly #expensive: { readonly path: FieldPath; readonly cost: number }[] = [];

  /** The error of an expression that is too expensive by itself. */
  observe(name: string, path: FieldPath, cost: number): FieldError | undefined {
    this.#total = Math.min(this.#total + cost, UNBOUNDED);
    if (cost >= PER_SCHEMA / 100) this.#expensive.push({ path, cost });
    if (cost <= PER_EXPRESSION) return undefined;
    return FieldError.forbidden(path, exceeds(name, cost / PER_EXPRESSION));
  }

  totalErrors(path: FieldPath): FieldError[] {
    if (this.#total <= PER_SCHEMA) return [];
    const worst = this.#expensive.toSorted((a, b) => b.cost - a.cost).slice(0, SHOWN);
    const why =
      "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...worst.map((each) => FieldError.forbidden(each.path, why)),
      FieldError.forbidden(path, exceeds(name, this.#total / PER_SCHEMA)),
    ];
  }
}

function exceeds(name: string, factor: number): string {
  const shown =
    factor > 100
      ? "more than 100x"
      : factor < 1.5
        ? `${factor.toFixed(6)}x`
        : `${factor.toFixed(1)}x`;
  return `${name} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** How often the data can occur in one object; undefined without a limit. */
export type Cardinality = number | undefined;

/** How often data below a schema can occur, given the cardinality of the schema. */
export function cardinalityBelow(schema: JSONSchemaProps, own: Cardinality): Cardinality {
  const elements = maxElements(schema);
  if (own === undefined || elements === undefined) return undefined;
  return multiply(own, elements);
}

function maxElements(schema: JSONSchemaProps): Cardinality {
  const isMap = schema.type === "object" && schema.additionalProperties !== undefined;
  if (isMap) return atLeastZero(schema.maxProperties);
  return schema.type === "array" ? atLeastZero(schema.maxItems) : 1;
}

export function multiply(cost: number, times: number): number {
  return cost === 0 || times === 0 ? 0 : Math.min(cost * times, UNBOUNDED);
}
