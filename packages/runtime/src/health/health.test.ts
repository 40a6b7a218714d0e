import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context } from "@rookery/http";
import { createRecordingLogger } from "../../test/logging/recording-logger.ts";
import { createHealth } from "./health.ts";

const broken = () => {
  throw new Error("etcd is away");
};

async function ask(health: ReturnType<typeof createHealth>, target: string, method = "GET") {
  const [path = "", query = ""] = target.split("?");
  const signal = new AbortController().signal;
  const { status, body } = await health.handler({
    method,
    path,
    query,
    headers: {},
    signal,
    context: Context.empty,
  });
  return `${status} ${body}`;
}

function sample(logger = createRecordingLogger()) {
  const health = createHealth({ logger });
  health.addHealthzCheck("etcd", async () => broken());
  health.addHealthzCheck("cache", () => {});
  health.addReadyzCheck("webhook", () => {});
  return health;
}

describe("health checks answer in kube-apiserver's words", () => {
  const rows: Record<string, [target: string, answer: string]> = {
    "all good": ["/readyz", "200 ok"],
    "with a slash at the end": ["/readyz/", "200 ok"],
    "all good, in detail": ["/readyz?verbose", "200 [+]webhook ok\nreadyz check passed\n"],
    "one failed: always in detail, and without the reason": [
      "/healthz",
      "500 [+]cache ok\n[-]etcd failed: reason withheld\nhealthz check failed\n",
    ],
    "the one that failed left out": ["/healthz?exclude=etcd", "200 ok"],
    "the one that failed left out, in detail": [
      "/healthz?verbose&exclude=etcd",
      "200 [+]cache ok\n[+]etcd excluded: ok\nhealthz check passed\n",
    ],
    "something unknown left out": [
      "/healthz?exclude=b&exclude=a",
      '500 [+]cache ok\n[-]etcd failed: reason withheld\nwarn: some health checks cannot be excluded: no matches for "a","b"\nhealthz check failed\n',
    ],
    "one by itself": ["/healthz/cache", "200 ok"],
    "one by itself that failed, with the reason": [
      "/healthz/etcd",
      "500 internal server error: etcd is away\n",
    ],
    "one that is not there": ["/healthz/webhook", "404 404 page not found\n"],
    "another path": ["/livez", "404 404 page not found\n"],
    "a name of an object's prototype": ["/constructor", "404 404 page not found\n"],
  };
  for (const [name, [target, answer]] of Object.entries(rows)) {
    it(name, async () => assert.equal(await ask(sample(), target), answer));
  }

  it("without checks there is a ping", async () => {
    const health = createHealth();
    assert.equal(await ask(health, "/healthz?verbose"), "200 [+]ping ok\nhealthz check passed\n");
    assert.equal(await ask(health, "/healthz/ping"), "200 ok");
  });

  it("checks that come later count", async () => {
    const health = createHealth();
    assert.equal(await ask(health, "/readyz"), "200 ok");
    health.addReadyzCheck("late", broken);
    assert.match(await ask(health, "/readyz"), /^500/);
  });

  it("why a check failed is in the log", async () => {
    const logger = createRecordingLogger();
    await ask(sample(logger), "/healthz");
    assert.deepEqual(logger.lines[0]?.values, { endpoint: "healthz", check: "etcd" });
    assert.match(String(logger.lines[0]?.error), /etcd is away/);
  });

  it("nothing can be written", async () => {
    assert.match(await ask(sample(), "/healthz", "DELETE"), /^405/);
  });
});
