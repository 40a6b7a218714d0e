import type { ManagedFieldsEntry } from "@rookery/kube";
import { quote } from "@rookery/kube";
import type { FieldSet } from "./field-set.ts";
import { formatFieldsV1, parseFieldsV1 } from "./fields-v1.ts";

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
