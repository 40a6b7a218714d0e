import type { TextEdit } from "../forms/form.ts";
import { anyMetadata, type BuiltInKind, builtInKinds, type FieldForm } from "./built-in-kinds.ts";
import { celFields, type RenameCel } from "./cel-fields.ts";
import { choiceOfNames } from "./choices.ts";
import { type FieldRule, parseFieldPath } from "./field-rule.ts";
import { type KindName, RuleNode } from "./rule-node.ts";

/** The fields of every object. */
const anyObject: Readonly<Record<string, FieldForm>> = {
  apiVersion: "apiVersion",
  ...anyMetadata("metadata"),
  "items[]": "object",
};

/** An owner may be a CRD; the garbage collector finds it by name. */
const ownerNames = { "metadata.ownerReferences[].name": "kind" };

const table = "meta.k8s.io/Table";
const tableOf = (form: FieldForm) => `${table} of ${form}`;
const partialObjectMetadata = "meta.k8s.io/PartialObjectMetadata";

/** The form of object names, by kinds named after groups. */
const nameForms: ReadonlyMap<string, FieldForm> = new Map(
  builtInKinds.flatMap(({ fields, ...kind }) => {
    const form = fields["metadata.name"];
    return form === undefined ? [] : [[keyOf(kind), form] as const];
  }),
);

/** The rules of each kind, including those of any object. */
export class KindRules {
  /** The rules of a nested object of any kind. */
  readonly object = new RuleNode();
  readonly #status = new RuleNode();
  readonly #declaredForAll: readonly FieldRule[];
  readonly #unknown: RuleNode;
  readonly #kinds = new Map<string, RuleNode>();

  /** `declaredForAll` are the declared rules for any object. */
  constructor(declaredForAll: readonly FieldRule[], renameCel: RenameCel) {
    this.#declaredForAll = declaredForAll;
    this.#unknown = this.#createNode();
    for (const kind of builtInKinds) this.#addBuiltIn(this.#nodeFor(keyOf(kind)), kind);
    const status = builtInKinds.find(({ kind }) => kind === "Status");
    if (status !== undefined) this.#addBuiltIn(this.#status, status);
    for (const form of nameForms.values()) {
      const names = this.#nodeFor(tableOf(form));
      this.#addField(names, "rows[].object", "object");
      this.#addField(names, "rows[].cells[0]", form);
    }
    this.#addCel(renameCel);
  }

  add(kind: KindName, path: string, form: FieldForm): void {
    this.#addField(this.#nodeFor(keyOf(kind)), path, form);
  }

  /**
   * The rules of a kind, or of any object for unknown kinds. Partial representations have the
   * rules of the request's kind.
   */
  of(kind: KindName, target: KindName | undefined): RuleNode {
    const key = keyOf(kind);
    if (key === partialObjectMetadata && target !== undefined) return this.of(target, undefined);
    const rules = this.#kinds.get(key) ?? this.#unknown;
    const form = key === table && target !== undefined ? nameForms.get(keyOf(target)) : undefined;
    return form === undefined ? rules : (this.#kinds.get(tableOf(form)) ?? rules);
  }

  /** The first keys of all paths of all kinds. */
  firstKeys(): ReadonlySet<string> {
    const nodes = [this.#unknown, ...this.#kinds.values()];
    return new Set(nodes.flatMap(({ entries }) => entries.map(({ key }) => key)));
  }

  #addCel(renameCel: RenameCel): void {
    for (const [kind, paths] of Object.entries(celFields)) {
      const node = this.#nodeFor(keyOf({ group: "admissionregistration.k8s.io", kind }));
      for (const path of paths) {
        node.at(parseFieldPath(path)).edits = (text) => renameCel(text, "admission", kind);
      }
    }
    const kind = "CustomResourceDefinition";
    const definition = this.#nodeFor(keyOf({ group: "apiextensions.k8s.io", kind }));
    const versions = definition.at(parseFieldPath("spec.versions[].schema"));
    versions.set(
      "openAPIV3Schema",
      schemaRules((text, place) => renameCel(text, place, kind)),
    );
  }

  #nodeFor(key: string): RuleNode {
    const node = this.#kinds.get(key) ?? this.#createNode();
    this.#kinds.set(key, node);
    return node;
  }

  #createNode(): RuleNode {
    const node = new RuleNode();
    this.#addBuiltIn(node, { fields: anyObject, names: ownerNames });
    for (const { path, form } of this.#declaredForAll) this.#addField(node, path, form);
    return node;
  }

  #addBuiltIn(node: RuleNode, { fields, names = {} }: Pick<BuiltInKind, "fields" | "names">): void {
    for (const [path, form] of Object.entries(fields)) this.#addField(node, path, form);
    for (const [path, beside] of Object.entries(names)) addName(node, path, beside);
  }

  #addField(node: RuleNode, path: string, form: FieldForm): void {
    const steps = parseFieldPath(path);
    if (form === "object") node.put(steps, this.object);
    else if (form === "status") node.put(steps, this.#status);
    else if (steps.at(-1) === "keys") node.at(steps).keyForm = form;
    else node.at(steps).form = form;
  }
}

/** An object name that is only renamed if the neighbour field has a kind named after groups. */
function addName(node: RuleNode, path: string, beside: string): void {
  const steps = parseFieldPath(path);
  const at = steps.findLastIndex((step) => typeof step === "object" && "key" in step);
  const last = steps[at];
  if (typeof last !== "object" || !("key" in last)) return;
  const names = new RuleNode();
  names.at(steps.slice(at)).form = "resourceName";
  const parent = node.at(steps.slice(0, at));
  parent.choice = choiceOfNames(names);
  parent.capture(beside).wait(last.key);
}

function keyOf({ group, kind }: KindName): string {
  return `${group}/${kind}`;
}

/** Schemas contain CEL at any depth; at the top it is about a whole object. */
function schemaRules(
  rename: (text: string, place: "schema" | "part") => readonly TextEdit[],
): RuleNode {
  const nodeOf = (place: "schema" | "part", below?: RuleNode) => {
    const node = new RuleNode();
    node.any = below ?? node;
    node.items = below ?? node;
    const rule = node.at(parseFieldPath("['x-kubernetes-validations'][]"));
    for (const field of ["rule", "messageExpression"]) {
      rule.below(field).edits = (text) => rename(text, place);
    }
    return node;
  };
  return nodeOf("schema", nodeOf("part"));
}
