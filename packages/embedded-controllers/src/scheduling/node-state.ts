import type { Node, Pod } from "@rookery/api";
import { type Amounts, amountsOf, requestsOf, total } from "./pod-requests.ts";

/** A node with what lies on it, in one pass of the scheduler. */
export class NodeState {
  readonly node: Node;
  readonly name: string;
  readonly allocatable: Amounts;
  readonly #pods: Pod[] = [];
  readonly #ports = new Set<string>();
  #requested: Amounts = new Map();

  constructor(node: Node) {
    this.node = node;
    this.name = node.metadata?.name ?? "";
    this.allocatable = amountsOf(node.status?.allocatable);
  }

  get pods(): readonly Pod[] {
    return this.#pods;
  }

  get requested(): Amounts {
    return this.#requested;
  }

  add(pod: Pod): void {
    this.#pods.push(pod);
    this.#requested = total([this.#requested, requestsOf(pod)]);
    for (const port of hostPortsOf(pod)) this.#ports.add(port);
  }

  /** Whether a port of the node that the pod asks for is another's. */
  hasPortsOf(pod: Pod): boolean {
    return hostPortsOf(pod).some((port) => this.#ports.has(port));
  }
}

function hostPortsOf({ spec }: Pod): readonly string[] {
  return (spec?.containers ?? []).flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, protocol = "TCP" }) => {
      return hostPort > 0 ? [`${protocol} ${hostPort}`] : [];
    }),
  );
}

/** Whether a pod takes room on its node: one that has ended does not. */
export function takesRoom({ spec, status }: Pod): boolean {
  const isOver = status?.phase === "Succeeded" || status?.phase === "Failed";
  return Boolean(spec?.nodeName) && !isOver;
}
