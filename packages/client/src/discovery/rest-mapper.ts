import type { GroupVersionKind, Resource } from "@rookery/kube";
import { systemTime, type Timekeeper } from "../timekeeper.ts";
import type { ApiResources } from "./api-resources.ts";
import type { Discovery } from "./discovery.ts";
import { noKind, noResource } from "./no-match.ts";
import { type PartialKind, type PartialResource, ResourceIndex } from "./resource-index.ts";

/**
 * Finds the resource of a kind, or by a name, as the server serves it. What it does not know it
 * looks up with the server again, at most once in `refreshInterval`; then it rejects with
 * NoMatchError.
 */
export interface RestMapper {
  /** In the version that the server prefers where none is named. */
  resourceForKind(kind: PartialKind): Promise<Resource>;
  /** By plural, singular or short name: "deploy", "deployments.apps", "deployments.v1.apps". */
  resourceFor(name: string): Promise<Resource>;
  kindFor(name: string): Promise<GroupVersionKind>;
  /** Everything that the server serves, as last seen. */
  served(): Promise<ApiResources>;
  /** Asks the server anew on the next call. */
  reset(): void;
}

export interface RestMapperOptions {
  /** In milliseconds; 1 s where absent. */
  readonly refreshInterval?: number;
  readonly timekeeper?: Timekeeper;
}

export function createRestMapper(
  discovery: Discovery,
  options: RestMapperOptions = {},
): RestMapper {
  return new DiscoveryRestMapper(discovery, options);
}

class DiscoveryRestMapper implements RestMapper {
  readonly #discovery: Discovery;
  readonly #interval: number;
  readonly #timekeeper: Timekeeper;
  #index: ResourceIndex | undefined;
  #stale = true;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<ResourceIndex> | undefined;

  constructor(discovery: Discovery, options: RestMapperOptions) {
    this.#discovery = discovery;
    this.#interval = options.refreshInterval ?? 1_000;
    this.#timekeeper = options.timekeeper ?? systemTime;
  }

  async resourceForKind(kind: PartialKind): Promise<Resource> {
    const { found, index } = await this.#find((known) => known.ofKind(kind));
    if (found === undefined) throw noKind(kind, index);
    return found;
  }

  async resourceFor(name: string): Promise<Resource> {
    const readings = readingsOf(name);
    const { found, index } = await this.#find((known) => firstOf(readings, known));
    if (found === undefined) throw noResource(readings.at(-1) ?? { resource: name }, index);
    return found;
  }

  async kindFor(name: string): Promise<GroupVersionKind> {
    const { group, version, kind } = await this.resourceFor(name);
    return { group, version, kind };
  }

  async served(): Promise<ApiResources> {
    return (await this.#current()).served;
  }

  reset(): void {
    this.#stale = true;
  }

  async #find(search: (index: ResourceIndex) => Resource | undefined) {
    const index = await this.#current();
    const found = search(index);
    const tooEarly = this.#timekeeper.now() - this.#askedAt < this.#interval;
    if (found || (tooEarly && this.#asking === undefined)) return { found, index };
    const fresh = await this.#ask();
    return { found: search(fresh), index: fresh };
  }

  #current(): ResourceIndex | Promise<ResourceIndex> {
    return this.#index && !this.#stale ? this.#index : this.#ask();
  }

  /** One question for all who want to know at the same time. */
  #ask(): Promise<ResourceIndex> {
    this.#asking ??= this.#askOnce().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askOnce(): Promise<ResourceIndex> {
    this.#askedAt = this.#timekeeper.now();
    this.#stale = false;
    try {
      this.#index = ResourceIndex.after(this.#index, await this.#discovery.discover());
      return this.#index;
    } catch (error) {
      this.#stale = true;
      throw error;
    }
  }
}

/** What a name with dots may mean, the first that fits counts: "a.v1.b" is a version, or a group. */
function readingsOf(name: string): readonly PartialResource[] {
  const [resource = "", version, ...rest] = name.split(".");
  if (version === undefined) return [{ resource }];
  const group = name.slice(resource.length + 1);
  const versioned = { resource, version, group: rest.join(".") };
  return rest.length > 0 ? [versioned, { resource, group }] : [{ resource, group }];
}

function firstOf(readings: readonly PartialResource[], index: ResourceIndex): Resource | undefined {
  for (const reading of readings) {
    const found = index.named(reading);
    if (found) return found;
  }
  return undefined;
}
