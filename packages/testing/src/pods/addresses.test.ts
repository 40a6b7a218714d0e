import assert from "node:assert/strict";
import { test } from "node:test";
import { LoopbackAddresses } from "./addresses.ts";

test("addresses are given once, in a network of the process", () => {
  const addresses = new LoopbackAddresses(4321);
  assert.equal(addresses.take(), "127.80.225.1");
  assert.equal(addresses.take(), "127.80.225.2");
  assert.equal(new LoopbackAddresses(4322).take(), "127.80.226.1");
});

test("an address that was released is the last to be given again", () => {
  const addresses = new LoopbackAddresses(1);
  const first = addresses.take();
  addresses.release(first);
  for (let count = 0; count < 253; count += 1) assert.notEqual(addresses.take(), first);
  assert.equal(addresses.take(), first);
  assert.throws(() => addresses.take(), /all 254 of 127\.64\.1\.0\/24 are in use/);
});
