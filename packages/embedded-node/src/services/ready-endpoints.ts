import type { EndpointSlice, Service } from "@rookery/api";
import type { StoreReader } from "@rookery/kube";
import { storedObject, storedObjects } from "@rookery/kube";

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface Choice {
  readonly namespace: string;
  readonly name: string;
  /** The name of the Service's port. */
  readonly port: string;
  /** The address of the client. */
  readonly client: string;
}

const defaultAffinitySeconds = 10_800;
/** Clients that are remembered at most; the oldest are forgotten. */
const maxRemembered = 10_000;

interface Remembered {
  readonly target: Target;
  readonly until: number;
}

/** Chooses the endpoint of a connection: round robin, or by session affinity. */
export class ReadyEndpoints {
  readonly #store: StoreReader;
  readonly #now: () => number;
  readonly #turns = new Map<string, number>();
  readonly #remembered = new Map<string, Remembered>();

  constructor(store: StoreReader, now: () => number = Date.now) {
    this.#store = store;
    this.#now = now;
  }

  /** Undefined where no endpoint is ready. */
  choose(choice: Choice): Target | undefined {
    const { namespace, name, port, client } = choice;
    const service = storedObject<Service>(this.#store, { resource: "services", namespace, name });
    const targets = this.#targets(choice);
    const seconds = affinitySeconds(service);
    const key = `${namespace}/${name} ${port}`;
    const before = seconds === 0 ? undefined : this.#before(`${key} ${client}`, targets);
    const target = before ?? this.#next(key, targets);
    if (target && seconds > 0) this.#remember(`${key} ${client}`, target, seconds);
    return target;
  }

  /** Terminating endpoints serve where no other one is left, as with kube-proxy. */
  #targets({ namespace, name, port }: Choice): readonly Target[] {
    const slices = storedObjects<EndpointSlice>(
      this.#store,
      "endpointslices.discovery.k8s.io",
      namespace,
    ).filter(({ metadata }) => metadata?.labels?.["kubernetes.io/service-name"] === name);
    const ready = slices.flatMap((slice) => targetsOf(slice, port, isReady));
    return ready.length > 0 ? ready : slices.flatMap((slice) => targetsOf(slice, port, isEnding));
  }

  #next(key: string, targets: readonly Target[]): Target | undefined {
    const turn = this.#turns.get(key) ?? 0;
    this.#turns.set(key, turn + 1);
    return targets[turn % Math.max(targets.length, 1)];
  }

  #before(key: string, targets: readonly Target[]): Target | undefined {
    const { target, until } = this.#remembered.get(key) ?? {};
    if (target === undefined || until === undefined || until < this.#now()) return undefined;
    return targets.find(({ host, port }) => host === target.host && port === target.port);
  }

  #remember(key: string, target: Target, seconds: number): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, { target, until: this.#now() + seconds * 1000 });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > maxRemembered && oldest) this.#remembered.delete(oldest);
  }
}

function affinitySeconds(service: Service | undefined): number {
  if (service?.spec?.sessionAffinity !== "ClientIP") return 0;
  const { timeoutSeconds } = service.spec.sessionAffinityConfig?.clientIP ?? {};
  return timeoutSeconds ?? defaultAffinitySeconds;
}

type Conditions = NonNullable<NonNullable<EndpointSlice["endpoints"]>[number]["conditions"]>;

const isReady = ({ ready = true }: Conditions) => ready;
const isEnding = ({ serving = false, terminating = false }: Conditions) => serving && terminating;

function targetsOf(
  { addressType, endpoints, ports }: EndpointSlice,
  name: string,
  isWanted: (conditions: Conditions) => boolean,
): readonly Target[] {
  const port = (ports ?? []).find((each) => (each.name ?? "") === name)?.port;
  if (port === undefined || addressType === "FQDN") return [];
  return (endpoints ?? [])
    .filter(({ conditions = {} }) => isWanted(conditions))
    .flatMap(({ addresses = [] }) => addresses.slice(0, 1).map((host) => ({ host, port })));
}
