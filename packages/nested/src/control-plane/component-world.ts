import { type Client, ignoreNotFound, NoMatchError } from "@rookery/client";
import {
  isForbidden,
  isNotFound,
  type ObjectKey,
  objectKeyOf,
  parseApiVersion,
  type Resource,
} from "@rookery/kube";
import { type Cache, createResourceCommitter } from "@rookery/runtime";
import { ControlPlaneError } from "../errors.ts";
import { apiServers, controllerManagers, etcds } from "../resources.ts";
import type { ComponentObject, ComponentReference } from "./component.ts";
import type { ControlPlaneDependencies } from "./scope.ts";

export interface ComponentWorldOptions {
  readonly client: Client;
  readonly cache: Cache;
  /** Hears of foreign kinds that control planes name and that can be read. */
  readonly onForeignKind: (resource: Resource) => void;
}

const ownKinds = [etcds, apiServers, controllerManagers];

/** Where the components of control planes are: those of ours, and of any kind that is served. */
export class ComponentWorld {
  readonly #options: ComponentWorldOptions;

  constructor(options: ComponentWorldOptions) {
    this.#options = options;
  }

  functions(): Pick<
    ControlPlaneDependencies,
    "findComponent" | "commitComponent" | "deleteComponent"
  > {
    return {
      findComponent: (reference, namespace) => this.#find(reference, namespace),
      commitComponent: async (original, desired, options) => {
        const resource = await this.#resourceOf(original);
        const resourceClient = this.#options.client.resource<ComponentObject>(resource);
        return permitted(original, () =>
          createResourceCommitter(resourceClient)(original, desired, options),
        );
      },
      deleteComponent: (component) => this.#delete(component),
    };
  }

  async #find(
    reference: ComponentReference,
    namespace: string,
  ): Promise<ComponentObject | undefined> {
    const key = { namespace, name: reference.name };
    const own = ownResource(reference);
    if (own) return this.#options.cache.get<ComponentObject>(own, key);
    try {
      const resource = await this.#resourceOf(reference);
      const found = await permitted(reference, () => this.#getLive(resource, key));
      this.#options.onForeignKind(resource);
      return found;
    } catch (error) {
      // A kind that is not served has no objects.
      if (error instanceof NoMatchError || isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Not from a cache: what may not be watched would never come. */
  #getLive(resource: Resource, key: ObjectKey): Promise<ComponentObject> {
    return this.#options.client.resource<ComponentObject>(resource).get(key);
  }

  async #delete(component: ComponentObject): Promise<void> {
    const resource = await this.#resourceOf(component);
    const { uid } = component.metadata;
    const options = { ...(uid && { preconditions: { uid } }) };
    const components = this.#options.client.resource(resource);
    await ignoreNotFound(components.delete(objectKeyOf(component), options));
  }

  async #resourceOf(reference: Pick<ComponentReference, "apiVersion" | "kind">): Promise<Resource> {
    const { group, version } = parseApiVersion(reference.apiVersion);
    const { kind } = reference;
    return (
      ownResource(reference) ??
      (await this.#options.client.mapper.resourceForKind({ group, version, kind }))
    );
  }
}

function ownResource({
  apiVersion,
  kind,
}: Pick<ComponentReference, "apiVersion" | "kind">): Resource | undefined {
  const { group } = parseApiVersion(apiVersion);
  return ownKinds.find((resource) => resource.group === group && resource.kind === kind);
}

async function permitted<T>(
  { kind, apiVersion }: Pick<ComponentReference, "apiVersion" | "kind">,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isForbidden(error)) throw error;
    throw new ControlPlaneError(
      "ComponentForbidden",
      `could not use ${kind} of ${apiVersion}: ${(error as Error).message}; allow the manager get, list, watch, ` +
        `patch and delete, by a ClusterRole with the label nested.rookery.dev/aggregate-to-manager: "true"`,
      { cause: error },
    );
  }
}
