import type { FCVolumeSource, ISCSIVolumeSource, Volume } from "@rookery/api";
import { format, inRange, matches, requiredIf } from "../meta/checks.ts";
import {
  eachEntry,
  isEmpty,
  type Members,
  named,
  optional,
  required,
} from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { rangeProblem } from "../meta/formats.ts";
import type { Rules } from "../meta/rules.ts";
import { descendingPath } from "./paths.ts";

const lun = inRange(0, 255);
const partition = inRange(0, 255, rangeProblem(1, 255));
const secretRef = { name: required() };

const iqnFormats: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

const iqn = format((name) => {
  const known = iqnFormats[name.slice(0, 3)];
  if (known === undefined) return ["must be valid format starting with iqn, eui, or naa"];
  return known.test(name) ? [] : ["must be valid format"];
});

/** Go: validateISCSIVolumeSource. */
const iscsi: Rules<ISCSIVolumeSource> = [
  { targetPortal: required(), iqn: required(iqn), lun },
  requiredIf("secretRef", ({ chapAuthDiscovery, chapAuthSession, secretRef }) => {
    return (chapAuthDiscovery || chapAuthSession) === true && secretRef === undefined;
  }),
  { initiatorName: named("initiatorname", optional(iqn)) },
];

/** Go: validateFCVolumeSource. */
function fc({ targetWWNs, wwids, lun: own }: FCVolumeSource, field: Field): void {
  const [hasNames, hasIds] = [!isEmpty(targetWWNs), !isEmpty(wwids)];
  const at = field.child("targetWWNs");
  if (!hasNames && !hasIds) at.required("must specify either targetWWNs or wwids, but not both");
  if (hasNames && hasIds) {
    at.invalid(targetWWNs, "targetWWNs and wwids can not be specified simultaneously");
  }
  if (!hasNames) return;
  if (own === undefined) field.child("lun").required("lun is required if targetWWNs is specified");
  else lun(own, field.child("lun"));
}

const flexOption = matches((key) => {
  const [domain = ""] = key.split("/");
  return !/(^|\.)(kubernetes|k8s)\.io$/.test(domain.toLowerCase());
}, "kubernetes.io and k8s.io namespaces are reserved");

/**
 * In-tree sources of pods and PersistentVolumes. Flocker, Photon, Quobyte and StorageOS, which no kubelet
 * mounts any more, are members of the unions without rules; Azure disks only have required fields.
 */
export const legacySources = {
  gitRepo: { repository: required(), directory: descendingPath },
  gcePersistentDisk: { pdName: required(), partition },
  awsElasticBlockStore: { volumeID: required(), partition },
  glusterfs: { endpoints: required(), path: required() },
  persistentVolumeClaim: { claimName: required() },
  rbd: { monitors: required(), image: required() },
  iscsi,
  cinder: { volumeID: required(), secretRef },
  cephfs: { monitors: required() },
  fc,
  flexVolume: { driver: required(), options: eachEntry({ keys: flexOption }) },
  azureFile: { secretName: required(), shareName: required() },
  vsphereVolume: { volumePath: required() },
  portworxVolume: { volumeID: required() },
  azureDisk: { diskName: required(), diskURI: required() },
  scaleIO: { gateway: required(), system: required(), volumeName: required() },
} satisfies Members<Volume>;
