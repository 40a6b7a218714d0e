import { getOptional, ignoreNotFound } from "@rookery/client";
import {
  type Clock,
  type KubeObject,
  objectKeyOf,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import type {
  EventRecorder,
  Informer,
  LifecycleScope,
  ReconcileCache,
  ReconcileContext,
  Request,
} from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";
import { componentLabel } from "../names.ts";
import type { NestedParts } from "../parts.ts";
import type { Secret } from "../pki/secret.ts";
import type { SecretMemo } from "../pki/secret-memo.ts";
import type { Allowances } from "../policy/allowances.ts";
import { secrets } from "../resources.ts";
import { type Parent, parentOf, type Siblings, siblingsOf } from "./parent.ts";
import type { SecretInputs } from "./secret-inputs.ts";

interface Common {
  readonly recorder: EventRecorder;
  /** The repository of images that no spec names. */
  readonly imageRepository: string;
  /** The allowed fields of specs besides harmless ones. */
  readonly allowances: Allowances;
  readonly clock: Clock;
}

export interface ComponentParts extends NestedParts, Common {
  /** The metadata of all Secrets. */
  readonly secretMetadata: Informer<PartialObjectMetadata>;
}

export interface ComponentScope<T extends ComponentObject = never>
  extends LifecycleScope<T>,
    Common {
  readonly getParent: (component: T) => Promise<Parent | undefined>;
  readonly getSiblings: (parent: Parent) => Promise<Siblings>;
  readonly getSecret: (key: Request) => Promise<Secret | undefined>;
  readonly memo: SecretMemo<SecretInputs>;
  /** Reads an object of a component from the cache. */
  readonly find: <O extends KubeObject>(resource: Resource, key: Request) => Promise<O | undefined>;
  /** Lists the objects of components with these labels, from the cache. */
  readonly list: <O extends KubeObject>(
    resource: Resource,
    namespace: string,
    labels: Readonly<Record<string, string>>,
  ) => Promise<readonly O[]>;
  /** Reads an object from the server. */
  readonly read: <O extends KubeObject>(resource: Resource, key: Request) => Promise<O | undefined>;
  readonly apply: (resource: Resource, object: KubeObject) => Promise<KubeObject>;
  /** Deletes exactly this object, if it still exists. */
  readonly remove: (resource: Resource, object: KubeObject) => Promise<void>;
}

const fieldManager = "rookery-nested";

/** Watches the objects of components only, to save memory. */
export function informerOfComponents<O extends KubeObject>(
  cache: Pick<ReconcileCache, "informerFor">,
  resource: Resource,
): Informer<O> {
  return cache.informerFor<O>(resource, { labelSelector: componentLabel });
}

export function componentScope<T extends ComponentObject>(
  context: ReconcileContext<T>,
  parts: ComponentParts & Pick<ComponentScope, "memo">,
): ComponentScope<T> {
  const { client, cache, signal, get, commit } = context;
  const { memo, recorder, imageRepository, allowances, clock } = parts;
  const informerOf = async <O extends KubeObject>(resource: Resource) => {
    const informer = informerOfComponents<O>(cache, resource);
    await informer.waitForSync(signal);
    return informer;
  };
  return {
    get,
    commit,
    getParent: (component) => parentOf(component, context, parts),
    getSiblings: (parent) => siblingsOf(parent, cache),
    getSecret: (key) => getOptional(client.resource<Secret>(secrets), key),
    find: async <O extends KubeObject>(resource: Resource, key: Request) =>
      (await informerOf<O>(resource)).get(key),
    list: async <O extends KubeObject>(
      resource: Resource,
      namespace: string,
      labels: Readonly<Record<string, string>>,
    ) =>
      (await informerOf<O>(resource)).list({ namespace }).filter((one) => hasLabels(one, labels)),
    read: (resource, key) => getOptional(client.resource(resource), key) as never,
    apply: (resource, object) =>
      client
        .resource(resource)
        .apply(object, { fieldManager, force: true, fieldValidation: "Strict" }),
    remove: async (resource, object) => {
      const { uid } = object.metadata;
      const preconditions = { ...(uid !== undefined && { uid }) };
      const deletion = { preconditions, propagationPolicy: "Background" } as const;
      await ignoreNotFound(client.resource(resource).delete(objectKeyOf(object), deletion));
    },
    memo,
    recorder,
    imageRepository,
    allowances,
    clock,
  };
}

function hasLabels({ metadata }: KubeObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);
}
