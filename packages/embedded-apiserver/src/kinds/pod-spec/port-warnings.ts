import type { ContainerPort } from "@rookery/api";
import { type FieldPath, quote } from "@rookery/kube";
import type { PlacedContainer } from "./warnings.ts";

interface PlacedPort {
  readonly port: ContainerPort;
  readonly path: FieldPath;
}

/** More than any client is shown; each port is compared with all ahead of it that are the same. */
const maxWarnings = 500;

/** Ports of a pod that get in each other's way. */
export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const ports = containers.flatMap(({ container, path }) =>
    (container.ports ?? []).map((port, i) => ({ port, path: path.child("ports").index(i) })),
  );
  return [...overlapWarnings(ports), ...nameWarnings(ports)];
}

/** Two ports can only overlap where they are the same but for the host's side of them. */
function overlapWarnings(ports: readonly PlacedPort[]): string[] {
  const before = new Map<string, PlacedPort[]>();
  const warnings: string[] = [];
  for (const placed of ports) {
    warnings.push(...hostIpWarning(placed));
    const { containerPort, protocol } = placed.port;
    const key = `${containerPort}/${protocol}`;
    const others = before.get(key) ?? [];
    for (const other of others) {
      if (warnings.length >= maxWarnings) break;
      warnings.push(...overlapWarning(placed, other));
    }
    before.set(key, others);
    if (others.length < maxWarnings) others.push(placed);
  }
  return warnings;
}

function hostIpWarning({ port, path }: PlacedPort): string[] {
  const { name = "", hostPort = 0, containerPort = 0, protocol = "", hostIP = "" } = port;
  if (hostIP === "" || hostPort !== 0) return [];
  const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  return [`${path}: hostIP set without hostPort: ${shown}`];
}

function overlapWarning({ port, path }: PlacedPort, other: PlacedPort): string[] {
  const word = overlapWord(port, other.port);
  return word === undefined ? [] : [`${path}: ${word} port definition with ${other.path}`];
}

function overlapWord(a: ContainerPort, b: ContainerPort): string | undefined {
  const [aIp, bIp] = [a.hostIP ?? "", b.hostIP ?? ""];
  const [aPort, bPort] = [a.hostPort ?? 0, b.hostPort ?? 0];
  if (aIp === bIp && aPort === bPort) return "duplicate";
  if (aPort === 0 || bPort === 0) return "overlapping";
  return aPort === bPort && (aIp === "") !== (bIp === "") ? "dangerously ambiguous" : undefined;
}

function nameWarnings(ports: readonly PlacedPort[]): string[] {
  const first = new Map<string, FieldPath>();
  return ports.flatMap(({ port: { name = "" }, path }) => {
    const other = name === "" ? undefined : first.get(name);
    if (other === undefined) {
      first.set(name, path);
      return [];
    }
    return [
      `${path}: duplicate port name ${quote(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}
