import type { Node, Taint } from "@rookery/api";
import { builtInResources, deepEqual, formatTime, storedObject } from "@rookery/kube";
import { type Controller, requestForEntry } from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";

const nodes = builtInResources.nodes;
const prefix = "node.kubernetes.io/";

/** Which conditions keep new pods away, and by which taint. */
const taintsOfConditions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: "not-ready", Unknown: "unreachable" },
  MemoryPressure: { True: "memory-pressure" },
  DiskPressure: { True: "disk-pressure" },
  NetworkUnavailable: { True: "network-unavailable" },
  PIDPressure: { True: "pid-pressure" },
};

const ownKeys = [
  ...Object.values(taintsOfConditions).flatMap((names) => Object.values(names)),
  "unschedulable",
].map((name) => `${prefix}${name}`);

/** Keeps new pods from nodes whose conditions say so, and lets them come when that is over. */
export function createNodeTaints(context: ControllerContext): Controller {
  const { store, client } = context;
  return createStoreController(context, {
    name: "node-lifecycle-controller",
    watches: { nodes: requestForEntry },
    reconcile: async ({ name }, signal) => {
      const node = storedObject<Node>(store, { resource: "nodes", namespace: "", name });
      if (node === undefined) return;
      const taints = node.spec?.taints ?? [];
      const wanted = wantedTaints(node, formatTime(context.now()));
      if (deepEqual(taints, wanted)) return;
      const { resourceVersion = "" } = node.metadata ?? {};
      const patch = { metadata: { resourceVersion }, spec: { taints: wanted } };
      const options = { fieldManager, signal };
      await client.resource(nodes).patch({ name }, { type: "merge", patch }, options);
    },
  });
}

function wantedTaints({ spec, status }: Node, timeAdded: string): readonly Taint[] {
  const keys = (status?.conditions ?? []).flatMap(({ type = "", status: state = "" }) => {
    const name = taintsOfConditions[type]?.[state];
    return name === undefined ? [] : [`${prefix}${name}`];
  });
  const all = spec?.unschedulable ? [...keys, `${prefix}unschedulable`] : keys;
  const kept = (spec?.taints ?? []).filter(({ key = "", effect }) => {
    return effect !== "NoSchedule" || !ownKeys.includes(key) || all.includes(key);
  });
  const isKept = (key: string) => {
    return kept.some((taint) => taint.key === key && taint.effect === "NoSchedule");
  };
  const added = all.filter((key) => !isKept(key));
  return [...kept, ...added.map((key) => ({ key, effect: "NoSchedule", timeAdded }))];
}
