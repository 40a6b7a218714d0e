import type { PodSpec } from "@rookery/api";
import type { ObjectMeta } from "@rookery/kube";
import {
  FieldError,
  type FieldPath,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabels,
} from "@rookery/kube";
import { invalidEach, validateChoice, validateLabelName } from "../meta/field-rules.ts";
import { validateRange } from "../meta/formats.ts";
import { validateResourceRequirements } from "../meta/resource-requirements.ts";
import { validateAffinity } from "./affinity.ts";
import type { PodScope } from "./container.ts";
import {
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from "./containers.ts";
import {
  validateDnsConfig,
  validateHostAliases,
  validateHostNetwork,
  validateHostUsers,
} from "./host-rules.ts";
import { validateOperatingSystem } from "./operating-system.ts";
import { validatePodResources } from "./pod-resources.ts";
import { claimNames, validateResourceClaims } from "./resource-claims.ts";
import {
  validateSchedulingGates,
  validateTolerations,
  validateTopologySpread,
} from "./scheduling.ts";
import { validatePodSecurityContext } from "./security-context.ts";
import { checkVolumes } from "./volumes.ts";
import { validateHostProcess } from "./windows-options.ts";

const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const preemptionPolicies = ["PreemptLowerPriority", "Never"];
const maxInt32 = 2 ** 31 - 1;

/** Go: ValidatePodSpec. `metadata` is that of the pod; a template has none. */
export function validatePodSpec(
  spec: PodSpec,
  metadata: ObjectMeta | undefined,
  path: FieldPath,
): FieldError[] {
  const volumes = checkVolumes(spec.volumes ?? [], metadata?.name ?? "", path.child("volumes"));
  const scope = podScope(spec, volumes.valid);
  const grace = path.child("terminationGracePeriodSeconds");
  return [
    ...(spec.terminationGracePeriodSeconds === undefined ? [FieldError.required(grace, "")] : []),
    ...volumes.problems,
    ...validateResourceClaims(spec.resourceClaims ?? [], metadata, path.child("resourceClaims")),
    ...validateContainers(spec.containers ?? [], scope, path.child("containers")),
    ...validateInitContainers(spec, scope, path.child("initContainers")),
    ...validateEphemeralContainers(spec, scope, path.child("ephemeralContainers")),
    ...validatePodResources(spec, path.child("resources")),
    ...validateHostNetwork(spec, metadata !== undefined, path),
    ...validatePolicies(spec, path),
    ...validatePlacement(spec, path),
    ...validateHostProcess(spec, path),
    ...validateHostUsers(spec, path),
    ...validateNames(spec, path),
    ...validateOptional(spec, path),
    ...validateOperatingSystem(spec, path),
  ];
}

function podScope(spec: PodSpec, volumes: PodScope["volumes"]): PodScope {
  return {
    volumes,
    claims: claimNames(spec),
    restartPolicy: spec.restartPolicy ?? "",
    hostUsers: spec.hostUsers !== false,
    gracePeriod: spec.terminationGracePeriodSeconds,
  };
}

function validatePolicies(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...validateChoice(spec.restartPolicy, restartPolicies, path.child("restartPolicy")),
    ...validateChoice(spec.dnsPolicy, dnsPolicies, path.child("dnsPolicy")),
    ...validateLabels(spec.nodeSelector ?? {}, path.child("nodeSelector")),
    ...validatePodSecurityContext(spec, path.child("securityContext")),
  ];
}

function validatePlacement(spec: PodSpec, path: FieldPath): FieldError[] {
  const gates = spec.readinessGates ?? [];
  const spread = spec.topologySpreadConstraints ?? [];
  return [
    ...validateAffinity(spec.affinity, path.child("affinity")),
    ...validateDnsConfig(spec, path.child("dnsConfig")),
    ...gates.flatMap(({ conditionType = "" }, i) =>
      validateLabelName(
        conditionType,
        path.child("readinessGates").index(i).child("conditionType"),
      ),
    ),
    ...validateSchedulingGates(spec.schedulingGates ?? [], path.child("schedulingGates")),
    ...validateTopologySpread(spread, path.child("topologySpreadConstraints")),
  ];
}

/** "" is no name, and not looked at. */
function validateName(
  name: string | undefined,
  problems: (name: string) => string[],
  path: FieldPath,
): FieldError[] {
  return name === undefined || name === "" ? [] : invalidEach(name, problems(name), path);
}

function validateNames(spec: PodSpec, path: FieldPath): FieldError[] {
  const { activeDeadlineSeconds: deadline } = spec;
  const at = path.child("activeDeadlineSeconds");
  return [
    ...validateName(
      spec.serviceAccountName,
      validateDns1123Subdomain,
      path.child("serviceAccountName"),
    ),
    ...validateName(spec.nodeName, validateDns1123Subdomain, path.child("nodeName")),
    ...(deadline === undefined
      ? []
      : invalidEach(deadline, validateRange(deadline, { min: 1, max: maxInt32 }), at)),
    ...validateName(spec.hostname, validateDns1123Label, path.child("hostname")),
    ...validateName(spec.subdomain, validateDns1123Label, path.child("subdomain")),
  ];
}

function validateOptional(spec: PodSpec, path: FieldPath): FieldError[] {
  const { priorityClassName, runtimeClassName, preemptionPolicy, overhead } = spec;
  return [
    ...validateTolerations(spec.tolerations ?? [], path.child("tolerations")),
    ...validateHostAliases(spec.hostAliases ?? [], path.child("hostAliases")),
    ...validateName(priorityClassName, validateDns1123Subdomain, path.child("priorityClassName")),
    ...(runtimeClassName === undefined
      ? []
      : invalidEach(
          runtimeClassName,
          validateDns1123Subdomain(runtimeClassName),
          path.child("runtimeClassName"),
        )),
    ...(preemptionPolicy === undefined
      ? []
      : validateChoice(preemptionPolicy, preemptionPolicies, path.child("preemptionPolicy"))),
    ...(overhead === undefined
      ? []
      : validateResourceRequirements({ limits: overhead }, path.child("overhead"))),
  ];
}
