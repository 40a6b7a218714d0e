import type { Container, Pod, PodSpec, PodStatus } from "@rookery/api";
import { FieldError, quote } from "@rookery/kube";
import {
  type BuiltInKind,
  fieldsByPath,
  isSpecChanged,
  type KindContext,
  keepMetadata,
  kindNames,
  type StatusRules,
} from "../declaration/kind.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { isHugePages, isOvercommitAllowed, type ResourceList } from "../meta/quantities.ts";
import { type Rule, ruleOf, validator, warner } from "../meta/rules.ts";
import { podSpecDefaults } from "../pod-spec/defaults.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { mirrorAnnotation } from "../pod-spec/pod-annotations.ts";
import { aggregateContainers, isPodLevelResource } from "../pod-spec/pod-resources.ts";
import { hostnameWarning, podTemplateWarnings } from "../pod-spec/warnings.ts";
import { podColumns } from "./pod-columns.ts";
import { preparePod } from "./pod-create.ts";
import { podContent, validatePod } from "./pod-rules.ts";
import { prepareStatus, validatePodStatus } from "./pod-status-rules.ts";
import { annotationChange, validatePodUpdate } from "./pod-update-rules.ts";
import { goDiff } from "./unified-diff.ts";

const nameWarning = hostnameWarning("the Pod's hostname");

const warnings = warner<Pod>((pod, field) => {
  if (field.old !== undefined) return;
  nameWarning(pod, field);
  podTemplateWarnings(pod, field);
});

/** A condition of gated pods contains the time of their creation. */
export function podKind({ now }: KindContext): BuiltInKind<Pod> {
  return {
    ...kindNames("", "Pod", "pods"),
    namespaced: true,
    shortNames: ["po"],
    categories: ["all"],
    defaults: podDefaults,
    prepareForCreate: (pod) => preparePod(pod, now),
    prepareForUpdate: ({ spec }) => dropDisabledFields(spec),
    validate: validatePod,
    validateUpdate: validatePodUpdate,
    warnings,
    status: { prepareForUpdate: prepareStatus, validateUpdate: validatePodStatus },
    subresources: { ephemeralcontainers: ephemeralContainersRules },
    isNewGeneration: isSpecChanged,
    selectableFields: {
      ...fieldsByPath(
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "status.phase",
        "status.nominatedNodeName",
      ),
      // The old name of spec.nodeName.
      "spec.host": ({ spec }) => spec?.nodeName ?? "",
      "spec.hostNetwork": ({ spec }) => String(spec?.hostNetwork ?? false),
      "status.podIP": ({ status }) => status?.podIPs?.[0]?.ip ?? "",
      "status.podIPs": () => "",
    },
    columns: podColumns,
    gracePeriodSeconds,
  };
}

/** A pod without a node, or in a final phase, is deleted at once. */
function gracePeriodSeconds({ spec, status }: Pod, asked: number | undefined): number {
  const isOver = status?.phase === "Failed" || status?.phase === "Succeeded";
  if (!spec?.nodeName || isOver) return 0;
  const seconds = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

const content = ruleOf<Pod>(podContent);

/** Go: ValidatePodEphemeralContainersUpdate. */
const ephemeralUpdate: Rule<Pod> = (pod, field) => {
  const old = field.old as Pod;
  if (old.metadata?.annotations?.[mirrorAnnotation] !== undefined) {
    const detail = "static pods do not support ephemeral containers";
    return field.report([FieldError.forbidden("[]", detail)]);
  }
  content(pod, field);
  annotationChange(pod, field);
  const containers = pod.spec?.ephemeralContainers ?? [];
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const now = containers.findLast(({ name }) => name === before.name);
    if (isSameValue(now, before)) continue;
    const head = `existing ephemeral containers ${quote(before.name ?? "")} may not be`;
    const detail =
      now === undefined
        ? `${head} removed\n`
        : `${head} changed\n${goDiff("EphemeralContainer", before, now)}`;
    field.child("spec", "ephemeralContainers").forbidden(detail);
  }
};

/** The subresource that adds a container to a running pod. */
const ephemeralContainersRules: StatusRules<Pod> = {
  prepareForUpdate(pod, old) {
    const added = pod.spec?.ephemeralContainers;
    const { ephemeralContainers: _, ...spec } = old.spec ?? {};
    pod.spec = { ...spec, ...(added && { ephemeralContainers: added }) };
    if (old.status !== undefined) pod.status = old.status;
    keepMetadata(pod, old);
    dropDisabledFields(pod.spec);
    if (isSameValue(pod.spec, old.spec)) return;
    pod.metadata = { ...pod.metadata, generation: (old.metadata?.generation ?? 0) + 1 };
  },
  validateUpdate: validator(ephemeralUpdate),
};

/** The defaults of a pod, with those that templates do not have. */
function podDefaults(pod: Pod): void {
  pod.spec ??= {};
  pod.spec.containers ??= [];
  const { spec } = pod;
  const { containers = [], initContainers = [] } = spec;
  for (const container of [...containers, ...initContainers]) requestLimits(container);
  hugePagesLimits(spec);
  podRequests(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) hostPorts([...containers, ...initContainers]);
  podSpecDefaults(spec);
  if (pod.status !== undefined) firstAddress(pod.status);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
}

/** Keeps podIP and the first of podIPs equal. */
function firstAddress(status: PodStatus): void {
  if (status.podIP && status.podIPs?.[0]?.ip !== status.podIP) {
    status.podIPs = [{ ip: status.podIP }];
  }
  const ip = status.podIPs?.[0]?.ip;
  if (ip) status.podIP = ip;
}

/** Limits are the default requests. */
function requestLimits({ resources }: Container): void {
  if (resources?.limits === undefined) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

/** On the host network, ports of containers are ports of the host. */
function hostPorts(containers: readonly Container[]): void {
  for (const port of containers.flatMap(({ ports = [] }) => ports)) {
    if (!port.hostPort && port.containerPort) port.hostPort = port.containerPort;
  }
}

function hugePagesLimits(spec: PodSpec): void {
  const { resources } = spec;
  if (resources === undefined || isEmpty(resources.limits, resources.requests)) return;
  for (const [name, amount] of aggregateContainers(spec, "limits")) {
    if (!isHugePages(name) || resources.requests?.[name] !== undefined) continue;
    resources.limits = { [name]: String(amount), ...resources.limits };
  }
}

/** The default requests of a pod are those of its containers, else its limits. */
function podRequests(spec: PodSpec): void {
  const { resources } = spec;
  if (resources === undefined || isEmpty(resources.limits)) return;
  const requests: ResourceList = { ...resources.requests };
  for (const [name, amount] of aggregateContainers(spec, "requests")) {
    if (isPodLevelResource(name) && isOvercommitAllowed(name)) requests[name] ??= String(amount);
  }
  for (const [name, amount] of Object.entries(resources.limits ?? {})) {
    if (isPodLevelResource(name)) requests[name] ??= amount;
  }
  if (!isEmpty(requests)) resources.requests = requests;
}

function isEmpty(...lists: readonly (ResourceList | undefined)[]): boolean {
  return lists.every((list) => Object.keys(list ?? {}).length === 0);
}
