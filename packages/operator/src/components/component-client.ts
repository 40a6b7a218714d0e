import {
  type Client,
  createClientOver,
  getOptional,
  ignoreNotFound,
  NoMatchError,
  type ResourceClient,
} from "@rookery/client";
import {
  type Component,
  type ComponentKey,
  componentKeyOf,
  componentKinds,
} from "@rookery/components";
import { compose } from "@rookery/http";
import type { GroupVersionKind, KubeObject, PartialObjectMetadata, Resource } from "@rookery/kube";
import { KindNotServedError } from "../errors.ts";

const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

/** Transfers only the metadata of single objects; `metadataOnlyClient` does it for lists. */
export function metadataOf(
  { handler }: Pick<Client, "handler">,
  resource: Resource,
): Pick<ResourceClient<PartialObjectMetadata>, "apply" | "get"> {
  const accepting = compose(handler, (next) => (request) => {
    return next({ ...request, headers: { ...request.headers, accept } });
  });
  return createClientOver(accepting).resource(resource);
}

/** The field manager of components; drift is detected by the fields that it owns. */
export const fieldManager = "rookery-operator";

/** Reads and writes components of any kind by their keys. Kinds that are not served have no objects. */
export class ComponentClient {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Server-side apply with force; only metadata comes back. */
  async apply(component: Component, manager = fieldManager): Promise<PartialObjectMetadata> {
    const key = componentKeyOf(component);
    const resource = await componentResource(key, this.#client);
    if (resource === undefined) throw new KindNotServedError(key);
    // Unknown fields are rejected anyway; to find duplicate ones, the server would parse twice.
    const options = { fieldManager: manager, force: true, fieldValidation: "Ignore" } as const;
    return metadataOf(this.#client, resource).apply(component, options);
  }

  async getMetadata(key: ComponentKey): Promise<PartialObjectMetadata | undefined> {
    const resource = await componentResource(key, this.#client);
    return resource && getOptional(metadataOf(this.#client, resource), objectKeyIn(key));
  }

  async get(key: ComponentKey): Promise<Component | undefined> {
    const objects = await this.#objects<Component>(key);
    return objects && getOptional(objects, objectKeyIn(key));
  }

  async release(key: ComponentKey, finalizer: string): Promise<void> {
    const found = await this.getMetadata(key);
    const { finalizers = [], resourceVersion } = found?.metadata ?? {};
    const objects = await this.#objects(key);
    if (objects === undefined || !finalizers.includes(finalizer)) return;
    const rest = finalizers.filter((one) => one !== finalizer);
    const patch = { metadata: { finalizers: rest, resourceVersion } };
    await ignoreNotFound(
      objects.patch(objectKeyIn(key), { type: "merge", patch }, { fieldManager }),
    );
  }

  /** Requests the deletion once; returns whether the object is gone. */
  async delete(
    key: ComponentKey,
    propagationPolicy: "Foreground" | "Background" = "Background",
  ): Promise<boolean> {
    const found = await this.getMetadata(key);
    const objects = await this.#objects(key);
    if (found === undefined || objects === undefined) return true;
    const { uid, deletionTimestamp } = found.metadata;
    if (deletionTimestamp !== undefined) return false;
    const preconditions = uid !== undefined && { preconditions: { uid } };
    const answer = await ignoreNotFound(
      objects.delete(objectKeyIn(key), { propagationPolicy, ...preconditions }),
    );
    return answer === undefined || answer.kind === "Status";
  }

  async #objects<T extends KubeObject>(key: ComponentKey): Promise<ResourceClient<T> | undefined> {
    const resource = await componentResource(key, this.#client);
    return resource && this.#client.resource<T>(resource);
  }
}

function objectKeyIn({ name, namespace }: ComponentKey) {
  return { name, ...(namespace && { namespace }) };
}

/** Undefined for a kind that the API server does not serve. */
export async function componentResource(
  key: Pick<ComponentKey, "group" | "version" | "kind">,
  { mapper }: Pick<Client, "mapper">,
): Promise<Resource | undefined> {
  const known = knownResource(key);
  if (known) return known;
  try {
    return await mapper.resourceForKind(key);
  } catch (error) {
    if (error instanceof NoMatchError) return undefined;
    throw error;
  }
}

/** Without discovery, for kinds that all components may have. */
function knownResource({ group, version, kind }: GroupVersionKind): Resource | undefined {
  const known = componentKinds.find((one) => one.group === group && one.kind === kind);
  if (known === undefined) return undefined;
  const { plural, namespaced } = known;
  return { group, version, kind, plural, singular: kind.toLowerCase(), namespaced };
}
