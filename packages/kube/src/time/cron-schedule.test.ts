import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cronScheduleProblem } from "./cron-schedule.ts";

describe("a schedule", () => {
  const rows: Record<string, [schedule: string, problem: string | undefined]> = {
    "may be five stars": ["* * * * *", undefined],
    "may have steps, ranges and lists": ["*/5 1-3 1,15 * 0", undefined],
    "may have names, whatever their case": ["0 0 * jan-DEC mon,Tue", undefined],
    "may have question marks": ["? ? ? ? ?", undefined],
    "may have a step from a number on": ["5/10 * * * *", undefined],
    "may have nothing between commas": ["1,,2 * * * *", undefined],
    "may be a descriptor": ["@midnight", undefined],
    "may be every so often": ["@every 1h30m", undefined],
    "may name a time zone": ["CRON_TZ=Europe/Berlin 0 0 * * *", undefined],
    "is not empty": ["", "empty spec string"],
    "has not four fields": ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
    "has no seconds": ["0 * * * * *", "expected exactly 5 fields, found 6: [0 * * * * *]"],
    "has numbers": [
      "a * * * *",
      'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax',
    ],
    "has numbers that a computer knows": [
      "99999999999999999999 * * * *",
      'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    "has ranges with a beginning": [
      "-1 * * * *",
      'failed to parse int from : strconv.Atoi: parsing "": invalid syntax',
    ],
    "has one hyphen at most": ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    "has one slash at most": ["1/2/3 * * * *", "too many slashes: 1/2/3"],
    "has minutes of an hour": ["60 * * * *", "end of range (60) above maximum (59): 60"],
    "has days from one on": ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    "has ranges that go forward": [
      "5-1 * * * *",
      "beginning of range (5) beyond end of range (1): 5-1",
    ],
    "has steps that lead somewhere": [
      "*/0 * * * *",
      "step of range should be a positive number: */0",
    ],
    "has descriptors that are known": ["@often", "unrecognized descriptor: @often"],
    "has durations that are some": [
      "@every soon",
      'failed to parse duration @every soon: time: invalid duration "soon"',
    ],
    "names time zones that are there": [
      "TZ=Nowhere/City 0 0 * * *",
      "provided bad location Nowhere/City: unknown time zone Nowhere/City",
    ],
  };
  for (const [name, [schedule, problem]] of Object.entries(rows)) {
    it(name, () => assert.equal(cronScheduleProblem(schedule), problem));
  }
});
