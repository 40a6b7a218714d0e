import type { Container, Pod, PodSpec } from "@rookery/api";
import { parseQuantity } from "@rookery/kube";

/** Amounts by the name of their resource, in thousandths. */
export type Amounts = ReadonlyMap<string, bigint>;

export function amountsOf(list: Readonly<Record<string, string | number>> | undefined): Amounts {
  const entries = Object.entries(list ?? {});
  return new Map(entries.map(([name, value]) => [name, parseQuantity(String(value)).milliValue()]));
}

/**
 * What a pod asks a node for: its containers and sidecars together, or an init container where that
 * asks for more, with those sidecars that run beside it (Go: PodRequests).
 */
export function requestsOf({ spec = {} }: Pod): Amounts {
  const containers = total((spec.containers ?? []).map(requestsOfContainer));
  const { sidecars, peak } = requestsOfInit(spec);
  const running = total([containers, sidecars]);
  const own = largest([running, peak]);
  // What the pod says of itself as a whole takes the place of what its containers say.
  const whole = new Map([...own, ...amountsOf(spec.resources?.requests)]);
  return total([whole, amountsOf(spec.overhead)]);
}

function requestsOfContainer({ resources }: Container): Amounts {
  // Kubernetes' defaults say requests where there are only limits.
  return new Map([...amountsOf(resources?.limits), ...amountsOf(resources?.requests)]);
}

function requestsOfInit({ initContainers = [] }: PodSpec) {
  let sidecars: Amounts = new Map();
  let peak: Amounts = new Map();
  for (const container of initContainers) {
    const own = requestsOfContainer(container);
    const together = total([sidecars, own]);
    if (container.restartPolicy === "Always") sidecars = together;
    peak = largest([peak, together]);
  }
  return { sidecars, peak };
}

export function total(lists: readonly Amounts[]): Amounts {
  return merged(lists, (a, b) => a + b);
}

function largest(lists: readonly Amounts[]): Amounts {
  return merged(lists, (a, b) => (a > b ? a : b));
}

function merged(lists: readonly Amounts[], merge: (a: bigint, b: bigint) => bigint): Amounts {
  const all = new Map<string, bigint>();
  for (const [name, amount] of lists.flatMap((list) => [...list])) {
    all.set(name, merge(all.get(name) ?? 0n, amount));
  }
  return all;
}
