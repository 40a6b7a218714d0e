import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@rookery/api";
import type { Condition } from "@rookery/kube";
import { createMetrics } from "@rookery/runtime";
import type { ConditionType, Reason } from "../conditions/reasons.ts";
import { createOperatorMetrics } from "./operator-metrics.ts";

type Stated = Partial<
  Record<ConditionType, readonly [Condition["status"], Reason, second?: number]>
>;

function provider(stated: Stated = {}): Provider {
  const conditions = Object.entries(stated).map(([type, [status, reason, second = 0]]) => {
    const lastTransitionTime = `2030-01-01T00:00:${String(second).padStart(2, "0")}Z`;
    return { type, status, reason, message: "", lastTransitionTime };
  });
  return {
    apiVersion: "management.cluster.x-k8s.io/v1alpha1",
    kind: "CoreProvider",
    metadata: { namespace: "capi", name: "a", creationTimestamp: "2030-01-01T00:00:00Z" },
    spec: {},
    status: { conditions },
  } as unknown as Provider;
}

/** The lines of the operator's own metrics that have a value. */
async function observed(...states: readonly Provider[]): Promise<readonly string[]> {
  const metrics = createMetrics({ processMetrics: false });
  const own = createOperatorMetrics(metrics);
  for (const [index, after] of states.entries())
    own.observe(states[index - 1] ?? provider(), after);
  const lines = (await metrics.registry.metrics()).split("\n");
  return lines.filter((line) => /^rookery_/.test(line) && !/_bucket/.test(line));
}

test("an install is counted once, with the time from its beginning", async () => {
  const installing = provider({ ProviderInstalled: ["False", "Installing", 3] });
  const installed = provider({ ProviderInstalled: ["True", "Installed", 20] });
  assert.deepEqual(await observed(installing, installed, installed), [
    'rookery_provider_installs_total{kind="CoreProvider",operation="install"} 1',
    'rookery_provider_install_duration_seconds_sum{kind="CoreProvider",operation="install"} 17',
    'rookery_provider_install_duration_seconds_count{kind="CoreProvider",operation="install"} 1',
    'rookery_provider_ready{kind="CoreProvider",namespace="capi",name="a"} 0',
    'rookery_provider_namespace_gap{kind="CoreProvider",namespace="capi",name="a"} 0',
  ]);
});

test("a gap is 1 as long as the provider warns of it", async () => {
  const gap = provider({ Warning: ["True", "NamespaceGap"] });
  const other = provider({ Warning: ["True", "ClusterRights"] });
  const line = 'rookery_provider_namespace_gap{kind="CoreProvider",namespace="capi",name="a"}';
  assert.ok((await observed(gap)).includes(`${line} 1`));
  assert.ok((await observed(gap, other)).includes(`${line} 0`));
});

test("what replaces another release is an upgrade", async () => {
  const upgraded = ["False", "Upgrading"] as const;
  const removing = {
    ProviderInstalled: ["False", "Removing"],
    ProviderUpgraded: upgraded,
  } as const;
  const done = { ProviderInstalled: ["True", "Installed", 9], ProviderUpgraded: upgraded } as const;
  const lines = await observed(provider(removing), provider(done));
  assert.ok(
    lines.includes('rookery_provider_installs_total{kind="CoreProvider",operation="upgrade"} 1'),
    lines.join("\n"),
  );
});

test("a failure is counted when it begins, and again when it comes back or has another reason", async () => {
  const missing = provider({ ProviderFetched: ["False", "MissingVariables"] });
  const limited = provider({ ProviderFetched: ["False", "RateLimited"] });
  const fetched = provider({ ProviderFetched: ["True", "Fetched"] });
  const lines = await observed(missing, missing, limited, fetched, missing);
  const failures = lines.filter((line) => line.startsWith("rookery_provider_failures_total"));
  const labels = 'kind="CoreProvider",condition="ProviderFetched"';
  assert.deepEqual(failures, [
    `rookery_provider_failures_total{${labels},reason="MissingVariables"} 2`,
    `rookery_provider_failures_total{${labels},reason="RateLimited"} 1`,
  ]);
});

test("what is on its way has not failed", async () => {
  const lines = await observed(
    provider({ PreflightCheckPassed: ["False", "WaitingForCoreProvider"] }),
    provider({ ProviderAvailable: ["False", "WaitingForDeployments"] }),
    provider({ ProviderAvailable: ["False", "Paused"] }),
  );
  assert.deepEqual(
    lines.filter((line) => line.startsWith("rookery_provider_failures_total")),
    [],
  );
});

test("a provider that is gone has no readiness any more", async () => {
  const metrics = createMetrics({ processMetrics: false });
  const own = createOperatorMetrics(metrics);
  const ready = provider({ Ready: ["True", "Ready"] });
  own.observe(provider(), ready);
  assert.match(await metrics.registry.metrics(), /rookery_provider_ready\{.*\} 1/);
  own.forget(ready);
  assert.doesNotMatch(await metrics.registry.metrics(), /rookery_provider_ready\{/);
});
