import { type Client, getOptional, ignoreNotFound, withSignal } from "@rookery/client";
import {
  type Clock,
  type KubeObject,
  objectKeyOf,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import {
  type Cache,
  type Commit,
  createResourceCommitter,
  type EventRecorder,
  type Informer,
  type Logger,
  type Metrics,
  type Request,
} from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";
import { componentLabel } from "../names.ts";
import { SecretMemo } from "../pki/secret-memo.ts";
import { type Allowances, noAllowances } from "../policy/allowances.ts";
import { secrets } from "../resources.ts";
import { type ControlPlaneOf, controlPlaneOf } from "./home.ts";
import type { SecretInputs } from "./secret-inputs.ts";

/** What every controller of components is made with. */
export interface ComponentControllerOptions {
  readonly client: Client;
  readonly cache: Cache;
  /** The Clusters of Cluster API, in the version that the server prefers. */
  readonly ownerClusters: Resource;
  /** All Secrets that might be those of control planes. */
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  readonly recorder: EventRecorder;
  /** Where images come from whose name is not in a spec; registry.k8s.io where absent. */
  readonly imageRepository?: string | undefined;
  /** What API servers of the profile light run where their spec names no image. */
  readonly rookeryImage?: string | undefined;
  /** What specs may say beside what is harmless; nothing where absent. */
  readonly allowances?: Allowances | undefined;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock?: Clock;
}

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** What one reconcile of a component needs of the world. */
export interface ComponentDependencies<T extends ComponentObject> {
  readonly get: (key: Request) => Promise<T | undefined>;
  /** Writes what changed; returns the object as it is then. */
  readonly commit: Commit<T>;
  readonly getControlPlane: (component: T) => Promise<ControlPlaneOf | undefined>;
  readonly getSecret: (key: Request) => Promise<Secret | undefined>;
  /** What was found in the Secrets of a component, by its key. */
  readonly memo: SecretMemo<SecretInputs>;
  /** An object of a component, as it was seen last. */
  readonly find: <O extends KubeObject>(resource: Resource, key: Request) => Promise<O | undefined>;
  /** All objects of components in a namespace that have these labels. */
  readonly list: <O extends KubeObject>(
    resource: Resource,
    namespace: string,
    labels: Readonly<Record<string, string>>,
  ) => Promise<readonly O[]>;
  /** Asks the server, for what others may have made. */
  readonly read: <O extends KubeObject>(resource: Resource, key: Request) => Promise<O | undefined>;
  readonly apply: (resource: Resource, object: KubeObject) => Promise<KubeObject>;
  /** Deletes this very object; one that is gone is no error. */
  readonly remove: (resource: Resource, object: KubeObject) => Promise<void>;
  readonly recorder: EventRecorder;
  readonly imageRepository: string;
  readonly allowances: Allowances;
  readonly clock: Clock;
}

const fieldManager = "rookery-nested";

/** Objects of components alone: those of others in the cluster are not kept in memory. */
export function informerOfComponents<O extends KubeObject>(
  cache: Cache,
  resource: Resource,
): Informer<O> {
  return cache.informerFor<O>(resource, { labelSelector: componentLabel });
}

/** What each reconcile is given: what it asks of servers ends with its signal. */
export type OfReconcile<D> = (signal: AbortSignal) => D;

export function componentDependencies<T extends ComponentObject>(
  resource: Resource,
  options: ComponentControllerOptions & { readonly imageRepository: string },
): OfReconcile<ComponentDependencies<T>> {
  const { clock = () => new Date() } = options;
  const versionOf = (namespace: string, name: string) =>
    options.secretMetadata.get({ namespace, name })?.metadata.resourceVersion;
  const memo = new SecretMemo<SecretInputs>(versionOf, clock);
  return (signal) => {
    const client = withSignal(options.client, signal);
    return dependenciesOver<T>(resource, { ...options, client, clock, memo });
  };
}

function dependenciesOver<T extends ComponentObject>(
  resource: Resource,
  options: ComponentControllerOptions &
    Pick<ComponentDependencies<T>, "imageRepository" | "memo" | "clock">,
): ComponentDependencies<T> {
  const { client, cache, recorder, imageRepository, memo, clock } = options;
  const { allowances = noAllowances } = options;
  const informerOf = async <O extends KubeObject>(kind: Resource) => {
    const informer = informerOfComponents<O>(cache, kind);
    await informer.waitForSync();
    return informer;
  };
  return {
    get: (key) => cache.get<T>(resource, key),
    commit: createResourceCommitter(client.resource<T>(resource)),
    getControlPlane: (component) => controlPlaneOf(component, options),
    memo,
    getSecret: (key) => getOptional(client.resource<Secret>(secrets), key),
    find: async <O extends KubeObject>(kind: Resource, key: Request) =>
      (await informerOf<O>(kind)).get(key),
    list: async <O extends KubeObject>(
      kind: Resource,
      namespace: string,
      labels: Readonly<Record<string, string>>,
    ) => (await informerOf<O>(kind)).list({ namespace }).filter((one) => hasLabels(one, labels)),
    read: (kind, key) => getOptional(client.resource(kind), key) as never,
    apply: (kind, object) =>
      client.resource(kind).apply(object, { fieldManager, force: true, fieldValidation: "Strict" }),
    remove: async (kind, object) => {
      const { uid } = object.metadata;
      const preconditions = { ...(uid !== undefined && { uid }) };
      const deletion = { preconditions, propagationPolicy: "Background" } as const;
      await ignoreNotFound(client.resource(kind).delete(objectKeyOf(object), deletion));
    },
    recorder,
    imageRepository,
    allowances,
    clock,
  };
}

function hasLabels({ metadata }: KubeObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value);
}
