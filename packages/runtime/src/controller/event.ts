import type { ObjectMeta } from "@rookery/kube";

/** An object, as far as events need it. */
export interface WithMetadata {
  readonly metadata: ObjectMeta;
}

export interface CreateEvent<T> {
  readonly type: "create";
  readonly object: T;
  /** Whether the object existed when the watch started. */
  readonly isInInitialList: boolean;
}

/** A change, or a resync if both objects have the same resourceVersion. */
export interface UpdateEvent<T> {
  readonly type: "update";
  readonly objectOld: T;
  readonly objectNew: T;
}

export interface DeleteEvent<T> {
  readonly type: "delete";
  /** The last known state of the object. */
  readonly object: T;
  /** Whether the deletion itself was missed: the object may have changed before it. */
  readonly deleteStateUnknown: boolean;
}

/** An event from outside of Kubernetes, such as a timer or another system. */
interface GenericEvent<T> {
  readonly type: "generic";
  readonly object: T;
}

export type Event<T> = CreateEvent<T> | UpdateEvent<T> | DeleteEvent<T> | GenericEvent<T>;

/** The object after the event. */
export function objectOf<T>(event: Event<T>): T {
  return event.type === "update" ? event.objectNew : event.object;
}

/** The object of the event; for an update, before and after it. */
export function objectsOf<T>(event: Event<T>): readonly T[] {
  return event.type === "update" ? [event.objectOld, event.objectNew] : [event.object];
}

/** Whether the event is part of an initial list or a resync, and not a change. */
export function isUnchanged<T extends WithMetadata>(event: Event<T>): boolean {
  if (event.type === "create") return event.isInInitialList;
  if (event.type !== "update") return false;
  return event.objectOld.metadata.resourceVersion === event.objectNew.metadata.resourceVersion;
}
