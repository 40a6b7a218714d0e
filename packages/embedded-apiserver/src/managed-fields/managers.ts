import type { ManagedFieldsEntry } from "@rookery/kube";
import { quote } from "@rookery/kube";
import {
  emptySet,
  type FieldNode,
  type FieldSet,
  leaf,
  sortedElements,
  unionNodes,
} from "./field-set.ts";
import { compareTexts, type PathElement, parseElement } from "./path-element.ts";

/** A manager's name, operation and subresource, and the version of an Update, as JSON. */
export type ManagerId = string;

export interface ManagedSet {
  readonly fields: FieldSet;
  /** The version of the field names. */
  readonly apiVersion: string;
  readonly isApplied: boolean;
}

/** The owners of an object's fields. Functions that receive it change it. */
export interface Managed {
  readonly sets: Map<ManagerId, ManagedSet>;
  readonly times: Map<ManagerId, string | undefined>;
}

export function noManagers(): Managed {
  return { sets: new Map(), times: new Map() };
}

type Identity = Pick<ManagedFieldsEntry, "manager" | "operation" | "apiVersion" | "subresource">;

/** In Kubernetes' encoding: ties are broken by comparing the texts. */
export function managerId({ manager, operation, apiVersion, subresource }: Identity): ManagerId {
  return JSON.stringify({
    manager: manager || undefined,
    operation,
    apiVersion: (operation !== "Apply" && apiVersion) || undefined,
    subresource: subresource || undefined,
  });
}

export function identityOf(id: ManagerId): Identity {
  return JSON.parse(id) as Identity;
}

/** Parses metadata.managedFields. Throws a SyntaxError for an unreadable entry. */
export function parseManagedFields(entries: readonly ManagedFieldsEntry[] = []): Managed {
  const managed = noManagers();
  for (const [index, entry] of entries.entries()) {
    assertReadable(entry, index);
    const id = managerId(entry);
    const { apiVersion = "", operation, time } = entry;
    const fields = parseFieldsV1(entry.fieldsV1);
    managed.sets.set(id, { fields, apiVersion, isApplied: operation === "Apply" });
    managed.times.set(id, time ?? undefined);
  }
  return managed;
}

function assertReadable({ operation, apiVersion, fieldsType }: ManagedFieldsEntry, index: number) {
  if (operation !== "Apply" && operation !== "Update") {
    throw new SyntaxError("operation must be `Apply` or `Update`");
  }
  if (!apiVersion) throw new SyntaxError("apiVersion must not be empty");
  const at = `in managed fields entry ${index}`;
  if (!fieldsType) throw new SyntaxError(`missing fieldsType ${at}`);
  if (fieldsType !== "FieldsV1") {
    throw new SyntaxError(`invalid fieldsType ${quote(fieldsType)} ${at}`);
  }
}

/** Formats metadata.managedFields; undefined without owners. */
export function formatManagedFields({ sets, times }: Managed): ManagedFieldsEntry[] | undefined {
  if (sets.size === 0) return undefined;
  const entries = [...sets].map(([id, set]) => entryOf(id, set, times.get(id)));
  return entries.length < 2 ? entries : entries.sort(compareEntries);
}

function entryOf(id: ManagerId, set: ManagedSet, time: string | undefined): ManagedFieldsEntry {
  const { manager, operation, subresource } = identityOf(id);
  return {
    ...(manager && { manager }),
    operation: set.isApplied ? "Apply" : (operation ?? "Update"),
    apiVersion: set.apiVersion,
    ...(time && { time }),
    fieldsType: "FieldsV1",
    fieldsV1: formatFieldsV1(set.fields),
    ...(subresource && { subresource }),
  };
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareTexts(a.operation, b.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/** Whether entries ask to drop all ownership: an empty list, or a single empty entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined) return false;
  const [only] = entries;
  if (only === undefined) return true;
  return entries.length === 1 && Object.values(only).every((value) => value === "" || !value);
}

type Json = Readonly<Record<string, unknown>>;

/** Marks the field itself, beside its children. */
const self = ".";

/** Parses `fieldsV1`. Ignores unknown types of elements. Throws a SyntaxError. */
export function parseFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptySet;
  if (!isRecord(fields)) throw new SyntaxError("fieldsV1 is no object");
  return parseLevel(fields).below;
}

function parseLevel(fields: Json): FieldNode {
  const below = new Map<PathElement, FieldNode>();
  let isMember = false;
  for (const key in fields) {
    if (!Object.hasOwn(fields, key)) continue;
    if (key === self) isMember = true;
    else addChild(below, key, fields[key]);
  }
  return below.size === 0 ? leaf : { isMember, below };
}

function addChild(below: Map<PathElement, FieldNode>, key: string, value: unknown): void {
  const element = parseElement(key);
  if (element === undefined) return;
  if (!isRecord(value)) throw new SyntaxError(`fields below ${key} are no object`);
  const node = parseLevel(value);
  const twice = below.get(element);
  below.set(element, twice ? unionNodes(twice, node) : node);
}

/** Shared: most fields have no children. */
const nothing: Json = Object.freeze({});

/** Formats a set as `fieldsV1`, in kube-apiserver's order. */
export function formatFieldsV1(set: FieldSet): Json {
  return formatLevel(set, {});
}

function formatLevel(set: FieldSet, fields: Record<string, unknown>): Json {
  for (const element of sortedElements(set)) {
    const { isMember, below } = set.get(element) ?? leaf;
    if (below.size === 0) fields[element] = nothing;
    else fields[element] = formatLevel(below, isMember ? { [self]: nothing } : {});
  }
  return fields;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
