import { type Client, getOptional, ignoreNotFound } from "@rookery/client";
import { type Component, type ComponentKey, componentKeyOf } from "@rookery/components";
import type { KubeObject, PartialObjectMetadata } from "@rookery/kube";
import { KindNotServedError } from "../errors.ts";
import { componentResource } from "./component-resource.ts";
import { metadataOf } from "./metadata-of.ts";

/** As whom the operator applies components: what it owns of them is told by this name. */
export const fieldManager = "rookery-operator";

export interface ApplyComponentOptions {
  readonly signal?: AbortSignal;
  /** Another field manager, for an object that several providers write to. */
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
}

export interface DeleteComponentOptions {
  readonly signal?: AbortSignal;
  readonly foreground?: boolean;
}

/** Reads and writes components of any kind by their keys. */
export class ComponentClient {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Server-side apply, over whoever else has set the same fields; only metadata comes back. */
  async apply(
    component: Component,
    options: ApplyComponentOptions = {},
  ): Promise<PartialObjectMetadata> {
    const key = componentKeyOf(component);
    const resource = await componentResource(key, this.#client);
    if (resource === undefined) throw new KindNotServedError(key);
    const { signal, dryRun = false } = options;
    return metadataOf(this.#client, resource).apply(component, {
      fieldManager: options.fieldManager ?? fieldManager,
      force: true,
      dryRun,
      // What is no field is refused all the same; to look for doubled ones, the server would read it twice.
      fieldValidation: "Ignore",
      signal,
    });
  }

  /** Undefined where it is not there, or nobody serves its kind. */
  async getMetadata(
    key: ComponentKey,
    signal?: AbortSignal,
  ): Promise<PartialObjectMetadata | undefined> {
    const resource = await componentResource(key, this.#client);
    if (resource === undefined) return undefined;
    const { name, namespace } = key;
    const objects = metadataOf(this.#client, resource);
    return getOptional(objects, { name, ...(namespace && { namespace }) }, { signal });
  }

  async get(key: ComponentKey, signal?: AbortSignal): Promise<Component | undefined> {
    const resource = await componentResource(key, this.#client);
    if (resource === undefined) return undefined;
    const { name, namespace } = key;
    const objects = this.#client.resource<Component>(resource);
    return getOptional(objects, { name, ...(namespace && { namespace }) }, { signal });
  }

  /** Takes a finalizer off, where it is there. */
  async release(
    key: ComponentKey,
    { finalizer, signal }: { readonly finalizer: string; readonly signal?: AbortSignal },
  ): Promise<void> {
    const found = await this.getMetadata(key, signal);
    const resource = found && (await componentResource(key, this.#client));
    const { finalizers = [], resourceVersion } = found?.metadata ?? {};
    if (resource === undefined || !finalizers.includes(finalizer)) return;
    const rest = finalizers.filter((one) => one !== finalizer);
    const { name, namespace } = key;
    const patched = this.#client
      .resource<KubeObject>(resource)
      .patch(
        { name, ...(namespace && { namespace }) },
        { type: "merge", patch: { metadata: { finalizers: rest, resourceVersion } } },
        { fieldManager, signal },
      );
    await ignoreNotFound(patched);
  }

  /**
   * Asks it to go, once, and resolves to whether it is gone. A workload goes in the foreground: it is
   * there until its pods are gone.
   */
  async delete(key: ComponentKey, options: DeleteComponentOptions = {}): Promise<boolean> {
    const { signal, foreground = false } = options;
    const found = await this.getMetadata(key, signal);
    const resource = found && (await componentResource(key, this.#client));
    if (found === undefined || resource === undefined) return true;
    if (found.metadata.deletionTimestamp !== undefined) return false;
    const { name, namespace } = key;
    const { uid } = found.metadata;
    const deleted = this.#client.resource<KubeObject>(resource).delete(
      { name, ...(namespace && { namespace }) },
      {
        propagationPolicy: foreground ? "Foreground" : "Background",
        ...(uid !== undefined && { preconditions: { uid } }),
        signal,
      },
    );
    const answer = await ignoreNotFound(deleted);
    return answer === undefined || answer.kind === "Status";
  }
}
