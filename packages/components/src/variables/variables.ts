import { MissingVariablesError } from "../errors.ts";
import { applyOperation } from "./operations.ts";
import type { Template, TemplateNode } from "./parse-template.ts";
import { parseTemplate } from "./parse-template.ts";

/** The value of a variable; undefined without one. */
export type VariableLookup = (name: string) => string | undefined;

export interface Variable {
  readonly name: string;
  /** Absent for a required variable. */
  readonly default?: string;
}

/**
 * The variables of a components file, by name. As in clusterctl, the first use determines the default,
 * and variables inside of defaults do not count.
 */
export function inspectVariables(text: string): readonly Variable[] {
  const defaults = new Map<string, string>();
  for (const node of parseTemplate(withoutInnerSpaces(text))) {
    if (typeof node === "string" || defaults.has(node.name)) continue;
    defaults.set(node.name, node.args.map(describe).join(""));
  }
  const names = [...defaults.keys()].sort();
  return names.map((name) => {
    const value = defaults.get(name);
    return value ? { name, default: value } : { name };
  });
}

/**
 * Replaces the variables of a components file as clusterctl does. Throws SubstitutionError, and
 * MissingVariablesError with all that have neither value nor default.
 */
export function replaceVariables(text: string, lookup: VariableLookup): string {
  const missing = inspectVariables(text).filter(
    (variable) => variable.default === undefined && lookup(variable.name) === undefined,
  );
  if (missing.length > 0) throw new MissingVariablesError(missing.map(({ name }) => name));
  return evaluate(parseTemplate(withoutInnerSpaces(text)), lookup);
}

/** Looks up a variable in several sources, of which the first with a value counts. */
export function lookupIn(
  ...sources: readonly Readonly<Record<string, string | undefined>>[]
): VariableLookup {
  return (name) => {
    const source = sources.find((one) => Object.hasOwn(one, name) && one[name] !== undefined);
    return source?.[name];
  };
}

function evaluate(template: Template, lookup: VariableLookup): string {
  return template.map((node) => evaluateNode(node, lookup)).join("");
}

function evaluateNode(node: TemplateNode, lookup: VariableLookup): string {
  if (typeof node === "string") return node;
  const args = node.args.map((arg) => evaluateNode(arg, lookup));
  return applyOperation(node.operation, lookup(node.name) ?? "", args);
}

function describe(node: TemplateNode): string {
  return typeof node === "string" ? node : `\${${node.name}}`;
}

/** clusterctl still accepts "${ NAME }", which envsubst does not. */
function withoutInnerSpaces(text: string): string {
  return text.replace(/\$\{\s+[A-Za-z0-9_$]+\s*\}|\$\{[A-Za-z0-9_$]+\s+\}/g, (variable) =>
    variable.replace(/\s/g, ""),
  );
}
