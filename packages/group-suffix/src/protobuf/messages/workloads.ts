import { group, type KindTable, mapOf, nested, of } from "../message.ts";
import { objectMeta } from "./metadata.ts";

/** A TypedLocalObjectReference, or a TypedObjectReference. */
export const typedReference = nested({ 1: group });

/** A PersistentVolumeClaimSpec, with its dataSource and dataSourceRef. */
const claimSpec = nested({ 7: typedReference, 8: typedReference });
/** A claim template. */
const claim = nested({ 1: of(objectMeta), 2: claimSpec });

/** A PodSpec contains groups only in ephemeral claims. */
const volumeSource = nested({ 29: nested({ 1: nested({ 2: claimSpec }) }) });
const podSpec = nested({ 1: nested({ 2: volumeSource }) });
const podTemplate = nested({ 2: podSpec });

const deployment = { 2: nested({ 3: podTemplate }) };
const daemonSet = { 2: nested({ 2: podTemplate }) };
const jobSpec = nested({ 6: podTemplate });

const apps = {
  Deployment: deployment,
  ReplicaSet: deployment,
  DaemonSet: daemonSet,
  StatefulSet: { 2: nested({ 3: podTemplate, 4: claim }) },
};

export const workloads: KindTable = {
  "": {
    Pod: { 2: podSpec },
    PodTemplate: { 2: podTemplate },
    ReplicationController: deployment,
    PersistentVolumeClaim: { 2: claimSpec },
    // Object counts are named count/<plural>.<group>.
    ResourceQuota: {
      2: nested({ 1: mapOf("resourceName") }),
      3: nested({ 1: mapOf("resourceName"), 2: mapOf("resourceName") }),
    },
  },
  apps,
  extensions: apps,
  batch: {
    Job: { 2: jobSpec },
    CronJob: { 2: nested({ 5: nested({ 2: jobSpec }) }) },
  },
};
