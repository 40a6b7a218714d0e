import type { Node } from "@rookery/api";
import { type BuiltInKind, keepSpec, kindNames } from "../declaration/kind.ts";
import { ageColumn, columns, nameColumn, wideColumns } from "../meta/columns.ts";
import { each } from "../meta/combinators.ts";
import { cidrWarnings } from "../meta/ip.ts";
import { roundUpResources } from "../meta/quantities.ts";
import { warner } from "../meta/rules.ts";
import { validateNode, validateNodeStatus, validateNodeUpdate } from "./node-rules.ts";

const rolePrefix = "node-role.kubernetes.io/";
const roleLabel = "kubernetes.io/role";

/** The capacity is the default of allocatable; podCIDR is the first of podCIDRs. */
function nodeDefaults({ spec, status }: Node): void {
  if (spec?.podCIDR && spec.podCIDRs?.[0] !== spec.podCIDR) spec.podCIDRs = [spec.podCIDR];
  const [first] = spec?.podCIDRs ?? [];
  if (spec && first) spec.podCIDR = first;
  if (status === undefined) return;
  if (status.capacity !== undefined) status.allocatable ??= { ...status.capacity };
  roundUpResources(status.capacity);
  roundUpResources(status.allocatable);
}

const warnings = warner<Node>({
  spec: {
    configSource: (source, field) => {
      if (source !== undefined) field.warn("the feature is removed");
    },
    externalID: (id, field) => {
      if (id) field.warn("this field is deprecated, and is unused by Kubernetes");
    },
    podCIDRs: each(cidrWarnings),
  },
});

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
  warnings,
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
    ...columns<Node>({ Status: statusOf, Roles: rolesOf }),
    ageColumn,
    ...columns<Node>({ Version: ({ status }) => status?.nodeInfo?.kubeletVersion ?? "" }),
    ...wideColumns<Node>({
      "Internal-IP": (node) => addressOf(node, "InternalIP"),
      "External-IP": (node) => addressOf(node, "ExternalIP"),
      "OS-Image": ({ status }) => status?.nodeInfo?.osImage || "<unknown>",
      "Kernel-Version": ({ status }) => status?.nodeInfo?.kernelVersion || "<unknown>",
      "Container-Runtime": ({ status }) => status?.nodeInfo?.containerRuntimeVersion || "<unknown>",
    }),
  ],
};
