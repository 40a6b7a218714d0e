import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ParseError } from "../errors.ts";
import {
  durationFromMilliseconds,
  durationToMilliseconds,
  formatDuration,
  humanDuration,
  parseDuration,
  timeSince,
} from "./duration.ts";

describe("parseDuration and formatDuration agree with Go", () => {
  const rows: Record<string, [input: string, nanoseconds: bigint, printed: string]> = {
    "zero needs no unit": ["0", 0n, "0s"],
    "seconds become minutes": ["90s", 90_000_000_000n, "1m30s"],
    "hours keep their zeros": ["1h", 3_600_000_000_000n, "1h0m0s"],
    "terms add up": ["1h15m30.918s", 4_530_918_000_000n, "1h15m30.918s"],
    "terms come in any order": ["10s1h", 3_610_000_000_000n, "1h0m10s"],
    "a sign covers all terms": ["-1m1s", -61_000_000_000n, "-1m1s"],
    "a plus is dropped": ["+5s", 5_000_000_000n, "5s"],
    "micro with a micro sign": ["1500µs", 1_500_000n, "1.5ms"],
    "micro with the Greek letter": ["3μs", 3_000n, "3µs"],
    "micro with a u": ["12.5us", 12_500n, "12.5µs"],
    "a fraction without an integer": [".5s", 500_000_000n, "500ms"],
    "an integer with a point": ["5.s", 5_000_000_000n, "5s"],
    "a fraction of a nanosecond is cut": ["1.9ns", 1n, "1ns"],
    "a long fraction of an hour": ["0.3333333333333333333h", 1_200_000_000_000n, "20m0s"],
    "the largest": ["9223372036854775807ns", 9223372036854775807n, "2562047h47m16.854775807s"],
    "the smallest": ["-9223372036854775808ns", -9223372036854775808n, "-2562047h47m16.854775808s"],
  };
  for (const [name, [input, nanoseconds, printed]] of Object.entries(rows)) {
    it(name, () => {
      assert.equal(parseDuration(input), nanoseconds);
      assert.equal(formatDuration(nanoseconds), printed);
    });
  }
});

describe("parseDuration refuses in Go's words", () => {
  const rows: Record<string, [input: string, reason: string]> = {
    "an empty text": ["", 'time: invalid duration ""'],
    "a bare sign": ["-", 'time: invalid duration "-"'],
    "a number without a unit": ["3000", 'time: missing unit in duration "3000"'],
    "a day": ["1d", 'time: unknown unit "d" in duration "1d"'],
    "a unit that is not ASCII": ["1é", 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'],
    "a unit without a number": ["s", 'time: invalid duration "s"'],
    "a point alone": [".s", 'time: invalid duration ".s"'],
    "a blank": ["1 s", 'time: unknown unit " s" in duration "1 s"'],
    "one nanosecond too many": [
      "9223372036854775808ns",
      'time: invalid duration "9223372036854775808ns"',
    ],
    "too many hours": ["2562048h", 'time: invalid duration "2562048h"'],
  };
  for (const [name, [input, reason]] of Object.entries(rows)) {
    it(name, () => {
      assert.throws(
        () => parseDuration(input),
        (error) => error instanceof ParseError && error.reason === reason,
      );
    });
  }
});

describe("properties", () => {
  it("what is printed is read back", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (duration) => {
        assert.equal(parseDuration(formatDuration(duration)), duration);
      }),
    );
  });

  it("milliseconds go there and back", () => {
    fc.assert(
      fc.property(fc.integer(), (milliseconds) => {
        assert.equal(durationToMilliseconds(durationFromMilliseconds(milliseconds)), milliseconds);
      }),
    );
  });
});

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
