import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fieldPath } from "@rookery/kube";
import { optional } from "../meta/combinators.ts";
import { check } from "../meta/rules.ts";
import { timeZone } from "./cron-job.ts";

describe("a time zone", () => {
  const local =
    "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  const rows: Record<string, [zone: string | undefined, details: readonly string[]]> = {
    "may be missing": [undefined, []],
    "may be one of the database": ["Europe/Berlin", []],
    "may be an older name": ["US/Pacific", []],
    "may be UTC": ["UTC", []],
    "may be an offset by its name": ["Etc/GMT+5", []],
    "is not empty": ["", ["timeZone must be nil or non-empty string"]],
    "is not that of the machine": ["Local", [local]],
    "is not that of the machine, whatever its case": ["local", [local, "unknown time zone local"]],
    "is written in its own case": ["europe/berlin", ["unknown time zone europe/berlin"]],
    "is there": ["Nowhere/City", ["unknown time zone Nowhere/City"]],
    "leads nowhere else": ["../Berlin", ["unknown time zone ../Berlin"]],
    "has no empty part": ["Europe//Berlin", ["unknown time zone Europe//Berlin"]],
    "is no offset": ["+0100", ["unknown time zone +0100"]],
  };
  for (const [name, [zone, details]] of Object.entries(rows)) {
    it(name, () => {
      const problems = check(optional(timeZone), zone, { path: fieldPath("timeZone") });
      assert.deepEqual(
        problems.map(({ detail }) => detail),
        details,
      );
    });
  }
});
