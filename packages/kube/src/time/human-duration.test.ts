import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { humanDuration, timeSince } from "./human-duration.ts";

describe("a duration is shown as kubectl shows it", () => {
  const second = 1000;
  const minute = 60 * second;
  const hour = 60 * minute;
  const day = 24 * hour;
  const year = 365 * day;
  const rows: Record<string, [milliseconds: number, shown: string]> = {
    "a clock that is far behind": [-2 * second, "<invalid>"],
    "a clock that is a little behind": [-1900, "0s"],
    "nothing yet": [0, "0s"],
    "seconds, the rest cut off": [1999, "1s"],
    "seconds up to two minutes": [119 * second, "119s"],
    "minutes and seconds": [2 * minute + 3 * second, "2m3s"],
    "whole minutes": [3 * minute, "3m"],
    "minutes alone from ten on": [10 * minute + 59 * second, "10m"],
    "minutes up to three hours": [179 * minute, "179m"],
    "hours and minutes": [3 * hour + minute, "3h1m"],
    "whole hours": [7 * hour + 59 * second, "7h"],
    "hours alone from eight on": [8 * hour + 59 * minute, "8h"],
    "hours up to two days": [47 * hour, "47h"],
    "days and hours": [2 * day + hour, "2d1h"],
    "days alone from eight on": [8 * day + 23 * hour, "8d"],
    "days up to two years": [2 * year - day, "729d"],
    "years and days": [2 * year + 3 * day, "2y3d"],
    "whole years": [3 * year, "3y"],
    "years alone from eight on": [8 * year + 100 * day, "8y"],
  };
  for (const [name, [milliseconds, shown]] of Object.entries(rows)) {
    it(name, () => assert.equal(humanDuration(milliseconds), shown));
  }
});

describe("a time that has gone by", () => {
  const now = new Date("2026-01-01T00:01:00Z");

  it("is shown as how long ago it was", () => {
    assert.equal(timeSince("2026-01-01T00:00:00Z", now), "60s");
  });

  it("is unknown where nobody says it", () => {
    assert.equal(timeSince(undefined, now), "<unknown>");
    assert.equal(timeSince(null, now), "<unknown>");
  });
});
