import type { Form } from "../forms/form.ts";
import { type FieldRule, parseFieldPath } from "../rules/field-rule.ts";
import { type Field, type MapField, type Message, message, of } from "./message.ts";

/** The fields of ObjectMeta that rules may name. */
const texts = new Map([
  ["name", 1],
  ["generateName", 2],
  ["namespace", 3],
  ["finalizers[]", 14],
]);
const maps = new Map([
  ["labels", 11],
  ["annotations", 12],
]);

const managedFields = 17;

/** Whether a rule is independent of the kind, because its field is in the metadata. */
export function isMetadataRule(rule: FieldRule): boolean {
  return fieldOf(rule, []) !== undefined;
}

/** The metadata of a kind; undefined where it has none. */
export function metadataOf(kind: Message): Message | undefined {
  const [, field] = kind;
  const isMetadata = field?.type === "message" && field.message[managedFields] !== undefined;
  return isMetadata ? field.message : undefined;
}

const known = new WeakMap<Message, Map<string, Message>>();

/** Adds rules to the metadata of a kind. Returns the same message for the same rules. */
export function withMetadataRules(kind: Message, rules: readonly FieldRule[]): Message {
  const metadata = metadataOf(kind);
  if (rules.length === 0 || metadata === undefined) return kind;
  const variants = known.get(kind) ?? new Map<string, Message>();
  known.set(kind, variants);
  const key = JSON.stringify(rules);
  const found = variants.get(key) ?? withMetadata(kind, addRules(metadata, rules));
  variants.set(key, found);
  return found;
}

function withMetadata(kind: Message, metadata: Message): Message {
  return kind.map((field, number) => (number === 1 ? of(metadata) : field));
}

function addRules(metadata: Message, rules: readonly FieldRule[]): Message {
  const fields = [...metadata];
  for (const rule of rules) {
    const added = fieldOf(rule, fields);
    if (added !== undefined) fields[added.number] = added.field;
  }
  return fields;
}

interface NumberedField {
  readonly number: number;
  readonly field: Field;
}

/** Undefined for rules about other fields. `before` are the known fields. */
function fieldOf({ path, form: any }: FieldRule, before: Message): NumberedField | undefined {
  const [, field, step] = parseFieldPath(path);
  const form = any === "object" ? "lastApplied" : any;
  if (!path.startsWith("metadata.") || typeof field !== "object" || !("key" in field))
    return undefined;
  const text = texts.get(path.slice("metadata.".length));
  if (text !== undefined) return { number: text, field: { type: "text", form } };
  const number = maps.get(field.key);
  if (number === undefined || step === undefined) return undefined;
  const map = before[number];
  return { number, field: withEntry(map?.type === "map" ? map : noEntries, step, form) };
}

const noEntries: MapField = { type: "map", entries: [], others: undefined };

/** Rules for certain keys come before those for all. */
function withEntry(
  map: MapField,
  step: ReturnType<typeof parseFieldPath>[number],
  form: Form,
): MapField {
  if (typeof step === "object" && "key" in step) {
    const entry = { key: step.key, message: message({ 2: { type: "text", form } }) };
    return { ...map, entries: [entry, ...map.entries] };
  }
  const all = message({ ...map.others, [step === "keys" ? 1 : 2]: { type: "text", form } });
  return { ...map, others: all };
}
