import type { PersistentVolumeSpec } from "@rookery/api";

/** In the order in which Kubernetes looks at them. */
const names = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "flocker",
  "nfs",
  "rbd",
  "quobyte",
  "cephfs",
  "iscsi",
  "cinder",
  "fc",
  "flexVolume",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "scaleIO",
  "local",
  "storageos",
  "csi",
] as const;

export type SourceName = (typeof names)[number];

/** Which kinds of storage a volume says that it is. */
export function sourcesOf(spec: PersistentVolumeSpec): SourceName[] {
  return names.filter((name) => spec[name] !== undefined);
}

/** What of a spec says where its data lies. */
export function sourceOf(spec: PersistentVolumeSpec): Pick<PersistentVolumeSpec, SourceName> {
  return Object.fromEntries(sourcesOf(spec).map((name) => [name, spec[name]]));
}
