import { freePort, waitFor } from "@rookery/testing";
import { group, type ManagerWorld } from "./manager-world.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a path answers is known to the story alone
type Body = any;

/** What the managers, and who asks beside them, were seen to do: chapter by chapter. */
type Told = Readonly<Record<string, unknown>>;

/**
 * A day of a controller-runtime app with two managers: defaults, refusals and conversions by its
 * webhooks, children, status and events by its controller, a change of the leader, finalizers and
 * garbage collection at the end.
 */
export async function tellFlockStory(world: ManagerWorld): Promise<Told> {
  const story = new FlockStory(world);
  const [webhooks, others] = await Promise.all([freePort("127.0.0.1"), freePort("127.0.0.1")]);
  await world.install(webhooks);
  const first = await world.startManager("first", others);
  await story.whenLed();
  await world.startManager("second", webhooks);
  await story.whenCalled();
  const created = await story.ask("POST", story.flocks(), story.flock("swans", {}));
  const refused = await story.ask("POST", story.flocks(), story.flock("crowd", { birds: 13 }));
  const counted = await story.counted("swans", { birds: 2, by: "first" });
  const converted = await story.ask("GET", story.flocks("swans", "v1alpha1"));
  const birds = await story.birds();
  await first.stop();
  await story.ask("PATCH", story.flocks("swans"), { spec: { birds: 4 } });
  // Each manager names those that it adds after itself: two of the first one stay.
  const recounted = await story.counted("swans", { birds: 6, by: "second" });
  await story.whenTold("there are 6 birds");
  const deleted = await story.ask("DELETE", story.flocks("swans"));
  await story.whenGone(story.flocks("swans"));
  await waitFor(async () => (await story.birds()).length === 0, patience("the birds to be gone"));
  const farewell = await story.ask("GET", story.core("configmaps/swans-farewell"));
  const bodies = { created, refused, counted, converted, recounted, deleted, farewell };
  return { ...mapValues(bodies, withoutChance), birds: birds.map(withoutChance) };
}

const patience = (what: string) => ({ what, timeout: 120_000 });

class FlockStory {
  readonly #world: ManagerWorld;

  constructor(world: ManagerWorld) {
    this.#world = world;
  }

  flock(name: string, spec: object): object {
    return { apiVersion: `${group}/v1`, kind: "Flock", metadata: { name }, spec };
  }

  /** Any answer, refusals too. */
  async ask(method: string, path: string, body?: object): Promise<Body> {
    return (await this.#world.kubernetes.request(method, path, { ...(body && { body }) })).body;
  }

  flocks(name = "", version = "v1"): string {
    return `/apis/${group}/${version}/${this.#namespace}/flocks${name && `/${name}`}`;
  }

  core(path: string): string {
    return `/api/v1/${this.#namespace}/${path}`;
  }

  get #namespace(): string {
    return `namespaces/${this.#world.namespace.name}`;
  }

  async whenLed(): Promise<void> {
    const path = `/apis/coordination.k8s.io/v1/${this.#namespace}/leases/leader.${group}`;
    const holder = async () => (await this.ask("GET", path)).spec?.holderIdentity;
    await waitFor(async () => Boolean(await holder()), patience("a manager to lead"));
  }

  /** Until the kind is served, and both webhooks are called. */
  async whenCalled(): Promise<void> {
    const probe = (spec: object) =>
      this.ask("POST", `${this.flocks()}?dryRun=All`, this.flock("probe", spec));
    const isCalled = async () =>
      (await probe({ birds: 13 })).code === 403 && (await probe({})).spec?.birds === 2;
    await waitFor(isCalled, patience("the webhooks to be called"));
  }

  counted(name: string, status: { birds: number; by: string }): Promise<Body> {
    const ask = async () => {
      const flock = await this.ask("GET", this.flocks(name));
      const is = flock.status?.birds === status.birds && flock.status?.by === status.by;
      return is ? flock : undefined;
    };
    return waitFor(ask, patience(`${status.birds} birds to be counted by ${status.by}`));
  }

  async birds(): Promise<readonly Body[]> {
    const { items } = await this.ask("GET", this.core("configmaps"));
    return items.filter((item: Body) => item.metadata.ownerReferences);
  }

  async whenTold(message: string): Promise<void> {
    const isTold = async () => {
      const { items } = await this.ask("GET", this.core("events"));
      return items.some((event: Body) => event.reason === "Counted" && event.message === message);
    };
    await waitFor(isTold, patience(`an event that says "${message}"`));
  }

  async whenGone(path: string): Promise<void> {
    const isGone = async () => (await this.ask("GET", path)).code === 404;
    await waitFor(isGone, patience(`${path} to be gone`));
  }
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => unknown): Told {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

const byChance = new Set(["resourceVersion", "creationTimestamp", "deletionTimestamp", "time"]);
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Without what no two clusters have in common; who wrote first within a second is chance, too. */
function withoutChance(value: Body): unknown {
  return JSON.parse(JSON.stringify(value).replace(uid, "{uid}"), (key, inner) => {
    if (byChance.has(key)) return undefined;
    if (key === "managedFields") return inner.toSorted(byManager);
    return key === "namespace" ? "{namespace}" : inner;
  });
}

interface ManagedFields {
  readonly manager: string;
  readonly subresource?: string;
}

function byManager(one: ManagedFields, other: ManagedFields): number {
  const [first, second] = [one, other].map((each) => `${each.manager}/${each.subresource ?? ""}`);
  return (first ?? "") < (second ?? "") ? -1 : 1;
}
