import assert from "node:assert/strict";
import { test } from "node:test";
import { readMetrics } from "./read-load.ts";

test("reconciles and queues are summed over all controllers", () => {
  const text = `# HELP controller_runtime_reconcile_total Total
controller_runtime_reconcile_total{controller="a",result="success"} 40
controller_runtime_reconcile_total{controller="b",result="error {x} y"} 2
controller_runtime_reconcile_total_other 7
workqueue_depth{controller="a",name="a",priority=""} 3
workqueue_depth{controller="b",name="b"} 1e1
`;
  assert.deepEqual(readMetrics(text), { reconciles: 42, queueDepth: 13 });
});

test("who says nothing of reconciles is no manager", () => {
  assert.equal(readMetrics("process_cpu_seconds_total 1\n"), undefined);
});
