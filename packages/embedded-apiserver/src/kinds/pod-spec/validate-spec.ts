import type { PodSpec, PodTemplateSpec } from "@rookery/api";
import { FieldError, type ObjectMeta } from "@rookery/kube";
import {
  annotations,
  dns1123Label,
  dns1123Subdomain,
  forbidden,
  inRange,
  labels,
  oneOf,
  qualifiedName,
} from "../meta/checks.ts";
import { each, optional, required, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { resourceRequirements } from "../meta/resource-requirements.ts";
import { type Rules, ruleOf } from "../meta/rules.ts";
import { affinity } from "./affinity.ts";
import type { PodScope } from "./containers.ts";
import { containers, ephemeralContainers, initContainers } from "./containers.ts";
import { dnsConfig, hostAliases, hostNetworkPorts, hostUsers } from "./host-rules.ts";
import { mirrorAnnotation, podAnnotations, profilesAgree } from "./pod-annotations.ts";
import { claimNames, podResources, resourceClaims } from "./pod-resources.ts";
import { schedulingGates, tolerations, topologySpread } from "./scheduling.ts";
import { podSecurityContext } from "./security-context.ts";
import { checkVolumes } from "./volume-sources.ts";
import { hostProcess, operatingSystem } from "./windows-options.ts";

/** Go: ValidatePodTemplateSpec. Kubernetes reports labels and annotations without "metadata". */
export const podTemplate = optional<PodTemplateSpec>([
  ({ metadata = {}, spec = {} }, field) => {
    labels(metadata.labels, field.child("labels"));
    annotations(metadata.annotations, field.child("annotations"));
    podAnnotations(metadata.annotations ?? {}, spec, field.child("annotations"));
    podSpec(spec, undefined, field.child("spec"));
    profilesAgree(metadata.annotations ?? {}, spec, field.child("spec"));
  },
  {
    spec: {
      ephemeralContainers: forbidden("ephemeral containers not allowed in pod template"),
    },
  },
]);

const optionalName = unlessEmpty(dns1123Subdomain);
const requirements = resourceRequirements();

const placement: Rules<PodSpec> = [
  {
    restartPolicy: required(oneOf("Always", "OnFailure", "Never")),
    dnsPolicy: required(oneOf("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")),
    nodeSelector: labels,
  },
  (spec, field) => {
    podSecurityContext(spec.securityContext, field.child("securityContext").withScope(spec));
  },
  { affinity },
  dnsConfig,
  {
    readinessGates: each({ conditionType: qualifiedName }),
    schedulingGates,
    topologySpreadConstraints: topologySpread,
  },
  hostProcess,
  hostUsers,
];

const rest: Rules<PodSpec> = [
  {
    serviceAccountName: optionalName,
    nodeName: optionalName,
    activeDeadlineSeconds: optional(inRange(1, 2 ** 31 - 1)),
    hostname: unlessEmpty(dns1123Label),
    subdomain: unlessEmpty(dns1123Label),
    tolerations,
    hostAliases,
    priorityClassName: optionalName,
    runtimeClassName: optional(dns1123Subdomain),
    preemptionPolicy: optional(required(oneOf("PreemptLowerPriority", "Never"))),
    overhead: optional((overhead, field) => {
      requirements({ limits: overhead }, field.withScope({ claims: [] }));
    }),
  },
  operatingSystem,
];

const afterContainers = ruleOf<PodSpec>([placement, rest]);

/** Go: ValidatePodSpec. `metadata` is that of the pod; a template has none. */
export function podSpec(spec: PodSpec, metadata: ObjectMeta | undefined, field: Field): void {
  if (spec.terminationGracePeriodSeconds === undefined) {
    field.child("terminationGracePeriodSeconds").required();
  }
  const volumes = checkVolumes(spec.volumes ?? [], metadata?.name ?? "", field.child("volumes"));
  const scope = podScope(spec, volumes);
  podResourceClaims(spec, metadata, field.child("resourceClaims"));
  containers(spec.containers, field.child("containers").withScope(scope));
  initContainers(spec.initContainers, field.child("initContainers").withScope(scope));
  ephemeralContainers(
    spec.ephemeralContainers,
    field.child("ephemeralContainers").withScope(scope),
  );
  podResources(spec, field.child("resources"));
  hostNetworkPorts(spec, metadata !== undefined, field);
  afterContainers(spec, field);
}

function podScope(spec: PodSpec, volumes: PodScope["volumes"]): PodScope {
  const { containers = [], initContainers = [] } = spec;
  const containerNames = new Set(containers.map(({ name = "" }) => name));
  const initNames = initContainers.map(({ name = "" }) => name);
  return {
    volumes,
    claims: claimNames(spec),
    containerNames,
    otherNames: new Set([...containerNames, ...initNames]),
    restartPolicy: spec.restartPolicy ?? "",
    hostUsers: spec.hostUsers !== false,
    gracePeriod: spec.terminationGracePeriodSeconds,
  };
}

/** The errors of the claims of a static pod have no field. */
function podResourceClaims(spec: PodSpec, metadata: ObjectMeta | undefined, field: Field): void {
  const isMirror = metadata?.annotations?.[mirrorAnnotation] !== undefined;
  if (!isMirror) resourceClaims(spec.resourceClaims, field);
  for (const _ of isMirror ? (spec.resourceClaims ?? []) : []) {
    field.report([FieldError.forbidden("[]", "static pods do not support resource claims")]);
  }
}
