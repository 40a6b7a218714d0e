import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context } from "@rookery/http";
import { createMetrics, metricsHandler } from "./metrics.ts";
import { Counter } from "./prometheus.ts";

async function textOf(metrics: ReturnType<typeof createMetrics>): Promise<string> {
  return metrics.registry.metrics();
}

async function assertLines(metrics: ReturnType<typeof createMetrics>, lines: readonly string[]) {
  const text = await textOf(metrics);
  for (const line of lines) assert.ok(text.includes(`\n${line}\n`), `${line} in\n${text}`);
}

describe("the metrics of a controller", () => {
  it("are there at zero before anything happens", async () => {
    const metrics = createMetrics({ processMetrics: false });
    metrics.controller("cluster");
    await assertLines(metrics, [
      'controller_runtime_reconcile_total{controller="cluster",result="success"} 0',
      'controller_runtime_reconcile_total{controller="cluster",result="requeue_after"} 0',
      'controller_runtime_reconcile_errors_total{controller="cluster"} 0',
      'controller_runtime_terminal_reconcile_errors_total{controller="cluster"} 0',
      'controller_runtime_reconcile_panics_total{controller="cluster"} 0',
      'controller_runtime_reconcile_timeouts_total{controller="cluster"} 0',
      'controller_runtime_active_workers{controller="cluster"} 0',
      'workqueue_adds_total{name="cluster",controller="cluster"} 0',
    ]);
  });

  it("count under controller-runtime's names, each controller by itself", async () => {
    const metrics = createMetrics({ processMetrics: false });
    const cluster = metrics.controller("cluster");
    const machine = metrics.controller("machine");
    cluster.maxConcurrentReconciles(10);
    cluster.activeWorkers(1);
    cluster.reconcileTotal("error");
    cluster.reconcileErrors();
    cluster.reconcileTime(0.3);
    machine.reconcileTotal("success");
    await assertLines(metrics, [
      'controller_runtime_max_concurrent_reconciles{controller="cluster"} 10',
      'controller_runtime_active_workers{controller="cluster"} 1',
      'controller_runtime_reconcile_total{controller="cluster",result="error"} 1',
      'controller_runtime_reconcile_total{controller="machine",result="error"} 0',
      'controller_runtime_reconcile_errors_total{controller="cluster"} 1',
      'controller_runtime_reconcile_time_seconds_bucket{le="0.25",controller="cluster"} 0',
      'controller_runtime_reconcile_time_seconds_bucket{le="0.3",controller="cluster"} 1',
      'controller_runtime_reconcile_time_seconds_count{controller="cluster"} 1',
    ]);
  });

  it("measure the queue, and unfinished work when they are read", async () => {
    const metrics = createMetrics({ processMetrics: false });
    const { queue } = metrics.controller("cluster");
    let seconds = 1;
    queue.unfinishedWork(() => ({ seconds, longestSeconds: seconds / 2 }));
    queue.add();
    queue.retry();
    queue.depth(0, 1);
    queue.depth(-100, 2);
    queue.depth(0, -1);
    queue.queueDuration(0.5);
    queue.workDuration(2e-6);
    seconds = 7;
    const labels = 'name="cluster",controller="cluster"';
    await assertLines(metrics, [
      `workqueue_adds_total{${labels}} 1`,
      `workqueue_retries_total{${labels}} 1`,
      `workqueue_depth{${labels},priority="0"} 0`,
      `workqueue_depth{${labels},priority="-100"} 2`,
      `workqueue_unfinished_work_seconds{${labels}} 7`,
      `workqueue_longest_running_processor_seconds{${labels}} 3.5`,
      `workqueue_queue_duration_seconds_sum{${labels}} 0.5`,
      `workqueue_work_duration_seconds_count{${labels}} 1`,
    ]);
  });

  it("put priorities together where there are too many", async () => {
    const metrics = createMetrics({ processMetrics: false });
    const { queue } = metrics.controller("cluster");
    for (let priority = 0; priority < 30; priority++) queue.depth(priority, 1);
    const labels = 'name="cluster",controller="cluster"';
    await assertLines(metrics, [
      `workqueue_depth{${labels},priority="24"} 1`,
      `workqueue_depth{${labels},priority="exceeded_cardinality_limit"} 5`,
    ]);
  });
});

describe("the other metrics", () => {
  it("tell who leads, what was asked of the API, and how webhooks fare", async () => {
    const metrics = createMetrics({ processMetrics: false });
    const election = metrics.leaderElection("operator");
    election.leading(false);
    election.leading(true);
    election.slowPath();
    const trace = metrics.restClient("10.0.0.1:443");
    trace({ request: { method: "GET" }, status: 200 });
    trace({ request: { method: "PATCH" } });
    const webhook = metrics.webhook("/validate", "admission");
    webhook.inFlight(1);
    webhook.request(200, 0.1);
    metrics.webhook("/convert", "conversion").panic();
    metrics.certificates.read();
    await assertLines(metrics, [
      'leader_election_master_status{name="operator"} 1',
      'leader_election_slowpath_total{name="operator"} 1',
      'rest_client_requests_total{code="200",method="GET",host="10.0.0.1:443"} 1',
      'rest_client_requests_total{code="<error>",method="PATCH",host="10.0.0.1:443"} 1',
      'controller_runtime_webhook_requests_total{webhook="/validate",code="200"} 1',
      'controller_runtime_webhook_requests_total{webhook="/validate",code="500"} 0',
      'controller_runtime_webhook_requests_in_flight{webhook="/validate"} 1',
      'controller_runtime_webhook_latency_seconds_count{webhook="/validate"} 1',
      "controller_runtime_webhook_panics_total 0",
      "controller_runtime_conversion_webhook_panics_total 1",
      "certwatcher_read_certificate_total 1",
      "certwatcher_read_certificate_errors_total 0",
    ]);
  });

  it("are of the process and of Node too", async () => {
    const text = await textOf(createMetrics());
    assert.match(text, /^process_resident_memory_bytes \d+/m);
    assert.match(text, /^nodejs_eventloop_lag_seconds /m);
  });

  it("are served as text to those who read", async () => {
    const metrics = createMetrics({ processMetrics: false });
    const handler = metricsHandler(metrics.registry);
    const signal = new AbortController().signal;
    const request = { path: "/metrics", query: "", headers: {}, signal, context: Context.empty };
    const response = await handler({ ...request, method: "GET" });
    assert.equal(response.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    assert.match(String(response.body), /# TYPE workqueue_depth gauge/);
    const refused = await handler({ ...request, method: "POST" });
    assert.equal(refused.status, 405);
    assert.equal(refused.headers.allow, "GET, HEAD");
  });
});

describe("the metrics of a program itself", () => {
  it("are told beside those that every program has", async () => {
    const metrics = createMetrics({ processMetrics: false });
    const eggs = new Counter({ name: "eggs_total", help: "Eggs", registers: [metrics.registry] });
    eggs.inc(3);
    await assertLines(metrics, ["eggs_total 3"]);
  });
});
