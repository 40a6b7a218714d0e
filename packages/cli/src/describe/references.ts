import { type Client, NoMatchError } from "@rookery/client";
import { clusterApiGroup } from "@rookery/cluster-api";
import {
  builtInResources,
  isForbidden,
  type KubeObject,
  type Resource,
  StatusError,
} from "@rookery/kube";
import type { TreeObject } from "./tree-node.ts";

/** A reference between objects of Cluster API; the contract determines the version. */
interface Reference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** An object of a provider, in the version of a contract. */
export interface Referred {
  readonly object: TreeObject;
  readonly contract: string;
}

const definitions = builtInResources.customResourceDefinitions;

/** The newest first. */
const contracts = ["v1beta2", "v1beta1"];

/** The labels of a definition, which the user may not be allowed to read. */
type Labels = Readonly<Record<string, string>> | "hidden";

interface CoreScope {
  readonly namespace: string;
  readonly group: string;
}

/** Reads referenced objects. With API groups of its own, a core has references with the original groups. */
export class ReferenceReader {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #coreGroup: string;
  readonly #labels = new Map<string, Promise<Labels>>();

  constructor(client: Client, { namespace, group }: CoreScope) {
    this.#client = client;
    this.#namespace = namespace;
    this.#coreGroup = group;
  }

  /** Undefined for an object that is missing, forbidden, or of no known contract. */
  async read(reference: unknown): Promise<Referred | undefined> {
    const { apiGroup = "", kind, name } = Object(reference) as Reference;
    if (!kind || !name) return undefined;
    const own = await this.#readIn(ownGroup(apiGroup, this.#coreGroup), kind, name);
    if (own || this.#coreGroup === clusterApiGroup) return own;
    return this.#readIn(apiGroup, kind, name);
  }

  async #readIn(group: string, kind: string, name: string): Promise<Referred | undefined> {
    try {
      const resource = await this.#client.mapper.resourceForKind({ group, kind });
      const found = await this.#versionOf(resource);
      if (found === "hidden") return await this.#readPreferred(resource, name);
      if (!found) return undefined;
      const objects = this.#client.resource<TreeObject>({ ...resource, version: found.version });
      const object = await objects.get({ namespace: this.#namespace, name });
      return { object, contract: found.contract };
    } catch (error) {
      if (error instanceof StatusError || error instanceof NoMatchError) return undefined;
      throw error;
    }
  }

  /** In the preferred version, for a user who may not read definitions. */
  async #readPreferred(resource: Resource, name: string): Promise<Referred> {
    const objects = this.#client.resource<TreeObject>(resource);
    const object = await objects.get({ namespace: this.#namespace, name });
    return { object, contract: contractOf(object) };
  }

  /** From labels of the definition, such as `cluster.x-k8s.io/v1beta2: v1beta1_v1beta2`. */
  async #versionOf({
    plural,
    group,
  }: Resource): Promise<(Pick<Referred, "contract"> & { version: string }) | "hidden" | undefined> {
    const name = `${plural}.${group}`;
    const reading = this.#labels.get(name) ?? this.#readLabels(name);
    this.#labels.set(name, reading);
    const labels = await reading;
    if (labels === "hidden") return "hidden";
    const contract = contracts.find((one) => labels[`${clusterApiGroup}/${one}`]);
    const versions = labels[`${clusterApiGroup}/${contract}`]?.split("_") ?? [];
    const version = versions.toSorted(byAge).at(-1);
    return contract && version ? { contract, version } : undefined;
  }

  async #readLabels(name: string): Promise<Labels> {
    try {
      const { metadata } = await this.#client.resource<KubeObject>(definitions).get({ name });
      return metadata.labels ?? {};
    } catch (error) {
      if (isForbidden(error)) return "hidden";
      throw error;
    }
  }
}

/** The contract v1beta1 has conditions with severities beside the field `ready`. */
function contractOf({ status }: TreeObject): string {
  const { ready, v1beta2, initialization, conditions } = Object(status);
  if (initialization !== undefined) return "v1beta2";
  const hasSeverity = Array.isArray(conditions) && conditions.some((one) => one?.severity);
  return ready !== undefined || v1beta2 !== undefined || hasSeverity ? "v1beta1" : "v1beta2";
}

/** "infrastructure.team1.example.com" for "infrastructure.cluster.x-k8s.io" and that core. */
function ownGroup(group: string, coreGroup: string): string {
  const end = `.${clusterApiGroup}`;
  return group.endsWith(end) ? `${group.slice(0, -end.length)}.${coreGroup}` : group;
}

const maturity = ["alpha", "beta", undefined];

/** Orders API versions: v1alpha1, v1beta1, v1beta2, v1. */
function byAge(a: string, b: string): number {
  const [one, other] = [a, b].map((version) => {
    const [, major = "0", stage, minor = "0"] =
      /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    return [maturity.indexOf(stage), Number(major), Number(minor)];
  }) as [number[], number[]];
  return one.map((part, index) => part - (other[index] ?? 0)).find((part) => part !== 0) ?? 0;
}
