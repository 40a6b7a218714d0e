import type { Event } from "@rookery/api";
import type { TableColumn } from "@rookery/apiserver";
import { timeSince } from "@rookery/kube";
import { columns, nameColumn, wideColumns } from "../meta/columns.ts";

/** The columns of events of both groups. `coreEvent` converts an event to the core group. */
export function eventColumns<T extends object>(coreEvent: (event: T) => Event): TableColumn[] {
  const ofCore = (cell: (event: Event, now: Date) => string | number) => (event: T, now: Date) =>
    cell(coreEvent(event), now);
  return [
    ...columns<T>({
      "Last Seen": ofCore(lastSeen),
      Type: ofCore(({ type = "" }) => type),
      Reason: ofCore(({ reason = "" }) => reason),
      Object: ofCore(target),
    }),
    ...wideColumns<T>({
      Subobject: ofCore(({ involvedObject }) => involvedObject?.fieldPath ?? ""),
      Source: ofCore(source),
    }),
    ...columns<T>({ Message: ofCore(({ message = "" }) => message.trim()) }),
    ...wideColumns<T>({ "First Seen": ofCore(firstSeen), Count: ofCore(count) }),
    { ...nameColumn, priority: 1 },
  ];
}

function firstSeen({ firstTimestamp, eventTime }: Event, now: Date): string {
  return timeSince(firstTimestamp || eventTime, now);
}

function lastSeen(event: Event, now: Date): string {
  const { series, lastTimestamp } = event;
  if (series) return timeSince(series.lastObservedTime, now);
  return lastTimestamp ? timeSince(lastTimestamp, now) : firstSeen(event, now);
}

/** An event without a series and a count happened once. */
function count({ series, count: counted }: Event): number {
  return series ? (series.count ?? 0) : counted || 1;
}

function target({ involvedObject = {} }: Event): string {
  const { kind = "", name } = involvedObject;
  return name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase();
}

function source({ source: old = {}, reportingComponent, reportingInstance }: Event): string {
  const component = old.component || (reportingComponent ?? "");
  const instance = old.host || (reportingInstance ?? "");
  return instance === "" ? component : `${component}, ${instance}`;
}
