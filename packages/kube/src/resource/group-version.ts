import { ParseError } from "../errors.ts";

/** The core group is "". */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** `resource` is the plural name. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupVersionKind extends GroupVersion, GroupKind {}

export interface GroupVersionResource extends GroupVersion, GroupResource {}

/** Reads an apiVersion: "apps/v1", or "v1" for the core group. Throws a ParseError. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  if (apiVersion === "" || apiVersion === "/") return { group: "", version: "" };
  const [first = "", second, ...rest] = apiVersion.split("/");
  if (rest.length > 0) {
    const reason = `unexpected GroupVersion string: ${apiVersion}`;
    throw new ParseError("apiVersion", apiVersion, reason);
  }
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

/** Writes an apiVersion: "apps/v1", or "v1" for the core group. */
export function formatApiVersion({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Throws a ParseError. */
export function groupVersionKindOf(object: {
  readonly apiVersion: string;
  readonly kind: string;
}): GroupVersionKind {
  return { ...parseApiVersion(object.apiVersion), kind: object.kind };
}

/** "Deployment.apps", as in Kubernetes' messages. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** "deployments.apps", which is also the name of a CustomResourceDefinition. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** "apps/v1, Kind=Deployment", as in Kubernetes' messages. */
export function formatGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** "apps/v1, Resource=deployments", as in Kubernetes' messages. */
export function formatGroupVersionResource(resource: GroupVersionResource): string {
  return `${resource.group}/${resource.version}, Resource=${resource.resource}`;
}

/** Reads "Deployment.apps"; without a dot the group is the core group. */
export function parseGroupKind(text: string): GroupKind {
  const [kind, group] = cut(text);
  return { group, kind };
}

/** Reads "deployments.apps"; without a dot the group is the core group. */
export function parseGroupResource(text: string): GroupResource {
  const [resource, group] = cut(text);
  return { group, resource };
}

function cut(text: string): [name: string, group: string] {
  const dot = text.indexOf(".");
  return dot < 0 ? [text, ""] : [text.slice(0, dot), text.slice(dot + 1)];
}
