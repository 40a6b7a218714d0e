import type { Pod, Service } from "@rookery/api";

/** The time of the change that triggered the last write of the endpoints. */
const triggerAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

interface Known {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

/** Determines since when the endpoints of Services have been out of date, for latency measurements. */
export class TriggerTimes {
  readonly #known = new Map<string, Known>();

  /** The oldest change that was not seen before; undefined where there is none. */
  changed(service: Service, pods: readonly Pod[]): string | undefined {
    const { namespace = "", name = "" } = service.metadata ?? {};
    const creationTimestamp = service.metadata?.creationTimestamp ?? "";
    const key = `${namespace}/${name}`;
    const known = this.#known.get(key);
    const times = new Map(pods.flatMap((pod) => readyTimeOf(pod)));
    this.#known.set(key, { service: creationTimestamp, pods: times });
    if (known === undefined) return creationTimestamp;
    const changed = [...times].filter(([pod, time]) => time > (known.pods.get(pod) ?? ""));
    const all = [
      ...changed.map(([, time]) => time),
      ...(creationTimestamp > known.service ? [creationTimestamp] : []),
    ];
    return all.sort()[0];
  }

  forget({ namespace, name }: { readonly namespace: string; readonly name: string }): void {
    this.#known.delete(`${namespace}/${name}`);
  }
}

function readyTimeOf({ metadata, status }: Pod): readonly (readonly [string, string])[] {
  const ready = (status?.conditions ?? []).find(({ type }) => type === "Ready");
  const time = ready?.lastTransitionTime;
  return time ? [[metadata?.name ?? "", time]] : [];
}

/** The annotations with the time, or without one. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Record<string, string> {
  const { [triggerAnnotation]: _, ...rest } = annotations ?? {};
  return { ...rest, ...(time && { [triggerAnnotation]: time }) };
}
