import type { GroupVersionKind } from "@rookery/kube";
import type { Target } from "../body-renamer.ts";
import type { FieldRule, RenamerOptions } from "../rules/field-rule.ts";
import { type RuleSet, ruleSetOf } from "../rules/rule-set.ts";
import { type KindTable, type Message, message, of } from "./message.ts";
import { access } from "./messages/access.ts";
import { machinery, optionKinds } from "./messages/machinery.ts";
import { objectMeta } from "./messages/metadata.ts";
import { references } from "./messages/references.ts";
import { registration } from "./messages/registration.ts";
import { workloads } from "./messages/workloads.ts";
import { isMetadataRule, metadataOf, withMetadataRules } from "./metadata-rules.ts";
import { unreadable } from "./wire-cursor.ts";

const messages = new Map<string, Message>();
for (const table of [access, machinery, references, registration, workloads]) addTable(table);

function addTable(table: KindTable): void {
  for (const [group, kinds] of Object.entries(table)) {
    for (const [kind, fields] of Object.entries(kinds)) {
      messages.set(`${group}/${kind}`, message({ 1: of(objectMeta), ...fields }));
    }
  }
}

/** Any object, with its metadata. */
const object = message({ 1: of(objectMeta) });
const nothing: Message = [];

/** The message of a kind; undefined for a list of objects. Unknown kinds are objects. */
function messageOfKind({ group, version, kind }: GroupVersionKind): Message | undefined {
  if (optionKinds.has(kind)) return nothing;
  const known = messages.get(`${group}/${version} ${kind}`) ?? messages.get(`${group}/${kind}`);
  if (known !== undefined) return known;
  return kind.endsWith("List") ? undefined : object;
}

/** Kinds that API servers send and accept as JSON only. */
const jsonKinds = new Set([
  "admission.k8s.io/AdmissionReview",
  "apiextensions.k8s.io/ConversionReview",
]);

/** The messages of kinds, with declared rules. */
export class KindMessages {
  readonly #options: RenamerOptions;
  readonly #ruleSet: RuleSet;
  readonly #lists = new WeakMap<Message, Message>();

  constructor(options: RenamerOptions) {
    this.#options = options;
    this.#ruleSet = ruleSetOf(options);
  }

  /**
   * The target has the kind of a metadata-only object. Throws UnreadableBodyError for kinds that
   * cannot be renamed in Protobuf.
   */
  of(kind: GroupVersionKind, target: Target | undefined): Message {
    const found = this.#single(kind, target);
    if (found !== undefined) return found;
    const item = { ...kind, kind: kind.kind.slice(0, -"List".length) };
    return this.#listOf(this.#single(item, target) ?? object);
  }

  /** Undefined for a list. */
  #single(kind: GroupVersionKind, target: Target | undefined): Message | undefined {
    const name = `${kind.group}/${kind.kind}`;
    if (jsonKinds.has(name)) throw unreadable(`a ${kind.kind} is sent as JSON`);
    if (name === "meta.k8s.io/PartialObjectMetadata") return this.#partialObject(kind, target);
    const found = messageOfKind(kind);
    return found && this.#withRules(found, kind);
  }

  #partialObject(partial: GroupVersionKind, target: Target | undefined): Message {
    const kind = { version: target?.version ?? "", ...(this.#ruleSet.kindOf(target) ?? partial) };
    const found = messageOfKind(kind) ?? object;
    return withMetadataRules(found, this.#rulesOf(kind).filter(isMetadataRule));
  }

  #withRules(found: Message, kind: GroupVersionKind): Message {
    if (metadataOf(found) === undefined) return found;
    const rules = this.#rulesOf(kind);
    const beyond = rules.find((rule) => !isMetadataRule(rule));
    if (beyond === undefined) return withMetadataRules(found, rules);
    const { path } = beyond;
    throw unreadable(`the rule for ${path} of a ${kind.kind} holds for JSON only: ask for JSON`);
  }

  /** Rules have the app's name of a group; bodies may have the other one. */
  #rulesOf({ group, kind }: GroupVersionKind): readonly FieldRule[] {
    const { mapping, rules = [] } = this.#options;
    if (rules.length === 0) return rules;
    const other = mapping.swap(group);
    return rules.filter((rule) => {
      if (rule.group === "*" && rule.kind === "*") return true;
      return rule.kind === kind && (rule.group === group || rule.group === other);
    });
  }

  /** Field 2 of lists has the items. */
  #listOf(item: Message): Message {
    const list = this.#lists.get(item) ?? message({ 2: of(item) });
    this.#lists.set(item, list);
    return list;
  }
}
