import type {
  Container,
  EphemeralContainer,
  PodAffinity,
  PodSpec,
  PodTemplateSpec,
  Volume,
} from "@rookery/api";
import {
  type FieldPath,
  type ObjectMeta,
  FieldPath as Path,
  quote,
  repeatedPlaces,
} from "@rookery/kube";
import { ipWarnings } from "../meta/ip.ts";
import { deprecatedNodeLabel } from "../meta/node-labels.ts";
import { quantity } from "../meta/quantities.ts";
import { overlapWarnings } from "./path-warnings.ts";
import { portWarnings } from "./port-warnings.ts";

const containerLists = ["initContainers", "containers", "ephemeralContainers"] as const;

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod":
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls":
    'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls":
    'non-functional in v1.11+; use the "sysctls" field instead',
};

/** By the field of a volume; the second is how Kubernetes names it. */
const deprecatedVolumes: readonly (readonly [keyof Volume, string, string])[] = [
  ["photonPersistentDisk", "photonPersistentDisk", "v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo", "v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "scaleIO", "v1.16, non-functional in v1.22+"],
  ["flocker", "flocker", "v1.22, non-functional in v1.25+"],
  ["storageos", "storageOS", "v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte", "v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "v1.25, non-functional in v1.26+"],
  ["cephfs", "cephfs", "v1.28, non-functional in v1.31+"],
  ["rbd", "rbd", "v1.28, non-functional in v1.31+"],
];

/** What clients are told of a template that is valid; `path` is where it lies. */
export function podTemplateWarnings(
  { metadata = {}, spec = {} }: PodTemplateSpec,
  path: FieldPath = Path.root,
): string[] {
  const at = path.child("spec");
  return [
    ...labelWarnings(spec, at),
    ...annotationWarnings(metadata, path.child("metadata", "annotations")),
    ...volumeWarnings(spec, at.child("volumes")),
    ...overlapWarnings(spec.volumes ?? []),
    ...duplicateWarnings(spec, at),
    ...amountWarnings(spec.overhead, at.child("overhead")),
    ...visitContainers(spec, at).flatMap(({ container, path: own }) =>
      containerWarnings(container, own),
    ),
    ...portWarnings(visitContainers(spec, at)),
    ...lateWarnings(spec, at),
  ];
}

export interface PlacedContainer {
  readonly container: Container | EphemeralContainer;
  readonly path: FieldPath;
}

function visitContainers(spec: PodSpec, path: FieldPath): PlacedContainer[] {
  return containerLists.flatMap((list) =>
    (spec[list] ?? []).map((container, i) => ({ container, path: path.child(list).index(i) })),
  );
}

function labelWarnings(spec: PodSpec, path: FieldPath): string[] {
  const nodeSelector = path.child("nodeSelector");
  const spread = path.child("topologySpreadConstraints");
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap((key) => {
      const message = deprecatedNodeLabel(key);
      return message === undefined ? [] : [`${nodeSelector.key(key)}: ${message}`];
    }),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey = "", labelSelector }, i) => {
      const message = deprecatedNodeLabel(topologyKey);
      const at = spread.index(i);
      return [
        ...(message === undefined
          ? []
          : [`${at.child("topologyKey")}: ${topologyKey} is ${message}`]),
        ...nullSelector(labelSelector, at.child("labelSelector")),
      ];
    }),
  ];
}

function nullSelector(selector: object | undefined, path: FieldPath): string[] {
  return selector === undefined ? [`${path}: a null labelSelector results in matching no pod`] : [];
}

function annotationWarnings({ annotations = {} }: ObjectMeta, path: FieldPath): string[] {
  return Object.entries(deprecatedAnnotations)
    .filter(([key]) => annotations[key] !== undefined)
    .map(([key, message]) => `${path.key(key)}: ${message}`);
}

function volumeWarnings({ volumes = [] }: PodSpec, path: FieldPath): string[] {
  return volumes.flatMap((volume, i) =>
    deprecatedVolumes
      .filter(([field]) => volume[field] !== undefined)
      .map(([, name, since]) => `${path.index(i).child(name)}: deprecated in ${since}`),
  );
}

