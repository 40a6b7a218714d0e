import type { SchemaNode } from "../schema-node.ts";
import type { ValuePath } from "./value-path.ts";
import { combination, Findings } from "./violation.ts";

interface Context {
  readonly path: ValuePath;
  validate(node: SchemaNode): Findings;
}

/** Of several failed alternatives, reports the one with the most matches. */
export function checkAnyOf(nodes: readonly SchemaNode[], { path, validate }: Context): Findings {
  const findings = new Findings();
  let best: Findings | undefined;
  for (const node of nodes) {
    const result = validate(node);
    if (result.valid) return result;
    if (!best || result.matches > best.matches) best = result;
  }
  findings.add(combination(path, "must validate at least one schema (anyOf)"));
  if (best) findings.merge(best);
  return findings;
}

export function checkOneOf(nodes: readonly SchemaNode[], { path, validate }: Context): Findings {
  const findings = new Findings();
  let first: Findings | undefined;
  let best: Findings | undefined;
  let valid = 0;
  for (const node of nodes) {
    const result = validate(node);
    if (result.valid) {
      valid++;
      first ??= result;
      best = undefined;
    } else if (valid === 0 && (!best || result.matches > best.matches)) best = result;
  }
  if (valid === 1 && first) return first;
  const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
  findings.add(combination(path, `must validate one and only one schema (oneOf). ${found}`));
  if (best) findings.merge(best);
  return findings;
}

export function checkAllOf(nodes: readonly SchemaNode[], { path, validate }: Context): Findings {
  const findings = new Findings();
  let valid = 0;
  for (const node of nodes) {
    const result = validate(node);
    if (result.valid) valid++;
    findings.merge(result);
  }
  if (valid < nodes.length) {
    const none = valid === 0 ? ". None validated" : "";
    findings.add(combination(path, `must validate all the schemas (allOf)${none}`));
  }
  return findings;
}

export function checkNot(node: SchemaNode, { path, validate }: Context): Findings {
  const findings = new Findings();
  if (validate(node).valid) findings.add(combination(path, "must not validate the schema (not)"));
  return findings;
}
