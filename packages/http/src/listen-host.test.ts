import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback, listenHost, podHost } from "./listen-host.ts";

const env = { ROOKERY_LISTEN_HOST: "127.64.0.7" };

test("all addresses are the pod's own where the node says so", () => {
  for (const host of ["", "0.0.0.0", "::"]) assert.equal(listenHost(host, env), "127.64.0.7");
});

test("an address that was asked for stays, and so does everything outside of such a pod", () => {
  assert.equal(listenHost("127.0.0.1", env), "127.0.0.1");
  assert.equal(listenHost("::", {}), "::");
});

test("loopback within a pod is the pod's own address where the node says so", () => {
  for (const host of ["localhost", "127.0.0.1", "::1", "[::1]"]) {
    assert.equal(podHost(host, env), "127.64.0.7");
    assert.equal(podHost(host, {}), host);
  }
  assert.equal(podHost("10.0.0.1", env), "10.0.0.1");
  assert.equal(podHost("", env), "");
});

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
