import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback } from "./is-loopback.ts";

const hosts: Readonly<Record<string, boolean>> = {
  localhost: true,
  "127.0.0.1": true,
  "127.8.9.10": true,
  "::1": true,
  "[::1]": true,
  "127.example.com": false,
  "localhost.example.com": false,
  "10.0.0.1": false,
  "::2": false,
};
for (const [host, expected] of Object.entries(hosts)) {
  test(`${host} is ${expected ? "" : "not "}this machine itself`, () => {
    assert.equal(isLoopback(host), expected);
  });
}
