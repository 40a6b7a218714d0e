import type {
  CSIVolumeSource,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  Volume,
} from "@rookery/api";
import { validateDns1123Subdomain } from "@rookery/kube";
import {
  dns1123Label,
  dns1123Subdomain,
  format,
  matches,
  maxBytes,
  oneOf,
} from "../meta/checks.ts";
import { each, firstOf, oneMember, optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { quantity } from "../meta/quantities.ts";
import { type Rules, ruleOf } from "../meta/rules.ts";
import { claimTemplate } from "./claim-spec.ts";
import { downwardFile } from "./downward-api.ts";
import { legacySources } from "./legacy-sources.ts";
import { fileMode, noBacksteps } from "./paths.ts";
import { keyToPath, projectedVolume } from "./projected-volume.ts";

const volumeName = required(dns1123Label);

/** Go: ValidateVolumes. Returns the valid volumes by name. `podName` is "" in a template. */
export function checkVolumes(
  volumes: readonly Volume[],
  podName: string,
  field: Field,
): ReadonlyMap<string, Volume> {
  const valid = new Map<string, Volume>();
  const created = createdClaims(volumes, podName);
  volumes.forEach((volume, i) => {
    const { name = "", persistentVolumeClaim: claim } = volume;
    const at = field.index(i);
    const before = field.errorCount;
    volumeSource(volume, at);
    volumeName(name, at.child("name"));
    if (valid.has(name)) at.child("name").duplicate(name);
    if (field.errorCount === before) valid.set(name, volume);
    foreignClaim(claim?.claimName ?? "", created, at.child("persistentVolumeClaim", "claimName"));
  });
  return valid;
}

/** The names of the claims that ephemeral volumes of the pod create. */
function createdClaims(volumes: readonly Volume[], podName: string): ReadonlySet<string> {
  const ephemeral = volumes.filter((volume) => volume.ephemeral !== undefined);
  return new Set(podName === "" ? [] : ephemeral.map(({ name }) => `${podName}-${name}`));
}

function foreignClaim(name: string, created: ReadonlySet<string>, field: Field): void {
  if (!created.has(name)) return;
  field.invalid(name, "must not reference a PVC that gets created for an ephemeral volume");
}

const emptyDir: Rules<EmptyDirVolumeSource> = {
  sizeLimit: optional((limit, field) => {
    if (quantity(limit).sign >= 0) return;
    field.forbidden("SizeLimit field must be a valid resource quantity");
  }),
};

/** Go: validateHostPathVolumeSource. */
export const hostPath: Rules<HostPathVolumeSource> = firstOf<HostPathVolumeSource>(
  { path: required() },
  {
    path: noBacksteps,
    type: oneOf(
      "",
      "BlockDevice",
      "CharDevice",
      "Directory",
      "DirectoryOrCreate",
      "File",
      "FileOrCreate",
      "Socket",
    ),
  },
);

/** Go: validateNFSVolumeSource. */
export const nfs: Rules<NFSVolumeSource> = {
  server: required(),
  path: [required(), matches((path) => path.startsWith("/"), "must be an absolute path")],
};

const file = ruleOf<DownwardAPIVolumeFile>(downwardFile);

/** Kubernetes reports errors of files at the volume. */
const downwardApi: Rules<DownwardAPIVolumeSource> = [
  { defaultMode: fileMode },
  ({ items = [] }, field) => {
    for (const item of items) file(item, field);
  },
];

/** The name of a CSI driver, here and in a PersistentVolume. */
export const csiDriver: Rules<string | undefined> = [
  required(),
  maxBytes(63),
  format((name) => validateDns1123Subdomain(name.toLowerCase())),
];

/** An invalid name is reported beside the reference. */
const csi: Rules<CSIVolumeSource> = [
  { driver: csiDriver },
  ({ nodePublishSecretRef: secret }, field) => {
    if (secret === undefined) return;
    if (!secret.name) field.child("nodePublishSecretRef", "name").required();
    else dns1123Subdomain(secret.name, field.child("name"));
  },
];

/** Go: validateVolumeSource. */
const volumeSource = oneMember<Volume>(
  {
    emptyDir,
    hostPath,
    gitRepo: legacySources.gitRepo,
    gcePersistentDisk: legacySources.gcePersistentDisk,
    awsElasticBlockStore: legacySources.awsElasticBlockStore,
    secret: { secretName: required(), defaultMode: fileMode, items: each(keyToPath) },
    nfs,
    iscsi: legacySources.iscsi,
    glusterfs: legacySources.glusterfs,
    flocker: [],
    persistentVolumeClaim: legacySources.persistentVolumeClaim,
    rbd: legacySources.rbd,
    cinder: legacySources.cinder,
    cephfs: legacySources.cephfs,
    quobyte: [],
    downwardAPI: downwardApi,
    fc: legacySources.fc,
    flexVolume: legacySources.flexVolume,
    configMap: { name: required(), defaultMode: fileMode, items: each(keyToPath) },
    azureFile: legacySources.azureFile,
    vsphereVolume: legacySources.vsphereVolume,
    photonPersistentDisk: [],
    portworxVolume: legacySources.portworxVolume,
    azureDisk: legacySources.azureDisk,
    storageos: [],
    projected: projectedVolume,
    scaleIO: legacySources.scaleIO,
    csi,
    ephemeral: { volumeClaimTemplate: required(claimTemplate) },
    image: [],
  },
  {
    none: "must specify a volume type",
    many: "may not specify more than 1 volume type",
    names: { gcePersistentDisk: "persistentDisk" },
    surplusNames: { cephfs: "cephFS", downwardAPI: "downwarAPI" },
  },
);
