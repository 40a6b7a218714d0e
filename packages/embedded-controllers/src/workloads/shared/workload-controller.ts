import type { LabelSelector } from "@rookery/api";
import type { StoreEntry } from "@rookery/kube";
import {
  compileSelector,
  controllerOf,
  isConflict,
  isNotFound,
  type ObjectKey,
  type Values,
} from "@rookery/kube";
import {
  type Controller,
  createController,
  createStoreSource,
  done,
  type Request,
  type Result,
  requestForEntry,
  requeue,
  type Source,
} from "@rookery/runtime";
import { findObject, type Kind, listObjects } from "./kinds.ts";
import type { Stored } from "./objects.ts";
import type { Scope, WorkloadContext } from "./workload-context.ts";

export interface WorkloadControllerOptions<T extends Stored> {
  /** As events name it, such as "deployment-controller". */
  readonly name: string;
  readonly kind: Kind<T>;
  /** Requests for objects of the kind; by default, each event is a request. */
  readonly source?: Source;
  /** Kinds whose objects it controls, or may adopt. */
  readonly dependents: readonly Kind<Stored>[];
  readonly sources?: readonly Source[];
  readonly reconcile: (object: T, scope: Scope) => Promise<Result>;
  /** Called when the object is gone. */
  readonly forget?: (key: ObjectKey) => void;
}

/** A controller of one kind, started by events of its objects and of their dependents. */
export function createWorkloadController<T extends Stored>(
  context: WorkloadContext,
  options: WorkloadControllerOptions<T>,
): Controller {
  const { name, kind } = options;
  const { store } = context;
  const recorder = context.recorder(name);
  return createController({
    name,
    logger: context.logger,
    maxConcurrentReconciles: 5,
    sources: [
      options.source ??
        createStoreSource({ store, resource: kind.stored, requestsOf: requestForEntry }),
      ...options.dependents.map((dependent) => dependentSource(context, kind, dependent)),
      ...(options.sources ?? []),
    ],
    reconcile: async (key, signal) => {
      const object = findObject(store, kind, key);
      if (object === undefined) {
        options.forget?.(key);
        return done;
      }
      try {
        return await options.reconcile(object, { context, recorder, signal });
      } catch (error) {
        // Another client wrote or deleted what was read.
        if (isConflict(error) || isNotFound(error)) return requeue;
        throw error;
      }
    },
  });
}

/** Requests for the present and former controllers of an object, and for owners that may adopt it. */
function dependentSource<T extends Stored>(
  { store }: WorkloadContext,
  kind: Kind<T>,
  dependent: Kind<Stored>,
): Source {
  const adopters = (entry: StoreEntry): Request[] =>
    listObjects(store, kind, entry.namespace)
      .filter((owner) => selectorOf(owner)(entry.object.metadata.labels))
      .map(({ metadata }) => ({ namespace: entry.namespace, name: metadata.name ?? "" }));
  const owners = (entry: StoreEntry): Request[] => {
    const controller = controllerOf(entry.object);
    if (controller?.kind !== kind.resource.kind) return [];
    return [{ namespace: entry.namespace, name: controller.name }];
  };
  return createStoreSource({
    store,
    resource: dependent.stored,
    requestsOf(entry, event) {
      const { previous } = event ?? {};
      const isOrphan = controllerOf(entry.object) === undefined && event?.deleted === undefined;
      return [
        ...owners(entry),
        ...(previous && previous !== entry ? owners(previous) : []),
        ...(isOrphan ? adopters(entry) : []),
      ];
    },
  });
}

/** Whether an owner selects labels; an owner without a selector selects nothing. */
export function selectorOf(owner: Stored): (labels: Values | undefined) => boolean {
  const { selector } = owner.spec as { selector?: LabelSelector };
  const compiled = compileSelector(selector);
  if (compiled === undefined || compiled.isEmpty) return () => false;
  return (labels = {}) => compiled.matches(labels);
}
