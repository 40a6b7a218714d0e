import type { ObjectMeta } from "@rookery/kube";

/** What an event needs to know of an object. */
export interface WithMetadata {
  readonly metadata: ObjectMeta;
}

export interface CreateEvent<T> {
  readonly type: "create";
  readonly object: T;
  /** Whether the object was there when the watch began. */
  readonly isInInitialList: boolean;
}

/** A change, or a resync where both are of the same resourceVersion. */
export interface UpdateEvent<T> {
  readonly type: "update";
  readonly objectOld: T;
  readonly objectNew: T;
}

export interface DeleteEvent<T> {
  readonly type: "delete";
  /** The object as it was last seen. */
  readonly object: T;
  /** Whether the deletion itself was missed, so that the object may have changed before. */
  readonly deleteStateUnknown: boolean;
}

/** Something that is not about a change in Kubernetes: a timer, another system. */
export interface GenericEvent<T> {
  readonly type: "generic";
  readonly object: T;
}

export type Event<T> = CreateEvent<T> | UpdateEvent<T> | DeleteEvent<T> | GenericEvent<T>;

/** The object as it is after the event. */
export function objectOf<T>(event: Event<T>): T {
  return event.type === "update" ? event.objectNew : event.object;
}

/** The object as it is after the event, and before it what it was. */
export function objectsOf<T>(event: Event<T>): readonly T[] {
  return event.type === "update" ? [event.objectOld, event.objectNew] : [event.object];
}

/** Whether nothing happened to the object: it was just listed, or listed again. */
export function isUnchanged<T extends WithMetadata>(event: Event<T>): boolean {
  switch (event.type) {
    case "create":
      return event.isInInitialList;
    case "update":
      return event.objectOld.metadata.resourceVersion === event.objectNew.metadata.resourceVersion;
    case "delete":
    case "generic":
      return false;
  }
}
