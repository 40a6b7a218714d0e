import { type Client, getOptional, ignoreNotFound, type ResourceClient } from "@rookery/client";
import { type Component, type ComponentKey, componentKeyOf } from "@rookery/components";
import type { KubeObject, PartialObjectMetadata } from "@rookery/kube";
import { KindNotServedError } from "../errors.ts";
import { componentResource } from "./component-resource.ts";
import { metadataOf } from "./metadata-of.ts";

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

  /** Removes a finalizer if the object has it. */
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

  /**
   * Requests the deletion once, and returns whether the object is gone. With the foreground policy an
   * object exists until its dependents, such as pods, are gone.
   */
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
