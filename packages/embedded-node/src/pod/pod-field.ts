import type { Container, ResourceFieldSelector } from "@rookery/api";
import { parseQuantity, quote } from "@rookery/kube";
import { type BoundPod, containersOf, initContainersOf } from "./pod.ts";

/** Properties of the node and the pod that the pod's status does not have yet. */
export interface PodPlace {
  readonly podIP: string;
  readonly hostIP: string;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** A field of a pod by the downward API. Throws where there is no such field. */
export function podField(pod: BoundPod, fieldPath: string, place: PodPlace): string {
  const { metadata, spec } = pod;
  const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(fieldPath) ?? [];
  if (map) return metadata[map as "labels" | "annotations"]?.[key ?? ""] ?? "";
  const fields: Readonly<Record<string, string | undefined>> = {
    "metadata.name": metadata.name,
    "metadata.namespace": metadata.namespace,
    "metadata.uid": metadata.uid,
    "metadata.labels": mapText(metadata.labels),
    "metadata.annotations": mapText(metadata.annotations),
    "spec.nodeName": spec.nodeName,
    "spec.serviceAccountName": spec.serviceAccountName,
    "status.hostIP": place.hostIP,
    "status.hostIPs": place.hostIP,
    "status.podIP": place.podIP,
    "status.podIPs": place.podIP,
  };
  if (!Object.hasOwn(fields, fieldPath)) throw new Error(`unsupported fieldPath: ${fieldPath}`);
  return fields[fieldPath] ?? "";
}

function mapText(map: Readonly<Record<string, string>> = {}): string {
  const keys = Object.keys(map).sort();
  return keys.map((key) => `${key}=${quote(map[key] ?? "")}`).join("\n");
}

/** A request or limit of a container; a limit that is not set is what the node has. */
export function resourceField(
  pod: BoundPod,
  selector: ResourceFieldSelector,
  { container, allocatable }: { readonly container?: Container } & Pick<PodPlace, "allocatable">,
): string {
  const of = container ?? containerNamed(pod, selector.containerName);
  const [, side, name = ""] = /^(limits|requests)\.(.+)$/.exec(selector.resource ?? "") ?? [];
  if (!side) throw new Error(`unsupported container resource : ${selector.resource}`);
  const set = of.resources?.[side as "limits" | "requests"]?.[name];
  const amount = parseQuantity(String(set ?? (side === "limits" ? (allocatable[name] ?? 0) : 0)));
  const given = parseQuantity(String(selector.divisor ?? 1));
  const divisor = given.sign === 0 ? parseQuantity("1") : given;
  const isCpu = name === "cpu";
  const dividend = isCpu ? amount.milliValue() : amount.value();
  const by = isCpu ? divisor.milliValue() : divisor.value();
  return String(Math.ceil(Number(dividend) / Number(by)));
}

function containerNamed(pod: BoundPod, name: string | undefined): Container {
  const found = [...containersOf(pod), ...initContainersOf(pod)].find((one) => one.name === name);
  if (!found) throw new Error(`container ${name} not found`);
  return found;
}
