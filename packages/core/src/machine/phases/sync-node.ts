import type { Machine } from "@rookery/api";
import type { Client } from "@rookery/client";
import { clusterNameLabel } from "@rookery/cluster-api";
import { controllerOf } from "@rookery/kube";
import { nodes } from "../../resources.ts";
import type { Node, Taint } from "../node.ts";

const labelsFrom = "cluster.x-k8s.io/labels-from-machine";
const annotationsFrom = "cluster.x-k8s.io/annotations-from-machine";
const nodeDomain = "node.cluster.x-k8s.io";
const labelDomains = ["node-restriction.kubernetes.io", nodeDomain];
const ownTaints: readonly Taint[] = [
  { key: `${nodeDomain}/uninitialized`, effect: "NoSchedule" },
  { key: `${nodeDomain}/outdated-revision`, effect: "PreferNoSchedule" },
];

/** Annotations of every node. */
const common = [
  clusterNameLabel,
  "cluster.x-k8s.io/cluster-namespace",
  "cluster.x-k8s.io/machine",
  "cluster.x-k8s.io/owner-kind",
  "cluster.x-k8s.io/owner-name",
];

/** Gives the node the labels and annotations of its Machine, and removes the taints of Cluster API. */
export async function syncNode(
  client: Client,
  node: Node,
  { machine, isInterruptible }: { readonly machine: Machine; readonly isInterruptible: boolean },
): Promise<void> {
  const { metadata, spec } = node;
  const labels = { ...labelsOf(machine), ...(isInterruptible && interruptible) };
  const annotations = annotationsOf(machine);
  const before = metadata.annotations ?? {};
  const taints = (spec?.taints ?? []).filter((taint) => !isOwnTaint(taint));
  const own = Object.keys(annotations).filter((name) => !common.includes(name));
  const wanted = {
    ...withoutOld(before, annotations, [...common, ...namesIn(before[annotationsFrom])]),
    [labelsFrom]: Object.keys(labels).sort().join(),
    [annotationsFrom]: own.sort().join(),
  };
  const patch = {
    annotations: difference(before, wanted),
    labels: difference(
      metadata.labels ?? {},
      withoutOld(metadata.labels ?? {}, labels, namesIn(before[labelsFrom])),
    ),
  };
  const hasTaint = taints.length !== (spec?.taints ?? []).length;
  const isSame = [patch.annotations, patch.labels].every((one) => Object.keys(one).length === 0);
  if (isSame && !hasTaint) return;
  const { name = "", resourceVersion } = metadata;
  await client.resource<Node>(nodes).patch(
    { name },
    {
      type: "merge",
      patch: { metadata: { ...patch, resourceVersion }, ...(hasTaint && { spec: { taints } }) },
    },
  );
}

const interruptible = { "cluster.x-k8s.io/interruptible": "" };

type Texts = Readonly<Record<string, string>>;

function labelsOf({ metadata }: Machine): Texts {
  return filtered(metadata.labels ?? {}, (domain) => {
    return domain === "node-role.kubernetes.io" || isWithin(domain, labelDomains);
  });
}

function annotationsOf(machine: Machine): Texts {
  const { metadata, spec } = machine;
  const owner = controllerOf(machine);
  return {
    ...filtered(metadata.annotations ?? {}, (domain) => isWithin(domain, [nodeDomain])),
    [clusterNameLabel]: spec.clusterName,
    "cluster.x-k8s.io/cluster-namespace": metadata.namespace ?? "",
    "cluster.x-k8s.io/machine": metadata.name ?? "",
    ...(owner && {
      "cluster.x-k8s.io/owner-kind": owner.kind,
      "cluster.x-k8s.io/owner-name": owner.name,
    }),
  };
}

function filtered(texts: Texts, isWanted: (domain: string) => boolean): Texts {
  const entries = Object.entries(texts).filter(([name]) => isWanted(name.split("/")[0] ?? ""));
  return Object.fromEntries(entries);
}

function isWithin(domain: string, domains: readonly string[]): boolean {
  return domains.some((one) => domain === one || domain.endsWith(`.${one}`));
}

/** The texts without the former ones of the Machine, and with its present ones. */
function withoutOld(before: Texts, wanted: Texts, old: readonly string[]): Texts {
  const kept = Object.entries(before).filter(([name]) => !old.includes(name));
  return { ...Object.fromEntries(kept), ...wanted };
}

/** A merge patch from one map to another. */
function difference(before: Texts, after: Texts): Readonly<Record<string, string | null>> {
  const removed = Object.keys(before).filter((name) => !(name in after));
  const changed = Object.entries(after).filter(([name, value]) => before[name] !== value);
  return {
    ...Object.fromEntries(removed.map((name) => [name, null])),
    ...Object.fromEntries(changed),
  };
}

function namesIn(text = ""): string[] {
  return text === "" ? [] : text.split(",");
}

function isOwnTaint({ key, effect }: Taint): boolean {
  return ownTaints.some((taint) => taint.key === key && taint.effect === effect);
}
