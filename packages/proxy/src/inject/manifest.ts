import { parseApiVersion } from "@rookery/kube";
import { type Fields, isFields } from "./update-at.ts";

/** The label of all changed objects, with the name of the instance. */
export const instanceLabel = "proxy.rookery.dev/instance";

/** A Kubernetes object in a file. */
export interface Manifest extends Fields {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMetadata;
}

interface ManifestMetadata extends Fields {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** False for lists of objects. */
export function isManifest(document: unknown): document is Manifest {
  if (!isFields(document)) return false;
  const { apiVersion, kind, metadata } = document;
  return typeof apiVersion === "string" && typeof kind === "string" && isFields(metadata);
}

export function groupOf(manifest: Manifest): string {
  return parseApiVersion(manifest.apiVersion).group;
}

/** The name or the generateName. */
export function nameOf({ metadata }: Manifest): string {
  return metadata.name ?? `${metadata.generateName ?? ""}`;
}

/** For messages: "ClusterRole rollouts", "Service team1/metrics". */
export function describe(manifest: Manifest): string {
  const { namespace } = manifest.metadata;
  return `${manifest.kind} ${namespace ? `${namespace}/` : ""}${nameOf(manifest)}`;
}
