import { formatApiVersion, type GroupVersionKind, type Resource } from "@rookery/kube";
import { NoMatchError } from "../errors.ts";
import { systemTime, type Timekeeper } from "../timekeeper.ts";
import type { Discovery } from "./discovery.ts";
import {
  type ApiResources,
  type PartialKind,
  type PartialResource,
  ResourceIndex,
} from "./resource-index.ts";

/**
 * Maps kinds and names to resources. Looks up unknown ones again, at most once per
 * `refreshInterval`, then rejects with NoMatchError.
 */
export interface RestMapper {
  /** In the preferred version by default. */
  resourceForKind(kind: PartialKind): Promise<Resource>;
  /** By plural, singular or short name: "deploy", "deployments.apps", "deployments.v1.apps". */
  resourceFor(name: string): Promise<Resource>;
  kindFor(name: string): Promise<GroupVersionKind>;
  /** The last discovery. */
  served(): Promise<ApiResources>;
  /** The next call asks the server again. */
  reset(): void;
}

export interface RestMapperOptions {
  /** In milliseconds; 1 s by default. */
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

  /** Concurrent callers share one discovery. */
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

/** The possible meanings of a name with dots, in order: "a.v1.b" has a version or a group. */
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

/** Names the closest matches. */
function noKind(wanted: PartialKind, index: ResourceIndex): NoMatchError {
  const known = closestKinds(wanted, index) ?? closestGroup(wanted.group, index);
  return new NoMatchError(wanted, known + failures(index));
}

function noResource(wanted: PartialResource, index: ResourceIndex): NoMatchError {
  const elsewhere = index.named({ resource: wanted.resource });
  const known = elsewhere
    ? `the server serves it in ${formatApiVersion(elsewhere)}`
    : closestGroup(wanted.group, index);
  return new NoMatchError(wanted, known + failures(index));
}

function closestKinds({ group, kind }: PartialKind, index: ResourceIndex): string | undefined {
  const versions = index.versionsOfKind({ group, kind });
  const same = versions.length > 0 ? versions : kindsOfOtherGroups(kind, index);
  if (same.length === 0) return undefined;
  return `the server serves it in ${same.map(formatApiVersion).join(", ")}`;
}

function kindsOfOtherGroups(kind: string, { served }: ResourceIndex) {
  return served.resources.filter((resource) => resource.kind === kind);
}

function closestGroup(group: string | undefined, { served }: ResourceIndex): string {
  const inGroup = served.resources.filter((resource) => resource.group === group);
  const kinds = [...new Set(inGroup.map(({ kind }) => kind))];
  if (kinds.length > 0) return `the group has the kinds ${kinds.join(", ")}`;
  const groups = served.groups.map(({ name }) => name || "core");
  return `the server has the groups ${groups.join(", ") || "none"}`;
}

function failures({ served }: ResourceIndex): string {
  const failed = Array.from(
    served.failed,
    ([apiVersion, { message }]) => `${apiVersion} (${message})`,
  );
  return failed.length === 0 ? "" : `; could not be discovered: ${failed.join(", ")}`;
}
