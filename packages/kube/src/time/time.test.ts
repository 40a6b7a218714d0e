import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ParseError } from "../errors.ts";
import { formatMicroTime, formatTime, parseMicroTime, parseTime } from "./time.ts";

const date = new Date("2024-02-29T23:59:58.987Z");

describe("formatting", () => {
  it("a Time is cut to the second", () => assert.equal(formatTime(date), "2024-02-29T23:59:58Z"));
  it("a MicroTime has six decimals", () =>
    assert.equal(formatMicroTime(date), "2024-02-29T23:59:58.987000Z"));
});

describe("parseTime reads what Go reads", () => {
  const rows: Record<string, [input: string, iso: string]> = {
    "UTC to the second": ["2024-02-29T23:59:58Z", "2024-02-29T23:59:58.000Z"],
    "a fraction, cut to milliseconds": ["2024-02-29T23:59:58.9876Z", "2024-02-29T23:59:58.987Z"],
    "an offset": ["2024-03-01T01:29:58+01:30", "2024-02-29T23:59:58.000Z"],
    "an hour of one digit": ["2024-03-01T1:00:00Z", "2024-03-01T01:00:00.000Z"],
    "a year before 100": ["0099-01-01T00:00:00Z", "0099-01-01T00:00:00.000Z"],
  };
  for (const [name, [input, iso]] of Object.entries(rows)) {
    it(name, () => assert.equal(parseTime(input).toISOString(), iso));
  }
});

describe("parseTime refuses in Go's words", () => {
  const layout = '"2006-01-02T15:04:05Z07:00"';
  const rows: Record<string, [input: string, reason: string]> = {
    "an empty text": ["", `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    "a date alone": [
      "2024-02-29",
      `parsing time "2024-02-29" as ${layout}: cannot parse "" as "T"`,
    ],
    "no zone": [
      "2024-02-29T00:00:00",
      `parsing time "2024-02-29T00:00:00" as ${layout}: cannot parse "" as "Z07:00"`,
    ],
    "a month of 13": [
      "2024-13-01T00:00:00Z",
      'parsing time "2024-13-01T00:00:00Z": month out of range',
    ],
    "a day that the month lacks": [
      "2023-02-29T00:00:00Z",
      'parsing time "2023-02-29T00:00:00Z": day out of range',
    ],
    "a leap second": [
      "2016-12-31T23:59:60Z",
      'parsing time "2016-12-31T23:59:60Z": second out of range',
    ],
    "text after the zone": [
      "2024-02-29T00:00:00Zulu",
      'parsing time "2024-02-29T00:00:00Zulu": extra text: "ulu"',
    ],
  };
  for (const [name, [input, reason]] of Object.entries(rows)) {
    it(name, () => {
      assert.throws(
        () => parseTime(input),
        (error) => error instanceof ParseError && error.reason === reason,
      );
    });
  }
});

describe("parseMicroTime", () => {
  it("needs exactly six decimals", () => {
    assert.equal(
      parseMicroTime("2024-02-29T23:59:58.987654Z").toISOString(),
      "2024-02-29T23:59:58.987Z",
    );
    assert.throws(() => parseMicroTime("2024-02-29T23:59:58Z"), /cannot parse "Z" as "\.000000"/);
    assert.throws(() => parseMicroTime("2024-02-29T23:59:58.9876543Z"), /cannot parse "3Z"/);
  });
});

describe("properties", () => {
  const dates = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  });

  it("a MicroTime is read back to the millisecond", () => {
    fc.assert(
      fc.property(dates, (date) => {
        assert.equal(parseMicroTime(formatMicroTime(date)).getTime(), date.getTime());
      }),
    );
  });

  it("a Time is read back to the second", () => {
    fc.assert(
      fc.property(dates, (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        assert.equal(parseTime(formatTime(date)).getTime(), seconds);
      }),
    );
  });
});
