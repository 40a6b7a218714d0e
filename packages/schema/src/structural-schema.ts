import { deepCopy, deepFreeze } from "@rookery/kube";
import { buildRuleTree, type RuleTree } from "./cel/schema/rule-tree.ts";
import { assertNesting, type JSONValue } from "./json.ts";
import type { JSONSchemaProps } from "./json-schema-props.ts";
import type { SchemaNode } from "./schema-node.ts";
import { buildNode } from "./structural-node.ts";

/** A prepared, immutable schema. */
export class StructuralSchema {
  readonly root: SchemaNode;
  #rules: RuleTree | undefined | null = null;

  constructor(root: SchemaNode) {
    this.root = root;
  }

  /** Compiled for the first validated object. */
  get rules(): RuleTree | undefined {
    if (this.#rules === null) this.#rules = buildRuleTree(this.root, true);
    return this.#rules;
  }
}

/**
 * Prepares the openAPIV3Schema of a CRD version, without checking that it is structural
 * (`checkStructural`). Copies `props`. Throws a NestingError.
 */
export function compileSchema(props: JSONSchemaProps): StructuralSchema {
  assertNesting(props as unknown as JSONValue, "schema");
  return new StructuralSchema(buildNode(deepFreeze(deepCopy(props) as JSONSchemaProps)));
}
