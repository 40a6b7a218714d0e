import { type FieldPath, quote } from "@rookery/kube";
import type { ContainerPort } from "../../generated/api-types.ts";
import type { PlacedContainer } from "./warnings.ts";

interface PlacedPort {
  readonly port: ContainerPort;
  readonly path: FieldPath;
}

/** Ports of a pod that get in each other's way. */
export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const ports = containers.flatMap(({ container, path }) =>
    (container.ports ?? []).map((port, i) => ({ port, path: path.child("ports").index(i) })),
  );
  return [
    ...ports.flatMap((placed, i) => [
      ...hostIpWarning(placed),
      ...ports.slice(0, i).flatMap((other) => overlapWarning(placed, other)),
    ]),
    ...ports.flatMap((placed, i) => nameWarning(placed, ports.slice(0, i))),
  ];
}

function hostIpWarning({ port, path }: PlacedPort): string[] {
  const { name = "", hostPort = 0, containerPort = 0, protocol = "", hostIP = "" } = port;
  if (hostIP === "" || hostPort !== 0) return [];
  const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  return [`${path}: hostIP set without hostPort: ${shown}`];
}

function overlapWarning({ port, path }: PlacedPort, other: PlacedPort): string[] {
  const isSame =
    port.containerPort === other.port.containerPort && port.protocol === other.port.protocol;
  if (!isSame) return [];
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

function nameWarning({ port, path }: PlacedPort, before: readonly PlacedPort[]): string[] {
  const { name = "" } = port;
  const other = name === "" ? undefined : before.find((each) => each.port.name === name)?.path;
  if (other === undefined) return [];
  return [
    `${path}: duplicate port name ${quote(name)} with ${other}, services and probes that select ports by name will use ${other}`,
  ];
}
