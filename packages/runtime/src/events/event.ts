import {
  builtInResources,
  type KubeObject,
  type MicroTime,
  type ObjectKey,
  type Resource,
} from "@rookery/kube";

export type EventType = "Normal" | "Warning";

/** A v1 ObjectReference: the object of an event. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** A part of the object, such as "spec.containers{web}". */
  readonly fieldPath?: string;
}

export interface EventSeries {
  /** At least 2. */
  readonly count: number;
  readonly lastObservedTime: MicroTime;
}

/** An events.k8s.io/v1 Event. */
export interface KubeEvent extends Omit<KubeObject, "spec" | "status"> {
  readonly eventTime: MicroTime;
  readonly series?: EventSeries;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly action: string;
  readonly reason: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference;
  readonly note: string;
  readonly type: EventType;
}

export const eventResource: Resource = { ...builtInResources.events, group: "events.k8s.io" };

interface Options {
  readonly signal: AbortSignal;
}

/** The requests for events; a ResourceClient of events has them. Rejects with StatusErrors. */
export interface EventClient {
  create(event: KubeEvent, options: Options): Promise<KubeEvent>;
  patch(
    key: ObjectKey,
    patch: { readonly type: "merge"; readonly patch: { readonly series?: EventSeries } },
    options: Options,
  ): Promise<KubeEvent>;
}
