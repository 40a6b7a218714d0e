import { parseApiVersion } from "@rookery/kube";
import { type Fields, isFields } from "./update-at.ts";

/** On every object that the rendering changed; its value is what the instance is called. */
export const instanceLabel = "proxy.rookery.dev/instance";

/** A Kubernetes object as it lies in a file. */
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

/** Whether a document is an object; a list of objects and anything else is not. */
export function isManifest(document: unknown): document is Manifest {
  if (!isFields(document)) return false;
  const { apiVersion, kind, metadata } = document;
  return typeof apiVersion === "string" && typeof kind === "string" && isFields(metadata);
}

export function groupOf(manifest: Manifest): string {
  return parseApiVersion(manifest.apiVersion).group;
}

/** The name, or what the server will make one from. */
export function nameOf({ metadata }: Manifest): string {
  return metadata.name ?? `${metadata.generateName ?? ""}`;
}

/** How messages name it: "ClusterRole rollouts", "Service team1/metrics". */
export function describe(manifest: Manifest): string {
  const { namespace } = manifest.metadata;
  return `${manifest.kind} ${namespace ? `${namespace}/` : ""}${nameOf(manifest)}`;
}
