import { formatObjectKey, type GroupKind, type OwnerReference, objectKeyOf } from "@rookery/kube";
import { lowPriority } from "../queue/work-queue.ts";
import { type Event, isUnchanged, objectOf, objectsOf, type WithMetadata } from "./event.ts";
import type { Request, RequestQueue } from "./request.ts";

/** Turns an event into requests. Where it throws, the event is given to it again later. */
export type EventHandler<T extends WithMetadata = WithMetadata> = (
  event: Event<T>,
  queue: RequestQueue,
) => void | Promise<void>;

/** The requests for an object, be it of another kind. */
export type MapFunction<T extends WithMetadata> = (
  object: T,
) => readonly Request[] | Promise<readonly Request[]>;

export interface OwnerOptions {
  readonly owner: GroupKind;
  /** Whether only the owner that is the controller counts. */
  readonly controllerOnly?: boolean;
  /** Whether owners have no namespace; by default they are in that of the object. */
  readonly clusterScoped?: boolean;
}

/** Asks for the object of the event itself. */
export function enqueueRequestForObject<T extends WithMetadata>(): EventHandler<T> {
  return (event, queue) => enqueue(event, [objectKeyOf(objectOf(event))], queue);
}

/** Asks for those of the object's owners that are of a kind; in an update, also for former ones. */
export function enqueueRequestForOwner<T extends WithMetadata>(
  options: OwnerOptions,
): EventHandler<T> {
  return (event, queue) => {
    const requests = objectsOf(event).flatMap((object) => ownersOf(object, options));
    enqueue(event, requests, queue);
  };
}

/** Asks for what a function maps the object to; in an update, both the old and the new one. */
export function enqueueRequestsFromMapFunction<T extends WithMetadata>(
  map: MapFunction<T>,
): EventHandler<T> {
  return (event, queue) => {
    const mapped = objectsOf(event).map((object) => map(object));
    if (mapped.every((requests) => Array.isArray(requests))) {
      enqueue(event, mapped.flat(), queue);
      return undefined;
    }
    return Promise.all(mapped).then((requests) => enqueue(event, requests.flat(), queue));
  };
}

function ownersOf({ metadata }: WithMetadata, options: OwnerOptions): Request[] {
  const { owner, controllerOnly = false, clusterScoped = false } = options;
  return (metadata.ownerReferences ?? [])
    .filter((reference) => isOfKind(reference, owner))
    .filter((reference) => !controllerOnly || reference.controller === true)
    .map(({ name }) => {
      const { namespace } = metadata;
      return clusterScoped || !namespace ? { name } : { namespace, name };
    });
}

function isOfKind({ apiVersion, kind }: OwnerReference, owner: GroupKind): boolean {
  return kind === owner.kind && groupOf(apiVersion) === owner.group;
}

/** Never throws: what an owner reference says is not ours to refuse. */
function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf("/")));
}

/** Each request once; those of an event in which nothing happened go behind the others. */
function enqueue<T extends WithMetadata>(
  event: Event<T>,
  requests: readonly Request[],
  queue: RequestQueue,
): void {
  const priority = isUnchanged(event) ? lowPriority : 0;
  const unique = new Map(requests.map((request) => [formatObjectKey(request), request]));
  for (const request of unique.values()) queue.add(request, priority);
}
