import { pausedAnnotation } from "@rookery/cluster-api";
import { formatGroupKind, type KubeObject } from "@rookery/kube";
import type { PlannedObject } from "../graph/move-plan.ts";
import { classKind, clusterKind, machineKind } from "../graph/moved-node.ts";
import { nameOf } from "../names.ts";

/** The status of a Cluster or a Machine, in v1beta2 and v1beta1. */
interface Provisioning {
  readonly initialization?: {
    readonly infrastructureProvisioned?: boolean;
    readonly controlPlaneInitialized?: boolean;
  };
  readonly infrastructureReady?: boolean;
  readonly controlPlaneReady?: boolean;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly nodeRef?: { readonly name?: string };
}

/** All reasons why the objects cannot be moved now. */
export function sourceProblems(objects: readonly PlannedObject[]): readonly string[] {
  return objects.flatMap((planned) => {
    const { object, stays } = planned;
    const problem = problemOf(planned);
    if (problem) return [`${nameOf(object)} ${problem}`];
    if (object.metadata.deletionTimestamp === undefined || stays !== undefined) return [];
    return [`${nameOf(object)} is being deleted; wait until it is gone`];
  });
}

function problemOf({ resource, object }: PlannedObject): string | undefined {
  const status = (object.status ?? {}) as Provisioning;
  const isPaused = isPausedObject(object);
  switch (formatGroupKind(resource)) {
    case clusterKind:
      return isPaused ? "is paused; unpause it first" : clusterProblem(object, status);
    case classKind:
      return isPaused ? "is paused; remove its annotation cluster.x-k8s.io/paused" : undefined;
    case machineKind:
      return status.nodeRef?.name ? undefined : "is still provisioning its node";
    default:
      return undefined;
  }
}

function clusterProblem(object: KubeObject, status: Provisioning): string | undefined {
  const { initialization = {} } = status;
  if (!(initialization.infrastructureProvisioned ?? status.infrastructureReady)) {
    return "is still provisioning its infrastructure";
  }
  const { controlPlaneRef } = (object.spec ?? {}) as { readonly controlPlaneRef?: object };
  const isInitialized = initialization.controlPlaneInitialized ?? status.controlPlaneReady;
  const isTrue = status.conditions?.some(
    ({ type, status: value }) => type === "ControlPlaneInitialized" && value === "True",
  );
  if (!isTrue || (controlPlaneRef && !isInitialized)) {
    return "has a control plane that is not initialized yet";
  }
  return undefined;
}

function isPausedObject({ metadata, spec }: KubeObject): boolean {
  const { paused } = (spec ?? {}) as { readonly paused?: boolean };
  return paused === true || metadata.annotations?.[pausedAnnotation] !== undefined;
}
