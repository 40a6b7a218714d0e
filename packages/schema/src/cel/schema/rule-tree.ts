import type { SchemaNode } from "../../schema-node.ts";
import { escapePropertyName } from "../escaping.ts";
import { type DeclType, declTypeOf } from "./decl-type.ts";
import { type CompiledRule, compileRule } from "./rule.ts";

/** The compiled rules of a schema; branches without rules are left out. */
export interface RuleTree {
  readonly node: SchemaNode;
  readonly isResourceRoot: boolean;
  readonly rules: readonly CompiledRule[];
  /** Set for rules about data that rules cannot access. */
  readonly error: string | undefined;
  readonly items: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additionalProperties: RuleTree | undefined;
}

/** Undefined where a schema has no rules at any depth. */
export function buildRuleTree(node: SchemaNode, isResourceRoot: boolean): RuleTree | undefined {
  if (!hasRules(node)) return undefined;
  return build(node, isResourceRoot, declTypeOf(node, isResourceRoot));
}

function hasRules(node: SchemaNode): boolean {
  const children = [
    ...(node.properties?.values() ?? []),
    node.items,
    node.additionalProperties?.schema,
  ];
  return node.rules.length > 0 || children.some((child) => child !== undefined && hasRules(child));
}

function build(
  node: SchemaNode,
  isResourceRoot: boolean,
  decl: DeclType | undefined,
): RuleTree | undefined {
  const rules = decl ? node.rules.map((rule) => compileRule(rule, decl, node)) : [];
  const error =
    decl || node.rules.length === 0
      ? undefined
      : "failed to convert to declType for CEL validation rules";
  const element = decl?.kind === "list" || decl?.kind === "map" ? decl.element : undefined;
  const { items, additionalProperties } = node;
  const values = additionalProperties?.schema;
  const tree: RuleTree = {
    node,
    isResourceRoot,
    rules,
    error,
    items: items && build(items, items.embeddedResource, element),
    properties: buildProperties(node, decl),
    additionalProperties: values && build(values, values.embeddedResource, element),
  };
  return isEmpty(tree) ? undefined : tree;
}

function isEmpty(tree: RuleTree): boolean {
  const own = tree.rules.length > 0 || tree.error !== undefined;
  return !own && !tree.items && !tree.additionalProperties && tree.properties.size === 0;
}

function buildProperties(
  node: SchemaNode,
  decl: DeclType | undefined,
): ReadonlyMap<string, RuleTree> {
  const trees = new Map<string, RuleTree>();
  for (const [name, property] of node.properties ?? []) {
    const type = propertyDecl(name, property, decl);
    const tree = type && build(property, property.embeddedResource, type);
    if (tree) trees.set(name, tree);
  }
  return trees;
}

/** A property whose name rules cannot express may still have rules of its own. */
function propertyDecl(
  name: string,
  property: SchemaNode,
  parent: DeclType | undefined,
): DeclType | undefined {
  const escaped = escapePropertyName(name);
  if (escaped === undefined) return declTypeOf(property, property.embeddedResource);
  return parent?.kind === "object" ? parent.fields.get(escaped) : undefined;
}
