import { deepEqual } from "@rookery/kube";
import { type Event, objectOf, type UpdateEvent, type WithMetadata } from "./event.ts";

/** Whether an event is accepted. */
export type Predicate<T extends WithMetadata = WithMetadata> = (event: Event<T>) => boolean;

/** Accepts updates that the function accepts, and every other event. */
function updates(isAccepted: (event: UpdateEvent<WithMetadata>) => boolean): Predicate {
  return (event) => event.type !== "update" || isAccepted(event);
}

/** Rejects resyncs. */
export const resourceVersionChanged = updates(
  ({ objectOld, objectNew }) =>
    objectOld.metadata.resourceVersion !== objectNew.metadata.resourceVersion,
);

/**
 * Rejects updates of metadata and status alone. Changes of the spec increase the generation of custom resources, and
 * so does a deletion with finalizers. Kinds without a generation, such as Secrets, are never accepted.
 */
export const generationChanged = updates(
  ({ objectOld, objectNew }) => objectOld.metadata.generation !== objectNew.metadata.generation,
);

export const labelsChanged = updates(
  ({ objectOld, objectNew }) =>
    !deepEqual(objectOld.metadata.labels ?? {}, objectNew.metadata.labels ?? {}),
);

export const annotationsChanged = updates(
  ({ objectOld, objectNew }) =>
    !deepEqual(objectOld.metadata.annotations ?? {}, objectNew.metadata.annotations ?? {}),
);

/** Accepts events by their object; for an update, by the new one. */
export function objectMatches<T extends WithMetadata>(
  isAccepted: (object: T) => boolean,
): Predicate<T> {
  return (event) => isAccepted(objectOf(event));
}

/** Accepts events that one of the predicates accepts. */
export function or<T extends WithMetadata>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((predicate) => predicate(event));
}

/** Accepts events that the predicate rejects. */
export function not<T extends WithMetadata>(predicate: Predicate<T>): Predicate<T> {
  return (event) => !predicate(event);
}
