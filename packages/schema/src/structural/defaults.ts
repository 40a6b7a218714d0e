import { aggregateMessages, FieldError, FieldPath } from "@rookery/kube";
import { append } from "../append.ts";
import { buildRuleTree } from "../cel/schema/rule-tree.ts";
import { KUBERNETES_COST_LIMITS, RuleValidator } from "../cel/schema/validate-rules.ts";
import { MetadataError } from "../errors.ts";
import { deepEqualJson, isObject, type JSONObject, type JSONValue } from "../json.ts";
import { PatternTime } from "../patterns/pattern-time.ts";
import { coerceEmbedded, META_FIELDS, pruneValue } from "../prune.ts";
import type { SchemaNode } from "../schema-node.ts";
import { checkEmbedded, checkEmbeddedResources } from "../validate/embedded-resources.ts";
import { validateValue } from "../validate/validate-value.ts";
import { ValuePath } from "../validate/value-path.ts";

/** Every default must be valid, and unchanged by its own schema. */
export function checkDefaults(root: SchemaNode, path: FieldPath): FieldError[] {
  const checker = new DefaultChecker();
  const resource = { ...root, embeddedResource: true };
  checker.visit(resource, path, { resource, wrap: (value) => value });
  return checker.errors;
}

/** The resource of a node, and how a value of the node is placed in it. */
interface Surroundings {
  readonly resource: SchemaNode;
  readonly wrap: (value: JSONValue) => JSONValue;
  /** Set inside of the apiVersion, kind or metadata of a resource. */
  readonly insideMeta?: boolean;
}

class DefaultChecker {
  readonly errors: FieldError[] = [];
  readonly #patternTime = new PatternTime();
  #budget = KUBERNETES_COST_LIMITS.perObject;

  visit(node: SchemaNode, path: FieldPath, around: Surroundings): void {
    const own: Surroundings = node.embeddedResource
      ? { resource: node, wrap: (value) => value }
      : around;
    if (this.#budget < 0) return;
    if (node.default !== undefined)
      this.#check(node, node.default, { path: path.child("default"), own });
    if (node.items) {
      this.visit(node.items, path.child("items"), { ...own, wrap: (value) => own.wrap([value]) });
    }
    for (const [name, property] of node.properties ?? []) {
      const insideMeta = own.insideMeta || (node.embeddedResource && META_FIELDS.has(name));
      const wrap = (value: JSONValue): JSONValue => own.wrap({ [name]: value });
      this.visit(property, path.child("properties").key(name), { ...own, wrap, insideMeta });
    }
  }

  #check(
    node: SchemaNode,
    value: JSONValue,
    { path, own }: { readonly path: FieldPath; readonly own: Surroundings },
  ): void {
    const meta = own.insideMeta ? checkMeta(value, path, own) : this.#checkShape(node, value, path);
    if (meta.length > 0) {
      append(this.errors, meta);
      return;
    }
    const { violations } = validateValue(node, value, {
      path: ValuePath.root,
      patternTime: this.#patternTime,
    });
    if (violations.length > 0) {
      append(
        this.errors,
        violations.map((violation) => violation.toFieldError(path)),
      );
      return;
    }
    this.#checkRules(node, value, { path, isResourceRoot: node === own.resource });
  }

  #checkShape(node: SchemaNode, value: JSONValue, path: FieldPath): FieldError[] {
    if (!deepEqualJson(pruneValue(value, node), value)) {
      this.errors.push(FieldError.invalid(path, value, "must not have unknown fields"));
    }
    try {
      coerceEmbedded(value, node, path);
    } catch (error) {
      if (error instanceof MetadataError && error.problem) return [error.problem];
      throw error;
    }
    return checkEmbeddedResources(node, value, path);
  }

  /** Evaluates the rules for an unchanged value and for a new one. */
  #checkRules(
    node: SchemaNode,
    value: JSONValue,
    { path, isResourceRoot }: { readonly path: FieldPath; readonly isResourceRoot: boolean },
  ): void {
    const tree = buildRuleTree(node, isResourceRoot);
    if (!tree) return;
    let left = this.#budget;
    for (const old of [value, undefined]) {
      const limits = { ...KUBERNETES_COST_LIMITS, perObject: this.#budget };
      const validator = new RuleValidator(limits, this.#patternTime);
      const { errors } = validator.run(tree, path, { data: value, old, correlation: undefined });
      append(this.errors, errors);
      left = Math.min(left, validator.budget);
      if (errors.length > 0) break;
    }
    this.#budget = left;
  }
}

/** Validates a default in metadata as part of the resulting resource. */
function checkMeta(
  value: JSONValue,
  path: FieldPath,
  { resource, wrap }: Surroundings,
): FieldError[] {
  const wrapped = wrap(value);
  const object: JSONObject = {
    kind: "Validation",
    apiVersion: "validation/v1",
    ...(isObject(wrapped) ? wrapped : {}),
  };
  const refuse = (problem: string): FieldError[] => [
    FieldError.invalid(path, value, `must result in valid metadata: ${problem}`),
  ];
  try {
    coerceEmbedded(object, resource, FieldPath.root);
  } catch (error) {
    if (error instanceof MetadataError && error.problem) return refuse(String(error.problem));
    throw error;
  }
  const problems = checkEmbedded(object, FieldPath.root);
  return problems.length > 0 ? refuse(aggregateMessages(problems)) : [];
}
