import type { FieldPath } from "@rookery/kube";
import type { Correlation } from "../../correlation.ts";
import type { JSONValue } from "../../json.ts";
import type { SchemaNode } from "../../schema-node.ts";
import { Optional, type Value } from "../values/value.ts";
import { withTypeAndObjectMeta } from "./object-meta.ts";
import type { CompiledRule } from "./rule.ts";
import type { RuleTree } from "./rule-tree.ts";
import { toCelValue } from "./schema-value.ts";

export interface Subject {
  readonly tree: RuleTree;
  readonly path: FieldPath;
  readonly data: JSONValue;
  /** Undefined where there is no old value, or none that correlates. */
  readonly old: JSONValue | undefined;
  readonly ratchet: Ratchet;
}

/** `self` and `oldSelf`, created on demand. */
export class RuleVariables {
  readonly #subject: Subject;
  readonly #node: SchemaNode;
  readonly #made = new Map<boolean, ReadonlyMap<string, Value>>();
  #self: Value | undefined;

  constructor(subject: Subject) {
    this.#subject = subject;
    const { node, isResourceRoot } = subject.tree;
    this.#node = isResourceRoot ? withTypeAndObjectMeta(node) : node;
  }

  of({ rule }: CompiledRule): ReadonlyMap<string, Value> {
    return this.#get(rule.optionalOldSelf === true);
  }

  /** With a plain `oldSelf`, as in message expressions. */
  get plain(): ReadonlyMap<string, Value> {
    return this.#get(false);
  }

  #get(optional: boolean): ReadonlyMap<string, Value> {
    const variables = this.#made.get(optional) ?? this.#make(optional);
    this.#made.set(optional, variables);
    return variables;
  }

  #make(optional: boolean): ReadonlyMap<string, Value> {
    const { data, old } = this.#subject;
    this.#self ??= toCelValue(data, this.#node);
    const variables = new Map<string, Value>([["self", this.#self]]);
    const oldSelf = old === undefined || old === null ? undefined : toCelValue(old, this.#node);
    if (optional)
      variables.set("oldSelf", oldSelf === undefined ? Optional.none : Optional.of(oldSelf));
    else if (oldSelf !== undefined) variables.set("oldSelf", oldSelf);
    return variables;
  }
}

/** The correlation of a node, or of its nearest correlatable ancestor. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

export function ratchetAt(
  ratchet: Ratchet,
  child: (current: Correlation) => Correlation | undefined,
): Ratchet {
  return ratchet.current ? { current: child(ratchet.current), nearest: ratchet.current } : ratchet;
}

export function ratchetKey(ratchet: Ratchet, key: string): Ratchet {
  const isTypeMeta = !ratchet.nearest && (key === "apiVersion" || key === "kind");
  // Old and new are converted to one version first, so a change of the version is not visible.
  if (ratchet.current && isTypeMeta) return { current: undefined, nearest: undefined };
  return ratchetAt(ratchet, (current) => current.key(key));
}
