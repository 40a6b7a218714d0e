import { createHash } from "node:crypto";
import type { NestedAPIServer } from "@rookery/api";
import type { Component } from "../names.ts";
import { desiredVersion } from "./channels.ts";

type ComponentSpec = Pick<
  NestedAPIServer["spec"],
  "version" | "channel" | "image" | "patches" | "resources" | "extraArgs"
> &
  Partial<Pick<NestedAPIServer["spec"], "serviceCidr">>;

/** The part of a spec that decides what the pods of a component run; how many is not in it. */
export interface Revision extends Omit<ComponentSpec, "version" | "channel"> {
  readonly version: string;
}

/** Throws a ComponentError where the spec names no version. */
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

/** Names a revision by its content, whatever the order of its keys. */
export function revisionName(revision: Revision): string {
  return contentHash(revision);
}

/** A short hash of JSON data that does not depend on the order of keys. */
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
