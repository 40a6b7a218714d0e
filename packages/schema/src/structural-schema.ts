import { deepCopy, deepFreeze } from "@rookery/kube";
import { buildRuleTree, type RuleTree } from "./cel/schema/rule-tree.ts";
import { assertNesting, type JSONValue } from "./json.ts";
import type { JSONSchemaProps } from "./json-schema-props.ts";
import type { SchemaNode } from "./schema-node.ts";
import { buildNode } from "./structural-node.ts";

/** A schema that was prepared once and serves any number of objects. Immutable. */
export class StructuralSchema {
  readonly root: SchemaNode;
  #rules: RuleTree | undefined | null = null;

  constructor(root: SchemaNode) {
    this.root = root;
  }

  /** The validation rules; compiled when the first object is validated. */
  get rules(): RuleTree | undefined {
    if (this.#rules === null) this.#rules = buildRuleTree(this.root, true);
    return this.#rules;
  }
}

/**
 * Prepares the openAPIV3Schema of a CRD's version. It does not ask whether the schema is structural,
 * which is `checkStructural`'s to say. What becomes of `props` later has no effect. Throws a
 * NestingError where it nests too deeply.
 */
export function compileSchema(props: JSONSchemaProps): StructuralSchema {
  assertNesting(props as unknown as JSONValue, "schema");
  return new StructuralSchema(buildNode(deepFreeze(deepCopy(props) as JSONSchemaProps)));
}
