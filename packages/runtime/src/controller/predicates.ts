import { deepEqual } from "@rookery/kube";
import { type Event, objectOf, type UpdateEvent, type WithMetadata } from "./event.ts";

/** Whether an event is of interest. */
export type Predicate<T extends WithMetadata = WithMetadata> = (event: Event<T>) => boolean;

/** Updates of which that is true, and every event that is no update. */
function updates(isOfInterest: (event: UpdateEvent<WithMetadata>) => boolean): Predicate {
  return (event) => event.type !== "update" || isOfInterest(event);
}

/** Leaves out resyncs. */
export const resourceVersionChanged = updates(
  ({ objectOld, objectNew }) =>
    objectOld.metadata.resourceVersion !== objectNew.metadata.resourceVersion,
);

/**
 * Leaves out updates of metadata and status alone. The generation grows with the spec, for custom
 * resources; kinds that have none, such as Secrets, never pass. Note that a deletion with finalizers
 * grows it too.
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

/** Events whose object is of interest; of an update, the new one. */
export function objectMatches<T extends WithMetadata>(
  isOfInterest: (object: T) => boolean,
): Predicate<T> {
  return (event) => isOfInterest(objectOf(event));
}

/** Events that all of the predicates let through. */
export function and<T extends WithMetadata>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.every((predicate) => predicate(event));
}

/** Events that one of the predicates lets through. */
export function or<T extends WithMetadata>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (event) => predicates.some((predicate) => predicate(event));
}

/** Events that the predicate does not let through. */
export function not<T extends WithMetadata>(predicate: Predicate<T>): Predicate<T> {
  return (event) => !predicate(event);
}
