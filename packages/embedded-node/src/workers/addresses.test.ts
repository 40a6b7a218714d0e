import assert from "node:assert/strict";
import { test } from "node:test";
import { PodAddresses } from "./addresses.ts";

test("an address that was released is the last to be given again", () => {
  const addresses = new PodAddresses("127.64.0.8/29");
  const first = addresses.take();
  assert.equal(first, "127.64.0.9");
  addresses.release(first);
  const others = Array.from({ length: 5 }, () => addresses.take());
  assert.deepEqual(others, [
    "127.64.0.10",
    "127.64.0.11",
    "127.64.0.12",
    "127.64.0.13",
    "127.64.0.14",
  ]);
  assert.equal(addresses.take(), first);
  assert.throws(() => addresses.take(), /all of 127\.64\.0\.8\/29 are in use/);
});

test("what a pod had before it keeps, unless somebody else has it", () => {
  const addresses = new PodAddresses("127.64.0.0/16");
  assert.equal(addresses.keep("127.64.1.5"), true);
  assert.equal(addresses.keep("127.64.1.5"), false);
  assert.equal(addresses.keep("127.65.0.1"), false);
  assert.equal(addresses.take(), "127.64.1.6");
});

test("a network that is not of loopback addresses is refused", () => {
  assert.throws(() => new PodAddresses("10.0.0.0/16"), /take one such as 127\.64\.0\.0\/16/);
});
