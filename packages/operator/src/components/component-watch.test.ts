import assert from "node:assert/strict";
import { test } from "node:test";
import { createClientOver } from "@rookery/client";
import type { Handler } from "@rookery/http";
import { silentLogger } from "@rookery/runtime";
import { ComponentWatch } from "./component-watch.ts";

function deployment(name: string, provider: string) {
  const labels = { "cluster.x-k8s.io/provider": provider };
  return { metadata: { namespace: "nests-system", name, uid: name, resourceVersion: "1", labels } };
}

/** Has two Deployments, no other objects, and no events. */
const server: Handler = ({ path, query }) => {
  const headers = { "content-type": "application/json" };
  if (query.includes("watch=true")) {
    const body = ({ signal }: { readonly signal: AbortSignal }) =>
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    return { status: 200, headers, body };
  }
  const items = path.endsWith("/deployments")
    ? [deployment("nests", "infrastructure-nests"), deployment("eggs", "infrastructure-eggs")]
    : [];
  const list = { apiVersion: "v1", kind: "List", metadata: { resourceVersion: "1" }, items };
  return { status: 200, headers, body: Buffer.from(JSON.stringify(list)) };
};

test("Deployments are found by the label of their provider", async () => {
  const watch = new ComponentWatch({ client: createClientOver(server), logger: silentLogger });
  const stop = new AbortController();
  const running = watch.cache.start(stop.signal);
  await watch.cache.waitForReady?.(stop.signal);
  const found = watch.deployments("nests-system", "infrastructure-nests");
  stop.abort();
  await running;
  assert.deepEqual(
    found.map(({ metadata }) => metadata.name),
    ["nests"],
  );
});
