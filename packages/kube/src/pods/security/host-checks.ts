import {
  type Check,
  containersOf,
  containersThat,
  joinQuote,
  namedContainers,
  plural,
  setters,
  sortedUnique,
} from "./check.ts";
import type { Container } from "./pod-spec.ts";

// What of the baseline keeps pods from the machine that they run on.

export const hostNamespaces: Check = {
  since: 0,
  violation: ({ spec }) => {
    const set = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field]);
    if (set.length === 0) return undefined;
    return { reason: "host namespaces", detail: set.map((field) => `${field}=true`).join(", ") };
  },
};

export const hostPathVolumes: Check = {
  since: 0,
  violation: ({ spec }) => {
    const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
    if (bad.length === 0) return undefined;
    const names = joinQuote(bad.map(({ name = "" }) => name));
    return { reason: "hostPath volumes", detail: `${plural("volume", bad.length)} ${names}` };
  },
};

export const hostPorts: Check = {
  since: 0,
  violation: (pod) => {
    const portsOf = ({ ports = [] }: Container) =>
      ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
    const bad = containersThat(pod, (container) => portsOf(container).length > 0);
    if (bad.length === 0) return undefined;
    const ports = sortedUnique(containersOf(pod).flatMap(portsOf));
    const use = plural("uses", bad.length, "use");
    const what = `${plural("hostPort", ports.length)} ${ports.join(", ")}`;
    return { reason: "hostPort", detail: `${namedContainers(bad)} ${use} ${what}` };
  },
};

export const hostProbes: Check = {
  since: 34,
  violation: (pod) => {
    const bad = sortedUnique(containersThat(pod, (container) => hostsOf(container).length > 0));
    if (bad.length === 0) return undefined;
    const hosts = sortedUnique(containersOf(pod).flatMap(hostsOf));
    const use = plural("uses", bad.length, "use");
    const what = `${plural("probe or lifecycle host", hosts.length)} ${joinQuote(hosts)}`;
    return { reason: "probe or lifecycle host", detail: `${namedContainers(bad)} ${use} ${what}` };
  },
};

function hostsOf(container: Container): string[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  const handlers = [livenessProbe, readinessProbe, startupProbe];
  return [...handlers, lifecycle?.postStart, lifecycle?.preStop].flatMap((handler) =>
    [handler?.httpGet?.host, handler?.tcpSocket?.host].filter((host) => Boolean(host)),
  ) as string[];
}

export const privileged: Check = {
  since: 0,
  violation: (pod) => {
    const bad = containersThat(pod, (each) => each.securityContext?.privileged === true);
    if (bad.length === 0) return undefined;
    const detail = `${namedContainers(bad)} must not set securityContext.privileged=true`;
    return { reason: "privileged", detail };
  },
};

export const procMount: Check = {
  since: 0,
  violation: (pod) => {
    const typeOf = ({ securityContext }: Container) => securityContext?.procMount ?? "Default";
    const bad = containersThat(pod, (container) => typeOf(container) !== "Default");
    if (bad.length === 0) return undefined;
    const types = sortedUnique(containersOf(pod).map(typeOf)).filter((each) => each !== "Default");
    const detail = `${namedContainers(bad)} must not set securityContext.procMount to ${joinQuote(types)}`;
    return { reason: "procMount", detail };
  },
};

export const windowsHostProcess: Check = {
  since: 0,
  violation: (pod) => {
    const own = pod.spec.securityContext?.windowsOptions?.hostProcess === true;
    const bad = containersThat(
      pod,
      ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true,
    );
    const who = setters(own, bad);
    if (who === "") return undefined;
    const detail = `${who} must not set securityContext.windowsOptions.hostProcess=true`;
    return { reason: "hostProcess", detail };
  },
};
