import { ignoreNotFound, NoMatchError } from "@rookery/client";
import {
  isForbidden,
  isNotFound,
  type KubeObject,
  objectKeyOf,
  parseApiVersion,
  type Resource,
} from "@rookery/kube";
import { type Commit, createResourceCommitter, type ReconcileContext } from "@rookery/runtime";
import { ControlPlaneError } from "../errors.ts";
import { type KindReference, ownResource } from "../resources.ts";
import type { ComponentObject, ComponentReference } from "./component.ts";

/** The components of control planes, of our kinds and of foreign ones. */
export interface ComponentObjects {
  /** Errors: ControlPlaneError if the manager may not read it. */
  readonly findComponent: (
    reference: ComponentReference,
    namespace: string,
  ) => Promise<ComponentObject | undefined>;
  readonly commitComponent: Commit<ComponentObject>;
  readonly deleteComponent: (component: ComponentObject) => Promise<void>;
}

/** Watches a foreign kind that a control plane names and the manager can read. */
export type WatchKind = (resource: Resource) => void;

export function componentObjects(
  { client, cache }: Pick<ReconcileContext<KubeObject>, "client" | "cache">,
  watchKind: WatchKind,
): ComponentObjects {
  const resourceOf = async ({ apiVersion, kind }: KindReference): Promise<Resource> => {
    const own = ownResource({ apiVersion, kind });
    return own ?? client.mapper.resourceForKind({ ...parseApiVersion(apiVersion), kind });
  };
  return {
    findComponent: async (reference, namespace) => {
      const key = { namespace, name: reference.name };
      const own = ownResource(reference);
      if (own) return cache.get<ComponentObject>(own, key);
      try {
        const resource = await resourceOf(reference);
        // Not from a cache, which would stay empty if the manager may not watch the kind.
        const components = client.resource<ComponentObject>(resource);
        const found = await permitted(reference, () => components.get(key));
        watchKind(resource);
        return found;
      } catch (error) {
        // A kind that is not served has no objects.
        if (error instanceof NoMatchError || isNotFound(error)) return undefined;
        throw error;
      }
    },
    commitComponent: async (original, desired, options) => {
      const components = client.resource<ComponentObject>(await resourceOf(original));
      const commit = createResourceCommitter(components);
      return permitted(original, () => commit(original, desired, options));
    },
    deleteComponent: async (component) => {
      const components = client.resource(await resourceOf(component));
      const { uid } = component.metadata;
      const options = { ...(uid && { preconditions: { uid } }) };
      await ignoreNotFound(components.delete(objectKeyOf(component), options));
    },
  };
}

async function permitted<T>(
  { kind, apiVersion }: KindReference,
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
