import { groupOf, type Manifest } from "./manifest.ts";
import { type Fields, isFields, type Path, pathOf, updateAt, valuesAt } from "./update-at.ts";

/** What of a pod the rendering reads; other fields stay as they are. */
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

/** Where the template of a workload's pods is; of a Pod, where its own fields are. */
function templatePath(manifest: Manifest): Path | undefined {
  if (manifest.apiVersion === "v1" && manifest.kind === "Pod") return [];
  const path = templatePaths[`${groupOf(manifest)}/${manifest.kind}`];
  return path === undefined ? undefined : pathOf(path);
}

/** The pods that a manifest makes; undefined where it makes none. */
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

/** Changes every container, those that run first as well. */
export function updateContainers(
  spec: PodSpec,
  change: (container: Container) => Container,
): PodSpec {
  const each = (container: unknown) => change(container as Container);
  return updateAt(updateAt(spec, "initContainers[]", each), "containers[]", each);
}
