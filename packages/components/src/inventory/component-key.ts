import { parseApiVersion } from "@rookery/kube";
import type { Component } from "../documents/documents.ts";

/** Which object a component is. Its version is how to reach it, and no part of what it is. */
export interface ComponentKey {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absent for what is cluster-wide. */
  readonly namespace?: string;
  readonly name: string;
}

export function componentKeyOf({ apiVersion, kind, metadata }: Component): ComponentKey {
  const { group, version } = parseApiVersion(apiVersion);
  const { namespace, name = "" } = metadata;
  return { group, version, kind, ...(namespace && { namespace }), name };
}

/** Equal for the same object, also in another version of its kind. */
export function formatComponentKey({ group, kind, namespace = "", name }: ComponentKey): string {
  return `${kind}.${group}/${namespace}/${name}`;
}
