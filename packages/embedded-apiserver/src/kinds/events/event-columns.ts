import type { Event } from "@rookery/api";
import type { TableColumn } from "@rookery/apiserver";
import { timeSince } from "@rookery/kube";
import { column, nameColumn, wide } from "../meta/columns.ts";

/** The columns of events of either group, which show them in the form of the core one. */
export function eventColumns<T extends object>(coreEvent: (event: T) => Event): TableColumn[] {
  const of = (
    name: string,
    type: TableColumn["type"],
    value: (event: Event, now: Date) => string | number,
  ) => column(name, type, (event: T, now) => value(coreEvent(event), now));
  return [
    of("Last Seen", "string", lastSeen),
    of("Type", "string", ({ type = "" }) => type),
    of("Reason", "string", ({ reason = "" }) => reason),
    of("Object", "string", target),
    wide(of("Subobject", "string", ({ involvedObject }) => involvedObject?.fieldPath ?? "")),
    wide(of("Source", "string", source)),
    of("Message", "string", ({ message = "" }) => message.trim()),
    wide(of("First Seen", "string", firstSeen)),
    wide(of("Count", "string", count)),
    wide(nameColumn),
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

/** An event that is there once says no count since events have a group of their own. */
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
