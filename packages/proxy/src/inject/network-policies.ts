import { type LabelSelector, labelSelectorAsSelector } from "@rookery/kube";
import { defaultPorts } from "../sidecar.ts";
import type { Callback } from "./callbacks.ts";
import { isKind } from "./kinds.ts";
import type { Manifest } from "./manifest.ts";
import { containersOf, podLabelsOf, podSpecOf } from "./pods.ts";
import { type Fields, updateAt, valuesAt } from "./update-at.ts";

const opened = { protocol: "TCP", port: defaultPorts.callbacks } as const;

/** Opens the callback port wherever a policy opens the port of the app's webhooks. */
export function openCallbacks(manifest: Manifest, callbacks: readonly Callback[]): Manifest {
  if (!isKind(manifest, "networking.k8s.io", "NetworkPolicy")) return manifest;
  const chosen = callbacks.filter(({ workload }) => selects(manifest, workload));
  const names = new Set(chosen.flatMap(portsOf));
  if (names.size === 0) return manifest;
  return updateAt(manifest, "spec.ingress[].ports", (ports) => {
    const isHooks = Array.isArray(ports) && ports.some(({ port }: Fields) => names.has(port));
    return isHooks ? [...ports, opened] : ports;
  });
}

function selects(policy: Manifest, workload: Manifest): boolean {
  const [selector] = valuesAt(policy, "spec.podSelector") as LabelSelector[];
  const labels = podLabelsOf(workload) as Readonly<Record<string, string>>;
  return labelSelectorAsSelector(selector ?? {}).matches(labels);
}

/** By number and by name. */
function portsOf({ workload, appPort }: Callback): unknown[] {
  const containers = containersOf(podSpecOf(workload) ?? {});
  const named = containers.flatMap(({ ports = [] }) =>
    ports.filter(({ containerPort }) => containerPort === appPort).map(({ name }) => name),
  );
  return [appPort, ...named.filter((name) => name !== undefined)];
}
