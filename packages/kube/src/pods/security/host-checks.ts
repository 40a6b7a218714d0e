import {
  badValues,
  check,
  containersThat,
  joinQuote,
  namedContainers,
  plural,
  setters,
  sortedUnique,
} from "./check.ts";
import type { Container } from "./pod-spec.ts";

// Baseline checks that isolate pods from their node.

export const hostNamespaces = check("host namespaces", ({ spec }) => {
  const set = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field]);
  return set.length === 0 ? undefined : set.map((field) => `${field}=true`).join(", ");
});

export const hostPathVolumes = check("hostPath volumes", ({ spec }) => {
  const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
  if (bad.length === 0) return undefined;
  return `${plural("volume", bad.length)} ${joinQuote(bad.map(({ name = "" }) => name))}`;
});

export const hostPorts = check("hostPort", (pod) => {
  const found = badValues(pod, ({ ports = [] }) =>
    ports.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])),
  );
  if (!found) return undefined;
  const { bad, values } = found;
  const what = `${plural("hostPort", values.length)} ${values.join(", ")}`;
  return `${namedContainers(bad)} ${plural("uses", bad.length, "use")} ${what}`;
});

export const hostProbes = check(
  "probe or lifecycle host",
  (pod) => {
    const found = badValues(pod, hostsOf);
    if (!found) return undefined;
    const bad = sortedUnique(found.bad);
    const { values } = found;
    const what = `${plural("probe or lifecycle host", values.length)} ${joinQuote(values)}`;
    return `${namedContainers(bad)} ${plural("uses", bad.length, "use")} ${what}`;
  },
  { since: 34 },
);

function hostsOf(container: Container): string[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  const handlers = [livenessProbe, readinessProbe, startupProbe];
  return [...handlers, lifecycle?.postStart, lifecycle?.preStop].flatMap((handler) =>
    [handler?.httpGet?.host, handler?.tcpSocket?.host].filter((host) => Boolean(host)),
  ) as string[];
}

export const privileged = check("privileged", (pod) => {
  const bad = containersThat(pod, (each) => each.securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return `${namedContainers(bad)} must not set securityContext.privileged=true`;
});

export const procMount = check("procMount", (pod) => {
  const found = badValues(pod, ({ securityContext }) => {
    const type = securityContext?.procMount ?? "Default";
    return type === "Default" ? [] : [type];
  });
  if (!found) return undefined;
  const values = joinQuote(found.values);
  return `${namedContainers(found.bad)} must not set securityContext.procMount to ${values}`;
});

export const windowsHostProcess = check("hostProcess", (pod) => {
  const who = setters(
    pod.spec.securityContext?.windowsOptions?.hostProcess === true,
    containersThat(pod, (each) => each.securityContext?.windowsOptions?.hostProcess === true),
  );
  if (who === "") return undefined;
  return `${who} must not set securityContext.windowsOptions.hostProcess=true`;
});
