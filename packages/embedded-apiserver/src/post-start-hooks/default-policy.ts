import { randomUUID } from "node:crypto";
import { type Clock, formatTime, type KubeObject } from "@rookery/kube";
import { StaleError } from "../errors.ts";
import { writableForm } from "../registry/stored-form.ts";
import type { Store } from "../store/store.ts";

export interface DirectWriteOptions {
  readonly store: Store;
  readonly now: Clock;
}

type Fields = Readonly<Record<string, object>>;

/**
 * Writes the default roles and bindings of a new cluster directly to the store: the same objects as
 * through the API, in a tenth of the time. The start waits for 130 of them. Returns those that
 * exist already.
 */
export async function writeDefaultPolicy(
  objects: readonly KubeObject[],
  resource: { readonly plural: string; readonly group: string },
  { store, now }: DirectWriteOptions,
): Promise<readonly KubeObject[]> {
  const time = formatTime(now());
  const writes = objects.map(async (object) => {
    const { name = "", namespace = "" } = object.metadata;
    const key = { resource: `${resource.plural}.${resource.group}`, namespace, name };
    try {
      await store.write({ ...key, expected: 0, object: storedPolicy(object, time) });
      return [];
    } catch (error) {
      if (error instanceof StaleError) return [object];
      throw error;
    }
  });
  return (await Promise.all(writes)).flat();
}

function storedPolicy(object: KubeObject, time: string): KubeObject {
  const { apiVersion } = object;
  const managed = { manager: "kube-apiserver", operation: "Update", apiVersion, time } as const;
  const metadata = {
    ...object.metadata,
    uid: randomUUID(),
    creationTimestamp: time,
    managedFields: [{ ...managed, fieldsType: "FieldsV1", fieldsV1: fieldsOf(object) }],
  };
  return writableForm({ ...object, metadata });
}

/** Rules, subjects and roleRefs are atomic. */
function fieldsOf({ apiVersion: _, kind: __, metadata, ...content }: KubeObject): Fields {
  const { labels, annotations } = metadata;
  const own = {
    ...(annotations && { "f:annotations": ownedKeys(annotations) }),
    ...(labels && { "f:labels": ownedKeys(labels) }),
  };
  const whole = Object.entries(content).filter(([, value]) => value !== null);
  const fields: [string, object][] = whole.map(([name, value]) => [
    `f:${name}`,
    name === "aggregationRule" ? ownedKeys(value as object) : {},
  ]);
  return inOrder([...fields, ["f:metadata", own]]);
}

function ownedKeys(map: object): Fields {
  const keys = Object.keys(map).map((key): [string, object] => [`f:${key}`, {}]);
  return inOrder([[".", {}], ...keys]);
}

function inOrder(fields: readonly [string, object][]): Fields {
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
