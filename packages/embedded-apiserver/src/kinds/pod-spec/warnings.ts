import type {
  Container,
  EphemeralContainer,
  LabelSelector,
  PodAffinity,
  PodSpec,
  PodTemplateSpec,
  Volume,
} from "@rookery/api";
import { type ObjectMeta, quote, validateDns1123Label } from "@rookery/kube";
import { each, eachEntry, optional, struct } from "../meta/combinators.ts";
import {
  deprecatedAnnotations,
  deprecatedNodeLabel,
  namedNodeLabel,
} from "../meta/deprecations.ts";
import type { Field } from "../meta/field.ts";
import { ipWarnings } from "../meta/ip.ts";
import { wholeBytes } from "../meta/quantities.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";
import { pathWarnings } from "./path-warnings.ts";
import { portWarnings } from "./port-warnings.ts";

const annotations = deprecatedAnnotations({
  "scheduler.alpha.kubernetes.io/critical-pod":
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls":
    'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls":
    'non-functional in v1.11+; use the "sysctls" field instead',
});

/** The fields of deprecated volumes, and the names of the fields in warnings. */
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

const volume: Rule<Volume> = (own, field) => {
  for (const [name, shown, since] of deprecatedVolumes) {
    if (own[name] !== undefined) field.child(shown).warn(`deprecated in ${since}`);
  }
};

const labelSelector: Rule<LabelSelector | undefined> = (selector, field) => {
  if (selector === undefined) field.warn("a null labelSelector results in matching no pod");
};

function repeated(noun: string): Rule<string | undefined> {
  return (value = "", field) => {
    if (field.isRepeated(value)) field.warn(`duplicate ${noun} ${quote(value)}`);
  };
}

const emptyName: Rule<string | undefined> = (name = "", field) => {
  if (name === "") field.warn('invalid empty name ""');
};

const byteAmounts = wholeBytes("memory", "ephemeral-storage");

/** A repeated variable whose value extends the earlier one is intended. */
const variables: Rules<Container["env"]> = each((variable, field) => {
  const { name = "", value = "", valueFrom } = variable;
  const reference = `$(${name})`;
  const isExtended = value !== reference && value.includes(reference);
  if (!field.isRepeated(name) || (valueFrom === undefined && isExtended)) return;
  field.warn(`hides previous definition of ${quote(name)}, which may be dropped when using apply`);
});

const containers = each<Container | EphemeralContainer>({
  resources: { limits: byteAmounts, requests: byteAmounts },
  env: variables,
});

const gracePeriod: Rule<number | undefined> = (seconds = 0, field) => {
  if (seconds >= 0) return;
  field.warn("must be >= 0; negative values are invalid and will be treated as 1");
};

const podAffinity: Rules<PodAffinity | undefined> = {
  requiredDuringSchedulingIgnoredDuringExecution: each({ labelSelector }),
  preferredDuringSchedulingIgnoredDuringExecution: each({
    podAffinityTerm: struct({ labelSelector }),
  }),
};

const spec: Rules<PodSpec | undefined> = [
  {
    overhead: byteAmounts,
    initContainers: containers,
    containers,
    ephemeralContainers: containers,
  },
  optional(portWarnings),
  {
    terminationGracePeriodSeconds: gracePeriod,
    affinity: { podAffinity, podAntiAffinity: podAffinity },
    dnsConfig: { nameservers: each(ipWarnings) },
    hostAliases: each({ ip: ipWarnings }),
  },
];

/** The warnings about a valid template. */
export const podTemplateWarnings = ruleOf<PodTemplateSpec | undefined>([
  {
    spec: {
      nodeSelector: eachEntry({ keys: deprecatedNodeLabel }),
      topologySpreadConstraints: each({ topologyKey: namedNodeLabel, labelSelector }),
    },
    metadata: { annotations },
  },
  {
    spec: [
      { volumes: [each(volume), pathWarnings] },
      {
        hostAliases: each({ ip: repeated("ip") }),
        imagePullSecrets: [each({ name: repeated("name") }), each({ name: emptyName })],
      },
      spec,
    ],
  },
]);

interface Named {
  readonly metadata?: ObjectMeta;
}

/** Warns about a new object whose name cannot be used as a hostname. */
export function hostnameWarning(use: string): Rule<Named> {
  return ({ metadata }: Named, field: Field) => {
    const problems = validateDns1123Label(metadata?.name ?? "");
    if (field.old !== undefined || problems.length === 0) return;
    const advice = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`;
    field.child("metadata", "name").warn(`${advice}: [${problems.join(" ")}]`);
  };
}

/** The same for the kinds that create pods. */
export const podNameWarning = hostnameWarning("Pod names and hostnames");
