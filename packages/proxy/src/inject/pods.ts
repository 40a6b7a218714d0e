import { groupOf, type Manifest } from "./manifest.ts";
import { type Fields, isFields, type Path, pathOf, updateAt, valuesAt } from "./update-at.ts";

/** The fields of a pod that rendering reads. */
export interface PodSpec extends Fields {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly hostNetwork?: boolean;
  readonly securityContext?: { readonly runAsUser?: number };
}

export interface Container extends Fields {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly ports?: readonly ContainerPort[];
  readonly volumeMounts?: readonly VolumeMount[];
}

interface EnvVar extends Fields {
  readonly name: string;
  readonly value?: string;
}

interface ContainerPort extends Fields {
  readonly name?: string;
  readonly containerPort: number;
}

export interface VolumeMount extends Fields {
  readonly name: string;
  readonly mountPath: string;
}

export interface Volume extends Fields {
  readonly name: string;
  readonly secret?: { readonly secretName?: string };
}

const templatePaths: Readonly<Record<string, string>> = {
  "apps/Deployment": "spec.template",
  "apps/StatefulSet": "spec.template",
  "apps/DaemonSet": "spec.template",
  "apps/ReplicaSet": "spec.template",
  "batch/Job": "spec.template",
  "batch/CronJob": "spec.jobTemplate.spec.template",
};

/** The path of the pod template of a workload; [] for a Pod. */
function templatePath(manifest: Manifest): Path | undefined {
  if (manifest.apiVersion === "v1" && manifest.kind === "Pod") return [];
  const path = templatePaths[`${groupOf(manifest)}/${manifest.kind}`];
  return path === undefined ? undefined : pathOf(path);
}

/** Undefined for manifests without pods. */
export function podSpecOf(manifest: Manifest): PodSpec | undefined {
  const path = templatePath(manifest);
  const [spec] = path ? valuesAt(manifest, [...path, "spec"]) : [];
  return isFields(spec) ? (spec as PodSpec) : undefined;
}

export function podLabelsOf(manifest: Manifest): Fields {
  const path = templatePath(manifest);
  const [labels] = path ? valuesAt(manifest, [...path, "metadata", "labels"]) : [];
  return isFields(labels) ? labels : {};
}

export function updatePodSpec(manifest: Manifest, change: (spec: PodSpec) => PodSpec): Manifest {
  const path = templatePath(manifest);
  if (!path) return manifest;
  return updateAt(manifest, [...path, "spec"], (spec) =>
    isFields(spec) ? change(spec as PodSpec) : spec,
  );
}

export function containersOf(spec: PodSpec): readonly Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
}

/** Includes init containers. */
export function updateContainers(
  spec: PodSpec,
  change: (container: Container) => Container,
): PodSpec {
  const each = (container: unknown) => change(container as Container);
  return updateAt(updateAt(spec, "initContainers[]", each), "containers[]", each);
}
