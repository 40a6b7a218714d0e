import { formatObjectKey, type GroupKind, type OwnerReference, objectKeyOf } from "@rookery/kube";
import { lowPriority } from "../queue/work-queue.ts";
import { type Event, isUnchanged, objectOf, objectsOf, type WithMetadata } from "./event.ts";
import type { Request, RequestQueue } from "./request.ts";

/** Turns an event into requests. If the handler throws, it gets the event again later. */
export type EventHandler<T extends WithMetadata = WithMetadata> = (
  event: Event<T>,
  queue: RequestQueue,
) => void | Promise<void>;

/** The requests for an object, which may be of another kind. */
export type MapFunction<T extends WithMetadata> = (
  object: T,
) => readonly Request[] | Promise<readonly Request[]>;

export interface OwnerOptions {
  readonly owner: GroupKind;
  /** Whether only the owner that is the controller counts. */
  readonly controllerOnly?: boolean;
}

/** Requests the object of the event. */
export function enqueueRequestForObject<T extends WithMetadata>(): EventHandler<T> {
  return (event, queue) => enqueue(event, [objectKeyOf(objectOf(event))], queue);
}

/** Requests the owners of a kind; for an update, also the former ones. */
export function enqueueRequestForOwner<T extends WithMetadata>(
  options: OwnerOptions,
): EventHandler<T> {
  return (event, queue) => {
    const requests = objectsOf(event).flatMap((object) => ownersOf(object, options));
    enqueue(event, requests, queue);
  };
}

/** Requests what a function maps the object to; for an update, both the old and the new object. */
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

function ownersOf(
  { metadata }: WithMetadata,
  { owner, controllerOnly = false }: OwnerOptions,
): Request[] {
  const { ownerReferences = [], namespace } = metadata;
  return ownerReferences
    .filter((reference) => isOfKind(reference, owner))
    .filter((reference) => !controllerOnly || reference.controller === true)
    .map(({ name }) => ({ name, ...(namespace && { namespace }) }));
}

/** Never throws, whatever an owner reference contains. */
function isOfKind({ apiVersion, kind }: OwnerReference, owner: GroupKind): boolean {
  const group = apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf("/")));
  return kind === owner.kind && group === owner.group;
}

/** Adds each request once; requests from events without a change get a low priority. */
function enqueue<T extends WithMetadata>(
  event: Event<T>,
  requests: readonly Request[],
  queue: RequestQueue,
): void {
  const priority = isUnchanged(event) ? lowPriority : 0;
  const unique = new Map(requests.map((request) => [formatObjectKey(request), request]));
  for (const request of unique.values()) queue.add(request, priority);
}
