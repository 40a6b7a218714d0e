import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Event } from "@rookery/api";
import { eventColumns } from "./event-columns.ts";

const now = new Date("2026-01-01T01:00:00Z");
const columns = eventColumns((event: Event) => event);
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

describe("kubectl shows of an event", () => {
  const rows: Record<string, [column: string, event: Event, cell: string | number]> = {
    "when it was seen last": ["Last Seen", { lastTimestamp: minutesAgo(5) }, "5m"],
    "when it was seen last in a series": [
      "Last Seen",
      { lastTimestamp: minutesAgo(5), series: { lastObservedTime: minutesAgo(1) } },
      "60s",
    ],
    "when it was where nothing else is known": ["Last Seen", { eventTime: minutesAgo(3) }, "3m"],
    "that nobody knows when": ["First Seen", {}, "<unknown>"],
    "that it was there once": ["Count", {}, 1],
    "how often it was": ["Count", { count: 4 }, 4],
    "how often it was in a series": ["Count", { count: 4, series: { count: 7 } }, 7],
    "what it is about": ["Object", { involvedObject: { kind: "Pod", name: "p" } }, "pod/p"],
    "the kind alone where there is no name": ["Object", { involvedObject: { kind: "Pod" } }, "pod"],
    "who told it before events had a group": [
      "Source",
      { source: { component: "kubelet", host: "n" }, reportingComponent: "x" },
      "kubelet, n",
    ],
    "who tells it": ["Source", { reportingComponent: "c", reportingInstance: "c-1" }, "c, c-1"],
    "its text without what is around it": ["Message", { message: " text \n" }, "text"],
  };
  for (const [name, [column, event, cell]] of Object.entries(rows)) {
    it(name, () => {
      const found = columns.find((each) => each.name === column);
      assert.equal(found?.value(event as never, now), cell);
    });
  }
});
