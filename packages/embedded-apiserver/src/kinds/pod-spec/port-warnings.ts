import type { ContainerPort, PodSpec } from "@rookery/api";
import { quote } from "@rookery/kube";
import type { Field } from "../meta/field.ts";
import { eachContainer } from "./defaults.ts";

interface PlacedPort {
  readonly port: ContainerPort;
  readonly field: Field;
}

/** More warnings than clients show; bounds the comparisons, which are quadratic for equal ports. */
const maxWarnings = 500;

/** Warns about ports of a pod that conflict. */
export function portWarnings(spec: PodSpec, field: Field): void {
  const ports: PlacedPort[] = [];
  eachContainer(spec, field, (container, at) => {
    const list = at.child("ports");
    ports.push(...(container.ports ?? []).map((port, i) => ({ port, field: list.index(i) })));
  });
  overlapWarnings(ports);
  nameWarnings(ports);
}

/** Only ports with the same container port and protocol can overlap. */
function overlapWarnings(ports: readonly PlacedPort[]): void {
  const before = new Map<string, PlacedPort[]>();
  let count = 0;
  for (const placed of ports) {
    const { port, field } = placed;
    const key = `${port.containerPort}/${port.protocol}`;
    const others = before.get(key) ?? [];
    if (hostIpWarning(placed)) count += 1;
    for (const other of others) {
      const word = count < maxWarnings ? overlapWord(port, other.port) : undefined;
      if (word === undefined) continue;
      field.warn(`${word} port definition with ${other.field.path}`);
      count += 1;
    }
    before.set(key, others);
    if (others.length < maxWarnings) others.push(placed);
  }
}

function hostIpWarning({ port, field }: PlacedPort): boolean {
  const { name = "", hostPort = 0, containerPort = 0, protocol = "", hostIP = "" } = port;
  if (hostIP === "" || hostPort !== 0) return false;
  const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
  field.warn(`hostIP set without hostPort: ${shown}`);
  return true;
}

function overlapWord(a: ContainerPort, b: ContainerPort): string | undefined {
  const [aIp, bIp] = [a.hostIP ?? "", b.hostIP ?? ""];
  const [aPort, bPort] = [a.hostPort ?? 0, b.hostPort ?? 0];
  if (aIp === bIp && aPort === bPort) return "duplicate";
  if (aPort === 0 || bPort === 0) return "overlapping";
  return aPort === bPort && (aIp === "") !== (bIp === "") ? "dangerously ambiguous" : undefined;
}

function nameWarnings(ports: readonly PlacedPort[]): void {
  const first = new Map<string, Field>();
  for (const { port, field } of ports) {
    const { name = "" } = port;
    const other = name === "" ? undefined : first.get(name)?.path;
    if (other === undefined) first.set(name, field);
    else {
      field.warn(
        `duplicate port name ${quote(name)} with ${other}, services and probes that select ports by name will use ${other}`,
      );
    }
  }
}
