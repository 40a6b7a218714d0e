import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ServiceRangeError } from "../errors.ts";
import { firstServiceAddresses } from "./service-range.ts";

const addresses: Record<string, readonly string[]> = {
  "10.96.0.0/12": ["10.96.0.1"],
  "10.100.3.7/12": ["10.96.0.1"],
  "192.168.255.0/30": ["192.168.255.1"],
  "fd00:10:96::/112": ["fd00:10:96::1"],
  "::ffff:0:0/108": ["::ffff:0:1"],
  "10.96.0.0/16,fd00::/108": ["10.96.0.1", "fd00::1"],
};
describe("the Service kubernetes has the first address of", () => {
  for (const [ranges, first] of Object.entries(addresses)) {
    test(ranges, () => assert.deepEqual(firstServiceAddresses(ranges), first));
  }
});

describe("Services cannot be in", () => {
  for (const ranges of [
    "",
    "10.96.0.0",
    "10.96.0.0/33",
    "10.96.0.0/32",
    "10.96.0.0/x",
    "10.96.0.0/12/3",
    "name/12",
    "10.0.0.0/8,10.1.0.0/16,fd00::/108",
  ]) {
    test(JSON.stringify(ranges), () =>
      assert.throws(() => firstServiceAddresses(ranges), ServiceRangeError),
    );
  }
});
