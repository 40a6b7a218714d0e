import type { Node } from "@rookery/api";
import { fieldPath } from "@rookery/kube";
import { type BuiltInKind, keepSpec, kindNames } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn, wide } from "../meta/columns.ts";
import { cidrWarnings } from "../meta/ip.ts";
import { roundUpResources } from "../meta/quantities.ts";
import { validateNode, validateNodeStatus, validateNodeUpdate } from "./node-rules.ts";

const rolePrefix = "node-role.kubernetes.io/";
const roleLabel = "kubernetes.io/role";

export const nodeKind: BuiltInKind<Node> = {
  ...kindNames("", "Node", "nodes"),
  namespaced: false,
  shortNames: ["no"],
  defaults: nodeDefaults,
  prepareForCreate(node) {
    delete node.spec?.configSource;
    delete node.status?.config;
  },
  prepareForUpdate(node, old) {
    if (old.spec?.configSource === undefined) delete node.spec?.configSource;
  },
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  warnings: nodeWarnings,
  status: {
    keptOnCreate: true,
    prepareForUpdate(node, old) {
      keepSpec(node, old);
      if (old.status?.config === undefined) delete node.status?.config;
    },
    validateUpdate: validateNodeStatus,
  },
  selectableFields: {
    "spec.unschedulable": ({ spec }) => String(spec?.unschedulable ?? false),
  },
  columns: [
    nameColumn,
    column("Status", "string", statusOf),
    column("Roles", "string", rolesOf),
    ageColumn,
    column("Version", "string", ({ status }: Node) => status?.nodeInfo?.kubeletVersion ?? ""),
    wide(column("Internal-IP", "string", (node: Node) => addressOf(node, "InternalIP"))),
    wide(column("External-IP", "string", (node: Node) => addressOf(node, "ExternalIP"))),
    wide(column("OS-Image", "string", (node: Node) => infoOf(node, "osImage"))),
    wide(column("Kernel-Version", "string", (node: Node) => infoOf(node, "kernelVersion"))),
    wide(
      column("Container-Runtime", "string", (node: Node) =>
        infoOf(node, "containerRuntimeVersion"),
      ),
    ),
  ],
};

/** The capacity is allocatable by default; podCIDR is the first of podCIDRs. */
function nodeDefaults({ spec, status }: Node): void {
  if (spec?.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  const [first] = spec?.podCIDRs ?? [];
  if (spec && first) spec.podCIDR = first;
  if (status === undefined) return;
  if (status.capacity !== undefined) status.allocatable ??= { ...status.capacity };
  roundUpResources(status.capacity);
  roundUpResources(status.allocatable);
}

function nodeWarnings({ spec = {} }: Node): string[] {
  const at = fieldPath("spec", "podCIDRs");
  return [
    ...(spec.configSource === undefined ? [] : ["spec.configSource: the feature is removed"]),
    ...(spec.externalID
      ? ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]
      : []),
    ...(spec.podCIDRs ?? []).flatMap((cidr, i) => cidrWarnings(cidr, at.index(i))),
  ];
}

function statusOf({ spec, status }: Node): string {
  const ready = (status?.conditions ?? []).findLast(({ type }) => type === "Ready");
  const known = ready?.status === "True" ? "Ready" : "NotReady";
  const shown = ready === undefined ? "Unknown" : known;
  return spec?.unschedulable === true ? `${shown},SchedulingDisabled` : shown;
}

function rolesOf({ metadata }: Node): string {
  const roles = Object.entries(metadata?.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length) || [];
    return key === roleLabel && value !== "" ? [value] : [];
  });
  return [...new Set(roles)].sort().join(",") || "<none>";
}

function addressOf({ status }: Node, type: string): string {
  return status?.addresses?.find((each) => each.type === type)?.address ?? "<none>";
}

function infoOf(
  { status }: Node,
  field: "osImage" | "kernelVersion" | "containerRuntimeVersion",
): string {
  return status?.nodeInfo?.[field] || "<unknown>";
}
