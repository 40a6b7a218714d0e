import { isBeingDeleted } from "@rookery/runtime";
import { complete } from "../shared/kinds.ts";
import type { Pod, Revision, StatefulSet } from "../shared/objects.ts";
import { podOf } from "../shared/pod-control.ts";
import { isAvailable, isReady } from "../shared/pod-state.ts";
import { templateOf } from "../shared/revision-history.ts";
import { claimName } from "./claim-templates.ts";

const revisionLabel = "controller-revision-hash";
const nameLabel = "statefulset.kubernetes.io/pod-name";
const indexLabel = "apps.kubernetes.io/pod-index";

/** The number at the end of a pod's name; -1 where it is no pod of this set. */
export function ordinalOf({ metadata: { name = "" } }: Pod, set: StatefulSet): number {
  const [, parent, ordinal] = /^(.*)-([0-9]+)$/.exec(name) ?? [];
  const isOurs = parent === set.metadata.name && Number(ordinal) < 2 ** 31;
  return isOurs ? Number(ordinal) : -1;
}

export function startOrdinal({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

/** The place of a pod among those that shall be there; -1 where it is not among them. */
export function placeOf(pod: Pod, set: StatefulSet): number {
  const place = ordinalOf(pod, set) - startOrdinal(set);
  return place >= 0 && place < (set.spec.replicas ?? 1) ? place : -1;
}

export function podRevision({ metadata }: Pod): string {
  return metadata.labels?.[revisionLabel] ?? "";
}

/** Whether it is stored, and not only planned. */
export function isCreated({ status }: Pod): boolean {
  return status.phase !== undefined && status.phase !== "";
}

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status.phase === "Running" && isReady(pod);
}

export function isUnavailable(pod: Pod, set: StatefulSet, now: Date): boolean {
  return !isAvailable(pod, set.spec.minReadySeconds ?? 0, now) || isBeingDeleted(pod);
}

/** The pod of an ordinal as it shall be created, with the revision that it is the turn of. */
export function plannedPod(
  set: StatefulSet,
  ordinal: number,
  { current, update }: { readonly current: Revision; readonly update: Revision },
): Pod {
  const revision = isHeldBack(set, ordinal) ? current : update;
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podOf(set, templateOf(revision));
  const labels = {
    ...pod.metadata.labels,
    ...identityLabels(set, ordinal),
    [revisionLabel]: revision.metadata.name ?? "",
  };
  const { serviceName } = set.spec;
  const spec = { ...pod.spec, hostname: name, ...(serviceName && { subdomain: serviceName }) };
  return complete<Pod>({
    ...pod,
    metadata: { ...pod.metadata, name, labels },
    spec: withClaims(spec, set, ordinal),
  });
}

/** Whether an update has not come to this ordinal. */
function isHeldBack(set: StatefulSet, ordinal: number): boolean {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const place = ordinal - startOrdinal(set);
  if (rollingUpdate) return place < (rollingUpdate.partition ?? 0);
  return type === "RollingUpdate" && place < (set.status.currentReplicas ?? 0);
}

export function identityLabels(set: StatefulSet, ordinal: number) {
  return { [nameLabel]: `${set.metadata.name}-${ordinal}`, [indexLabel]: String(ordinal) };
}

export function hasIdentity({ metadata }: Pod): boolean {
  return metadata.labels?.[nameLabel] === metadata.name;
}

/** The claims of the set come first, and take the place of volumes of the same name. */
export function withClaims(spec: Pod["spec"], set: StatefulSet, ordinal: number): Pod["spec"] {
  const templates = set.spec.volumeClaimTemplates ?? [];
  if (templates.length === 0) return spec;
  const claims = templates.map((template) => ({
    name: template.metadata?.name ?? "",
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
  const names = new Set(claims.map(({ name }) => name));
  const others = (spec.volumes ?? []).filter(({ name = "" }) => !names.has(name));
  return { ...spec, volumes: [...claims, ...others] };
}

export function hasClaims(pod: Pod, set: StatefulSet, ordinal: number): boolean {
  return (set.spec.volumeClaimTemplates ?? []).every((template) =>
    (pod.spec.volumes ?? []).some(
      ({ name, persistentVolumeClaim }) =>
        name === template.metadata?.name &&
        persistentVolumeClaim?.claimName === claimName(set, template, ordinal),
    ),
  );
}
