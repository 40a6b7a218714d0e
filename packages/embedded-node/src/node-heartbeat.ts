import { builtInResources, formatMicroTime, isNotFound, type KubeObject } from "@rookery/kube";
import { type NodeObject, type NodeObjectOptions, writeNodeStatus } from "./node-object.ts";

const namespace = "kube-node-lease";
const leaseSeconds = 40;
const renewMs = 10_000;
/** One failure is no matter while the lease still holds; the next beat comes long before it ends. */
const failuresUntold = 2;
const statusMs = 300_000;

/** Renews the node's lease, and its status now and then, until it is disposed of. */
export async function startHeartbeat(
  options: NodeObjectOptions & { readonly onError: (error: unknown) => void },
  node: NodeObject,
): Promise<Disposable> {
  await renewLease(options, node);
  const beat = (work: () => Promise<unknown>, ms: number) => {
    let failures = 0;
    const failed = (error: unknown) => {
      failures += 1;
      if (failures > failuresUntold) options.onError(error);
    };
    const worked = () => {
      failures = 0;
    };
    return setInterval(() => void work().then(worked, failed), ms);
  };
  const timers = [
    beat(() => renewLease(options, node), renewMs),
    beat(() => writeNodeStatus(options), statusMs),
  ];
  return {
    [Symbol.dispose]() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

async function renewLease(
  { client, name, now }: NodeObjectOptions,
  { metadata }: NodeObject,
): Promise<void> {
  const leases = client.resource<KubeObject>(builtInResources.leases);
  const renewTime = formatMicroTime(now());
  const spec = { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime };
  try {
    await leases.patch({ namespace, name }, { type: "merge", patch: { spec } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const owner = { apiVersion: "v1", kind: "Node", name, uid: metadata.uid ?? "" };
    await leases.create({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name, namespace, ownerReferences: [owner] },
      spec,
    });
  }
}
