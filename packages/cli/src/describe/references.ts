import { type Client, NoMatchError } from "@rookery/client";
import { type Contract, clusterApiGroup, contractVersionOf } from "@rookery/cluster-api";
import {
  builtInResources,
  type KubeObject,
  type ObjectMeta,
  type Resource,
  StatusError,
} from "@rookery/kube";
import { ignoreForbidden } from "../objects.ts";
import type { TreeObject } from "./tree-node.ts";

/** A reference between objects of Cluster API; the contract determines the version. */
interface Reference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** An object of a provider, in the version of its contract; else in the preferred version. */
export interface Referred {
  readonly object: TreeObject;
  readonly contract: Contract;
}

const definitions = builtInResources.customResourceDefinitions;

/** The metadata of a definition, which the user may not be allowed to read. */
type Definition = ObjectMeta | "hidden";

interface CoreScope {
  readonly namespace: string;
  readonly group: string;
}

/** Reads referenced objects. With API groups of its own, a core has references with the original groups. */
export class ReferenceReader {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #coreGroup: string;
  readonly #definitions = new Map<string, Promise<Definition>>();

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
      const definition = await this.#definitionOf(resource);
      const found = definition === "hidden" ? resource : contractVersionOf(definition);
      if (!found) return undefined;
      const { version } = found;
      const objects = this.#client.resource<TreeObject>({ ...resource, version });
      const object = await objects.get({ namespace: this.#namespace, name });
      return { object, contract: "contract" in found ? found.contract : contractOf(object) };
    } catch (error) {
      if (error instanceof StatusError || error instanceof NoMatchError) return undefined;
      throw error;
    }
  }

  #definitionOf({ plural, group }: Resource): Promise<Definition> {
    const name = `${plural}.${group}`;
    const reading = this.#definitions.get(name) ?? this.#readDefinition(name);
    this.#definitions.set(name, reading);
    return reading;
  }

  async #readDefinition(name: string): Promise<Definition> {
    const definition = this.#client.resource<KubeObject>(definitions).get({ name });
    return (await ignoreForbidden(definition))?.metadata ?? "hidden";
  }
}

/** The contract v1beta1 has conditions with severities beside the field `ready`. */
function contractOf({ status }: TreeObject): Contract {
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
