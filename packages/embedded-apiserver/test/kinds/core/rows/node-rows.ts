import type { Row } from "../../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const node = (spec: object, status?: object): Row => ({
  object: { spec, ...(status && { status }) },
});
const taints = (...list: object[]) => node({ taints: list });
const info = { kubeletVersion: "v1.34.4", osImage: "Debian", kernelVersion: "6.1" };

function change(old: object, spec: object): Row {
  return { old: { spec: old }, object: { spec } };
}

export const nodeRows: Rows = {
  "an empty one": node({}),
  "one that registers": {
    object: {
      metadata: {
        labels: { "node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "x" },
      },
      spec: { podCIDR: "10.1.0.0/24", providerID: "a://b" },
      status: {
        capacity: { cpu: "2", memory: "1Gi", pods: "110" },
        conditions: [{ type: "Ready", status: "True" }],
        addresses: [
          { type: "InternalIP", address: "1.2.3.4" },
          { type: "ExternalIP", address: "5.6.7.8" },
        ],
        nodeInfo: info,
      },
    },
  },
  "one that is not ready": node(
    { unschedulable: true },
    {
      conditions: [{ type: "Ready", status: "Unknown" }],
    },
  ),
  "half a pod": node({}, { capacity: { pods: "500m" } }),
  "less than nothing": node({}, { capacity: { cpu: "-1" }, allocatable: { cpu: "1" } }),
  taints: taints({ key: "a", value: "b", effect: "NoSchedule" }, { key: "a", effect: "NoExecute" }),
  "bad taints": taints(
    {},
    { key: "a b", value: "c d", effect: "Some" },
    { key: "a", effect: "NoSchedule" },
    { key: "a", effect: "NoSchedule", value: "x" },
  ),
  "two networks": node({ podCIDRs: ["10.1.0.0/24", "fd00::/64"] }),
  "two networks of one family": node({ podCIDRs: ["10.1.0.0/24", "10.2.0.0/24"] }),
  "a network that is none": node({ podCIDRs: ["x"] }),
  "an ambiguous network": node({ podCIDR: "10.1.0.1/24" }),
  "an old name": node({ externalID: "x" }),
  "a configuration of old": node({ configSource: { configMap: { name: "a" } } }),
  "another network": change({ podCIDR: "10.1.0.0/24" }, { podCIDR: "10.2.0.0/24" }),
  "a network that comes": change({}, { podCIDR: "10.2.0.0/24" }),
  "another provider": change({ providerID: "a" }, { providerID: "b" }),
  "another old name": change({}, { externalID: "x" }),
  "taints that come": change({}, { taints: [{ key: "a", effect: "Some" }] }),
  "a status": {
    old: {},
    object: {
      status: {
        capacity: { cpu: "1" },
        addresses: [
          { type: "InternalIP", address: "1.2.3.4" },
          { type: "InternalIP", address: "1.2.3.4" },
        ],
      },
    },
    status: true,
  },
  "a good status": {
    old: {},
    object: { status: { capacity: { cpu: "1" }, nodeInfo: info } },
    status: true,
  },
};

/** The controllers of nodes taint those that do not answer. */
export function normalizeNode({ spec }: { spec?: { taints?: { key?: string }[] } }): void {
  const own = (spec?.taints ?? []).filter(
    ({ key }) => !key?.startsWith("node.kubernetes.io/") && !key?.startsWith("node.cloudprovider"),
  );
  if (spec && own.length > 0) spec.taints = own;
  else delete spec?.taints;
}
