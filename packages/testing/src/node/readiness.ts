import { ProcessEndedError } from "../errors.ts";
import { Transport } from "../kubernetes/transport.ts";
import type { Kubernetes } from "../kubernetes.ts";
import type { Child } from "../process/child.ts";
import { lastLines } from "../process/last-lines.ts";
import { waitFor } from "../process/wait-for.ts";
import { nodeNetwork } from "./network.ts";
import { nodeName } from "./processes.ts";

interface Node {
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
  readonly status: {
    readonly conditions?: readonly { type: string; status: string; message: string }[];
  };
}

/** Waits until the node takes pods and Services are routed. */
export async function waitUntilReady(
  kubernetes: Kubernetes,
  children: readonly Child[],
): Promise<void> {
  const options = {
    timeout: 180_000,
    interval: 200,
    fatal: (error: unknown) => error instanceof ProcessEndedError,
    detail: () => children.map((child) => `${child.name}:\n${lastLines(child.log)}`).join("\n"),
  };
  const assertRunning = () => {
    for (const child of children) child.assertRunning();
  };
  const path = `/api/v1/nodes/${nodeName}`;
  await waitFor(
    async () => {
      assertRunning();
      return takesPods((await kubernetes.request("GET", path)).body);
    },
    { ...options, what: "the node to be ready" },
  );
  await using service = new Transport({ ...kubernetes, server: apiServerService() });
  await waitFor(
    async () => {
      assertRunning();
      return (await service.request("GET", "/readyz")).status === 200;
    },
    { ...options, what: "Services to be routed" },
  );
}

function takesPods(node: Node): boolean {
  const ready = node.status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" && (node.spec.taints ?? []).length === 0;
}

/** The first address of the range is that of the Service "kubernetes". */
function apiServerService(): string {
  return `https://${nodeNetwork.services.replace(/0\/24$/, "1")}`;
}
