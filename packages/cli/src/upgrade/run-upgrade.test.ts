import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@rookery/api";
import { FakeProviders } from "../../test/upgrade/fake-providers.ts";
import { type ProviderKey, providerKeyOf } from "../providers/declared-providers.ts";
import { JournalStore, type UpgradeJournal } from "./journal.ts";
import { runUpgrade } from "./run-upgrade.ts";

const provider = (kind: string, name: string, installedVersion: string) =>
  ({
    apiVersion: "management.cluster.x-k8s.io/v1alpha1",
    kind,
    metadata: { name, namespace: "management", generation: 1 },
    spec: { version: installedVersion },
    status: { installedVersion, conditions: [{ type: "ProviderInstalled", status: "True" }] },
  }) as unknown as Provider;

/** An upgrade to another contract that begins, on a cluster whose operator does nothing. */
async function attempt(providers: readonly Provider[], phase: UpgradeJournal["phase"]) {
  const cluster = new FakeProviders(providers);
  const journals = new JournalStore(cluster.client, "rookery-system");
  const keys: readonly ProviderKey[] = providers.map(providerKeyOf);
  const journal: UpgradeJournal = {
    request: "--contract v1beta2",
    startedAt: "2026-01-01T00:00:00Z",
    contract: "v1beta2",
    items: keys.map((key) => ({ key, from: "v1.0.0", to: "v2.0.0" })),
    pausing: keys,
    phase,
  };
  await journals.create(journal);
  let errors = "";
  const io = {
    write: () => {},
    writeError: (text: string) => {
      errors += text;
    },
    readInput: async () => "",
    env: {},
  };
  const tools = { client: cluster.client, io, journals, timeoutSeconds: 0 };
  await assert.rejects(runUpgrade(journal, tools), { code: "Providers" });
  return { cluster, errors };
}

test("a pause that does not come is taken back, and nothing is left of the upgrade", async () => {
  const core = provider("CoreProvider", "cluster-api", "v1.0.0");
  const { cluster, errors } = await attempt([core], "Pausing");
  assert.deepEqual(cluster.get(core).spec, { version: "v1.0.0" });
  assert.deepEqual(cluster.configMaps(), []);
  assert.match(errors, /Nothing has changed: all providers run as before/);
});

test("where one has changed already, all stay paused and the journal stays for the next try", async () => {
  const changed = provider("CoreProvider", "cluster-api", "v2.0.0");
  const other = provider("BootstrapProvider", "kubeadm", "v1.0.0");
  const { cluster, errors } = await attempt([changed, other], "Pausing");
  assert.equal(cluster.get(changed).spec?.paused, true);
  assert.equal(cluster.get(other).spec?.paused, true);
  assert.equal(cluster.configMaps().length, 1);
  assert.match(
    errors,
    /Some providers have changed.*run "rookery upgrade apply --contract v1beta2" again/,
  );
});
