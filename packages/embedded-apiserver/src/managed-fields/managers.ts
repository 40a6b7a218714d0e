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
import { type PathElement, parseElement } from "./path-element.ts";

/** Who wrote, how, and through which subresource; the version too, of what was not applied. */
export type ManagerId = string;

/** What a manager owns. */
export interface ManagedSet {
  readonly fields: FieldSet;
  /** The version in which the fields are named. */
  readonly apiVersion: string;
  readonly isApplied: boolean;
}

/** Who owns which fields of an object, and since when. Changed by those who were given it. */
export interface Managed {
  readonly sets: Map<ManagerId, ManagedSet>;
  readonly times: Map<ManagerId, string | undefined>;
}

export function noManagers(): Managed {
  return { sets: new Map(), times: new Map() };
}

type Identity = Pick<ManagedFieldsEntry, "manager" | "operation" | "apiVersion" | "subresource">;

/** As Kubernetes builds it: its texts are compared to break ties. */
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

/** Reads metadata.managedFields. Throws a SyntaxError where an entry can't be read. */
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

/** Writes metadata.managedFields: undefined where nobody owns anything. */
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

export function compareTexts(a = "", b = ""): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether entries ask to forget who owns what: none at all, or a single one that says nothing. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined) return false;
  const [only] = entries;
  if (only === undefined) return true;
  return entries.length === 1 && Object.values(only).every((value) => value === "" || !value);
}

type Json = Readonly<Record<string, unknown>>;

/** What stands for the field itself, beside what is below it. */
const self = ".";

/**
 * Reads `fieldsV1` of an entry. Types of elements that nobody knows are ignored. Throws a
 * SyntaxError where it can't be read.
 */
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

/** Shared by all: most fields have nothing below them. */
const nothing: Json = Object.freeze({});

/** Writes a set as `fieldsV1`, in kube-apiserver's order. */
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
