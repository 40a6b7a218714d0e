import type { Container, Pod, PodSpec, PodStatus } from "@rookery/api";
import { isHugePages, isOvercommitAllowed, type ResourceList } from "../meta/quantities.ts";
import { podSpecDefaults } from "../pod-spec/defaults.ts";
import { aggregateContainers, isPodLevelResource } from "../pod-spec/pod-resources.ts";

/** What a pod has beyond what a template has. */
export function podDefaults(pod: Pod): void {
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

/** The address of a pod is the first of its addresses, whichever of them is said. */
function firstAddress(status: PodStatus): void {
  if (status.podIP && status.podIPs?.[0]?.ip !== status.podIP) {
    status.podIPs = [{ ip: status.podIP }];
  }
  const ip = status.podIPs?.[0]?.ip;
  if (ip) status.podIP = ip;
}

/** What may be taken is asked for where nothing else is said. */
function requestLimits({ resources }: Container): void {
  if (resources?.limits === undefined) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

/** On the network of the host, ports are those of the host. */
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

/** Requests of a pod as a whole: those of its containers, else its limits. */
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
