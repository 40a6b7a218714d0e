import type { CelPlace } from "../forms/cel-edits.ts";
import type { Form } from "../forms/form.ts";
import type { OperationName } from "../forms/operation-edits.ts";

/**
 * The renamed fields of a message, by number. Other fields are skipped, in messages of any
 * version.
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

/** Strings: repeated fields follow one another on the wire. */
export interface TextField {
  readonly type: "text";
  readonly form: Form;
}

/** A CEL expression of this kind. */
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
 * An object name, which contains a group if the object is a CRD or an APIService. The path of
 * field numbers leads to its kind or resource.
 */
export interface NameField {
  readonly type: "name";
  readonly kind: readonly number[];
}

/**
 * The name of an OpenAPI operation, which contains a group. The path of field numbers leads to its
 * kind.
 */
export interface OperationField {
  readonly type: "operation";
  readonly name: OperationName;
  readonly kinds: readonly number[];
}

/** A map, whose entries are messages of a key (1) and a value (2). */
export interface MapField {
  readonly type: "map";
  /** The messages of certain keys. */
  readonly entries: readonly MapEntry[];
  /** The message of other entries. */
  readonly others: Message | undefined;
}

interface MapEntry {
  readonly key: string;
  readonly message: Message;
}

/** An enveloped object, or JSON. */
interface EmbeddedField {
  readonly type: "embedded";
}

/** One or several objects in JSON. */
interface JsonField {
  readonly type: "json";
}

export function message(fields: Readonly<Record<number, Field | undefined>>): Message {
  const list: (Field | undefined)[] = [];
  for (const [number, field] of Object.entries(fields)) list[Number(number)] = field;
  // The engine accesses arrays without holes faster.
  return Array.from(list);
}

export function nested(fields: Readonly<Record<number, Field | undefined>>): MessageField {
  return { type: "message", message: message(fields) };
}

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

export function nameOf(...kind: readonly number[]): NameField {
  return { type: "name", kind };
}

export function operationName(name: OperationName, kinds: readonly number[]): OperationField {
  return { type: "operation", name, kinds };
}

/** A map with renamed keys. */
export function mapOf(keys: Form): MapField {
  return { type: "map", entries: [], others: message({ 1: { type: "text", form: keys } }) };
}

/** A map with renamed values of some keys. */
export function mapWith(values: Readonly<Record<string, Form>>): MapField {
  const entries = Object.entries(values).map(([key, form]) => {
    return [key, message({ 2: { type: "text", form } })] as const;
  });
  return mapOfMessages(Object.fromEntries(entries));
}

/** A map with renamed entries of some keys. */
export function mapOfMessages(messages: Readonly<Record<string, Message>>): MapField {
  const entries = Object.entries(messages).map(([key, entry]) => ({ key, message: entry }));
  return { type: "map", entries, others: undefined };
}

/**
 * The renamed fields of kinds, by group and kind; "v1 Kind" where field numbers differ between
 * versions. Field 1 is an ObjectMeta by default.
 */
export type KindTable = Readonly<Record<string, Readonly<Record<string, KindFields>>>>;

type KindFields = Readonly<Record<number, Field | undefined>>;
