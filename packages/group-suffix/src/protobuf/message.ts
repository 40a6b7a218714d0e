import type { CelPlace } from "../forms/cel-edits.ts";
import type { Form } from "../forms/form.ts";
import type { OperationName } from "../forms/operation-edits.ts";

/**
 * What is renamed in a message, by field numbers. Whatever is not named here is passed over, in
 * messages of any version.
 */
export type Message = readonly (Field | undefined)[];

export type Field =
  | TextField
  | CelField
  | MessageField
  | NameField
  | OperationField
  | MapField
  | EmbeddedField
  | JsonField;

/** A string, or several: repeated fields stand one after another on the wire. */
export interface TextField {
  readonly type: "text";
  readonly form: Form;
}

/** An expression in CEL, of objects of this kind. */
export interface CelField {
  readonly type: "cel";
  readonly place: CelPlace;
  readonly kind: string;
}

export interface MessageField {
  readonly type: "message";
  readonly message: Message;
}

/**
 * The name of an object, which holds a group where the object is a CRD or an APIService. The message
 * that it stands in tells its kind or its resource: the numbers lead there.
 */
export interface NameField {
  readonly type: "name";
  readonly kind: readonly number[];
}

/**
 * What an operation of OpenAPI is called, which is made from a group. The numbers lead to the kind in
 * the operation that tells it.
 */
export interface OperationField {
  readonly type: "operation";
  readonly name: OperationName;
  readonly kinds: readonly number[];
}

/** A map. Its entries are messages of a key (1) and a value (2). */
export interface MapField {
  readonly type: "map";
  /** What is renamed in the entries of certain keys. */
  readonly entries: readonly MapEntry[];
  /** What is renamed in all others. */
  readonly others: Message | undefined;
}

interface MapEntry {
  readonly key: string;
  readonly message: Message;
}

/** Any object: in an envelope or as JSON. */
interface EmbeddedField {
  readonly type: "embedded";
}

/** An object, or several, as JSON and nothing else. */
interface JsonField {
  readonly type: "json";
}

/** A message from what its fields are. */
export function message(fields: Readonly<Record<number, Field | undefined>>): Message {
  const list: (Field | undefined)[] = [];
  for (const [number, field] of Object.entries(fields)) list[Number(number)] = field;
  // Without holes the engine looks fields up fast.
  return Array.from(list);
}

/** A field that holds a message of these fields. */
export function nested(fields: Readonly<Record<number, Field | undefined>>): MessageField {
  return { type: "message", message: message(fields) };
}

/** The field of a message that is declared elsewhere. */
export function of(message: Message): MessageField {
  return { type: "message", message };
}

export const group: TextField = { type: "text", form: "group" };
export const apiVersion: TextField = { type: "text", form: "apiVersion" };
export const path: TextField = { type: "text", form: "path" };
export const text: TextField = { type: "text", form: "message" };
export const kindsInYaml: TextField = { type: "text", form: "kindsInYaml" };
/** A RawExtension. */
export const embedded: MessageField = nested({ 1: { type: "embedded" } });

/** The name of an object whose kind or resource is in the field that the numbers lead to. */
export function nameOf(...kind: readonly number[]): NameField {
  return { type: "name", kind };
}

/** The name of an operation whose kind, as YAML, is in a field that the numbers lead to. */
export function operationName(name: OperationName, kinds: readonly number[]): OperationField {
  return { type: "operation", name, kinds };
}

/** A map whose keys are of this form. */
export function mapOf(keys: Form): MapField {
  return { type: "map", entries: [], others: message({ 1: { type: "text", form: keys } }) };
}

/** A map in which the values of some keys have a form. */
export function mapWith(values: Readonly<Record<string, Form>>): MapField {
  const entries = Object.entries(values).map(([key, form]) => {
    return [key, message({ 2: { type: "text", form } })] as const;
  });
  return mapOfMessages(Object.fromEntries(entries));
}

/** A map in which something is renamed in the entries of some keys. */
export function mapOfMessages(messages: Readonly<Record<string, Message>>): MapField {
  const entries = Object.entries(messages).map(([key, entry]) => ({ key, message: entry }));
  return { type: "map", entries, others: undefined };
}

/**
 * What is renamed in kinds, by group and by kind; "v1 Kind" where versions have different numbers.
 * Field 1 is an ObjectMeta where it is not said otherwise.
 */
export type KindTable = Readonly<Record<string, Readonly<Record<string, KindFields>>>>;

type KindFields = Readonly<Record<number, Field | undefined>>;
