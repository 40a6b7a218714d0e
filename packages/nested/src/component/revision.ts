import { createHash } from "node:crypto";
import type { NestedAPIServer } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import type { Place } from "../manifests/deployment.ts";
import type { Companions } from "../manifests/pod-template.ts";
import type { Component } from "../names.ts";
import { desiredVersion } from "./channels.ts";

type ComponentSpec = Pick<
  NestedAPIServer["spec"],
  "version" | "channel" | "image" | "patches" | "resources" | "extraArgs"
> &
  Partial<Pick<NestedAPIServer["spec"], "serviceCidr">>;

/** The part of a spec that decides on the content of the pods, but not on their number. */
export interface Revision extends Omit<ComponentSpec, "version" | "channel"> {
  readonly version: string;
}

/** The inputs of the objects of every component. */
export interface RenderOptions extends Place {
  readonly revision: Revision;
  readonly image: string;
  readonly replicas: number;
  readonly inputs: string;
  readonly companions?: Companions;
}

/** Throws a ComponentError if the spec has an unknown channel. */
export function revisionOf(component: Component, spec: ComponentSpec): Revision {
  const { image, patches, resources, extraArgs, serviceCidr } = spec;
  return {
    version: desiredVersion(component, spec),
    ...(image !== undefined && { image }),
    ...(patches !== undefined && { patches }),
    ...(resources !== undefined && { resources }),
    ...(extraArgs !== undefined && { extraArgs }),
    ...(serviceCidr !== undefined && { serviceCidr }),
  };
}

/** The name of a revision: a hash of its content. */
export function revisionName(revision: Revision): string {
  return contentHash(revision);
}

/** A short hash of JSON data, independent of the order of keys. */
export function contentHash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("hex")
    .slice(0, 16);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}

/** The name of the revision in a workload. */
const revisionAnnotation = "nested.rookery.dev/revision";
/** The last revision that became ready, as JSON, for a roll-back. */
const lastGoodAnnotation = "nested.rookery.dev/last-good";

/** The annotations with the revisions of a workload. */
export function revisionAnnotations(
  revision: Revision,
  lastGood: Revision | undefined,
): Record<string, string> {
  return {
    [revisionAnnotation]: revisionName(revision),
    ...(lastGood && { [lastGoodAnnotation]: JSON.stringify(lastGood) }),
  };
}

export function runningRevisionName({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[revisionAnnotation];
}

export function lastGoodRevision({ metadata }: KubeObject): Revision | undefined {
  return parsedOr(undefined, metadata.annotations?.[lastGoodAnnotation]);
}

/** Parses stored JSON. The fallback is used without a text, and if others have damaged the text. */
export function parsedOr<T>(fallback: T, text: string | undefined): T {
  try {
    return text === undefined ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

export function withAnnotations<T extends KubeObject>(
  object: T,
  annotations: Readonly<Record<string, string>>,
): T {
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
  };
}
