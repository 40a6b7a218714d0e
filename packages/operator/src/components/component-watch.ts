import type { Client } from "@rookery/client";
import { clusterctlLabel, providerLabel } from "@rookery/cluster-api";
import { type ComponentKey, componentKinds } from "@rookery/components";
import type { PartialObjectMetadata, Resource } from "@rookery/kube";
import {
  type Cache,
  createCache,
  type Informer,
  type Logger,
  type ObjectEvent,
} from "@rookery/runtime";
import { deployments, pods } from "../resources.ts";
import { type Deployment, isScaledDown } from "./deployment.ts";
import { withOwnManagedFieldsOnly } from "./managed-fields.ts";
import { instancePodLabel } from "./watch-annotation.ts";

/** Groups with an operator of their own, which may not be served. */
const optionalGroups: ReadonlySet<string> = new Set(["cert-manager.io", "monitoring.coreos.com"]);
/** Kinds that old API servers do not serve; a watch would keep the operator from starting. */
const optionalKinds: ReadonlySet<string> = new Set([
  "HorizontalPodAutoscaler",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
]);

/** Watches the components of all providers; for most only the metadata, whose managed fields show drift. */
export class ComponentWatch {
  /** To be run by the manager. */
  readonly cache: Cache;
  readonly #deployments: Informer<Deployment>;
  readonly #instancePods: Informer<PartialObjectMetadata>;
  readonly #metadata: ReadonlyMap<string, Informer<PartialObjectMetadata>>;

  constructor({ client, logger }: { readonly client: Client; readonly logger: Logger }) {
    this.cache = createCache({ client, logger, transform: withOwnManagedFieldsOnly });
    const selection = { labelSelector: clusterctlLabel };
    this.#deployments = this.cache.informerFor<Deployment>(deployments, selection);
    const instancePods = { labelSelector: instancePodLabel };
    this.#instancePods = this.cache.metadataInformerFor(pods, instancePods);
    this.#metadata = new Map(
      watchedResources().map((resource) => [
        kindKey(resource),
        this.cache.metadataInformerFor(resource, selection),
      ]),
    );
  }

  /** Called for every change of a component, with its provider label. */
  onChange(handler: (label: string) => void): void {
    for (const informer of [this.#deployments, ...this.#metadata.values()]) {
      informer.addEventHandler((event) => {
        const { metadata } = objectAfter<PartialObjectMetadata>(event);
        const before = event.type === "update" ? event.objectOld.metadata : metadata;
        // A change of the label concerns both providers.
        const labels = [before, metadata].map(({ labels: all }) => all?.[providerLabel]);
        for (const label of new Set(labels)) if (label !== undefined) handler(label);
      });
    }
  }

  /** Called when a Deployment has lost its last pod, or is deleted. */
  onScaledDown(handler: () => void): void {
    this.#deployments.addEventHandler((event) => {
      const isNow = event.type === "delete" || isScaledDown(objectAfter(event));
      const wasBefore = event.type === "update" && isScaledDown(event.objectOld);
      if (isNow && !wasBefore) handler();
    });
  }

  /** Called when a pod of an instance is deleted, with the label of its provider. */
  onInstancePodGone(handler: (label: string) => void): void {
    this.#instancePods.addEventHandler((event) => {
      const label = objectAfter(event).metadata.labels?.[instancePodLabel];
      if (event.type === "delete" && label !== undefined) handler(label);
    });
  }

  observe(key: ComponentKey): PartialObjectMetadata | "unwatched" | undefined {
    const { name, namespace } = key;
    const target = { name, ...(namespace && { namespace }) };
    const isDeployment = kindKey(key) === kindKey(deployments);
    const informer = isDeployment ? this.#deployments : this.#metadata.get(kindKey(key));
    return informer?.hasSynced ? informer.get(target) : "unwatched";
  }

  deployments(namespace: string, label: string): readonly Deployment[] {
    return this.#deployments
      .list({ namespace })
      .filter(({ metadata }) => metadata.labels?.[providerLabel] === label);
  }
}

function objectAfter<T>(event: ObjectEvent<T>): T {
  return event.type === "update" ? event.objectNew : event.object;
}

function watchedResources(): readonly Resource[] {
  return componentKinds
    .filter(({ group, kind }) => !optionalGroups.has(group) && !optionalKinds.has(kind))
    .filter(({ kind }) => kind !== "Deployment")
    .map(({ stage: _, ...kind }) => ({
      ...kind,
      version: "v1",
      singular: kind.kind.toLowerCase(),
    }));
}

function kindKey({ group, kind }: Pick<ComponentKey, "group" | "kind">): string {
  return `${group}/${kind}`;
}