function duplicateWarnings(spec: PodSpec, path: FieldPath): string[] {
  const aliases = (spec.hostAliases ?? []).map(({ ip = "" }) => ip);
  const secrets = (spec.imagePullSecrets ?? []).map(({ name = "" }) => name);
  const at = path.child("imagePullSecrets");
  return [
    ...repeated(aliases).map(
      ([i, ip]) => `${path.child("hostAliases").index(i).child("ip")}: duplicate ip ${quote(ip)}`,
    ),
    ...repeated(secrets).map(
      ([i, name]) => `${at.index(i).child("name")}: duplicate name ${quote(name)}`,
    ),
    ...secrets.flatMap((name, i) =>
      name === "" ? [`${at.index(i).child("name")}: invalid empty name ""`] : [],
    ),
  ];
}

/** Items that stand further ahead too, with their places. */
function repeated(items: readonly string[]): (readonly [number, string])[] {
  const places = repeatedPlaces(items);
  return items.map((item, i) => [i, item] as const).filter(([i]) => places.has(i));
}

function amountWarnings(
  list: Readonly<Record<string, string | number>> | undefined,
  path: FieldPath,
): string[] {
  return ["memory", "ephemeral-storage"].flatMap((name) => {
    const amount = list?.[name] === undefined ? undefined : quantity(list[name]);
    if (amount === undefined || amount.milliValue() % 1000n === 0n) return [];
    const text = quote(String(amount));
    return [`${path.key(name)}: fractional byte value ${text} is invalid, must be an integer`];
  });
}

function containerWarnings({ resources, env = [] }: Container, path: FieldPath): string[] {
  const limits = amountWarnings(resources?.limits, path.child("resources", "limits"));
  const requests = amountWarnings(resources?.requests, path.child("resources", "requests"));
  const names = env.map(({ name = "" }) => name);
  return [
    ...limits,
    ...requests,
    ...repeated(names).flatMap(([i, name]) => {
      const { value = "", valueFrom } = env[i] ?? {};
      const reference = `$(${name})`;
      const extendsIt = value !== reference && value.includes(reference);
      if (valueFrom === undefined && extendsIt) return [];
      const at = path.child("env").index(i);
      return [
        `${at}: hides previous definition of ${quote(name)}, which may be dropped when using apply`,
      ];
    }),
  ];
}

function lateWarnings(spec: PodSpec, path: FieldPath): string[] {
  const { terminationGracePeriodSeconds: grace = 0, affinity, dnsConfig } = spec;
  const negative = "must be >= 0; negative values are invalid and will be treated as 1";
  const servers = dnsConfig?.nameservers ?? [];
  return [
    ...(grace < 0 ? [`${path.child("terminationGracePeriodSeconds")}: ${negative}`] : []),
    ...affinityWarnings(affinity?.podAffinity, path.child("affinity", "podAffinity")),
    ...affinityWarnings(affinity?.podAntiAffinity, path.child("affinity", "podAntiAffinity")),
    ...servers.flatMap((ip, i) => ipWarnings(ip, path.child("dnsConfig", "nameservers").index(i))),
    ...(spec.hostAliases ?? []).flatMap(({ ip = "" }, i) =>
      ipWarnings(ip, path.child("hostAliases").index(i).child("ip")),
    ),
  ];
}

function affinityWarnings(affinity: PodAffinity | undefined, path: FieldPath): string[] {
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const first = path.child("requiredDuringSchedulingIgnoredDuringExecution");
  const second = path.child("preferredDuringSchedulingIgnoredDuringExecution");
  return [
    ...required.flatMap(({ labelSelector }, i) =>
      nullSelector(labelSelector, first.index(i).child("labelSelector")),
    ),
    ...preferred.flatMap(({ podAffinityTerm }, i) =>
      nullSelector(
        podAffinityTerm?.labelSelector,
        second.index(i).child("podAffinityTerm", "labelSelector"),
      ),
    ),
  ];
}
