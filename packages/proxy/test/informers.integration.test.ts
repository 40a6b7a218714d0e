import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type Child,
  ensureGoProgram,
  type Kubernetes,
  notOnEmbedded,
  startChild,
  startKubernetes,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { type RunningProxy, startProxy } from "./start-proxy.ts";
import { mapping, realGroup, virtualGroup, widget, widgetCrd } from "./widgets.ts";

interface Line {
  readonly informer: string;
  readonly event: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly owners?: readonly string[];
  readonly managers?: readonly string[];
}

const informers = ["configmaps", "dynamic", "metadata", "typed"];

const module = fileURLToPath(new URL("./go/informers", import.meta.url));
const skip = await whyUnavailable(() => ensureGoProgram(module));
const needsForgetting = await notOnEmbedded("it remembers every kind for as long as any other");

for (const watchList of [false, true]) {
  const how = watchList ? "with" : "without";
  describe(`client-go's informers through the proxy, ${how} WatchList`, { skip }, () => {
    let kubernetes: Kubernetes;
    let proxy: RunningProxy;
    let program: Child;

    before(async () => {
      const command = await ensureGoProgram(module);
      kubernetes = await startKubernetes({ private: true });
      await kubernetes.applyCrd(widgetCrd(realGroup));
      const args = [`--upstream=${kubernetes.kubeconfig}`, mapping];
      proxy = await startProxy(kubernetes.description.kubectl, args);
      await waitFor(() => proxy.kubectl(["get", "widgets"]), { what: "widgets to be found" });
      await createOwned("before");
      program = await startChild({
        name: "informers",
        command,
        args: [`--kubeconfig=${proxy.kubeconfig}`, `--group=${virtualGroup}`],
        log: join(proxy.folder, "informers.log"),
        env: { ...process.env, KUBE_FEATURE_WatchListClient: `${watchList}` },
      });
    });
    after(async () => {
      await program?.stop();
      await proxy?.[Symbol.asyncDispose]();
      await kubernetes?.[Symbol.asyncDispose]();
    });

    async function lines(): Promise<Line[]> {
      program.assertRunning();
      const text = await readFile(program.log, "utf8");
      return text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    }

    /** Waits until each informer has told of it; returns what they told. */
    async function told(event: string, name?: string): Promise<Line[]> {
      const wanted = (line: Line) => line.event === event && (!name || line.name?.endsWith(name));
      return waitFor(
        async () => {
          const found = (await lines()).filter(wanted);
          return new Set(found.map(({ informer }) => informer)).size === informers.length && found;
        },
        { what: `${event} of ${name ?? "all"} in ${program.log}`, timeout: 120_000 },
      );
    }

    /** A widget, and a ConfigMap that it owns. */
    async function createOwned(name: string): Promise<void> {
      const stdin = JSON.stringify(widget(name));
      await proxy.kubectl(["create", "-f", "-"], { stdin });
      const uid = await proxy.kubectl(["get", "widget", name, "-o", "jsonpath={.metadata.uid}"]);
      const owner = { apiVersion: `${virtualGroup}/v1`, kind: "Widget", name, uid };
      const metadata = { name: `of-${name}`, ownerReferences: [owner] };
      const map = { apiVersion: "v1", kind: "ConfigMap", metadata };
      await proxy.kubectl(["create", "-f", "-"], { stdin: JSON.stringify(map) });
    }

    function assertVirtual(found: readonly Line[]): void {
      for (const { informer, apiVersion, owners, managers } of found) {
        const isMap = informer === "configmaps";
        const expected = isMap ? "v1" : `${virtualGroup}/v1`;
        // What a server that answers in JSON calls metadata alone.
        if (informer === "metadata" && apiVersion === "meta.k8s.io/v1") continue;
        // A typed client leaves the kind of list items out.
        if (apiVersion) assert.equal(apiVersion, expected.replace(/^v1$/, apiVersion), informer);
        if (isMap) assert.deepEqual(owners, [`${virtualGroup}/v1`]);
        else assert.deepEqual(new Set(managers), new Set([expected]));
      }
    }

    test("they sync, and see what was there under the app's group", async () => {
      await told("synced");
      assertVirtual(await told("add", "before"));
    });

    test("a state that is no more is told as such", { skip: needsForgetting }, async () => {
      const [expired] = (await lines()).filter(({ informer }) => informer === "expired");
      assert.equal(expired?.event, "true", JSON.stringify(expired));
    });

    test("they hear of what is created, changed and deleted", async () => {
      await createOwned("during");
      assertVirtual(await told("add", "during"));
      await proxy.kubectl(["label", "widget/during", "cm/of-during", "a=b"]);
      assertVirtual(await told("update", "during"));
      await proxy.kubectl(["delete", "widget", "during", "--cascade=foreground"]);
      await told("delete", "during");
    });

    test("they go on after the API server has forgotten where they were", async () => {
      for (let i = 0; i < 5; i++) {
        const metadata = { name: `noise-${i}`, namespace: "kube-system" };
        const map = { apiVersion: "v1", kind: "ConfigMap", metadata };
        await kubernetes.request("POST", "/api/v1/namespaces/kube-system/configmaps", {
          body: map,
        });
      }
      await kubernetes.apiServer.restart();
      await createOwned("after");
      assertVirtual(await told("add", "after"));
      const adds = (await lines()).filter(
        ({ event, name }) => event === "add" && name === "before",
      );
      assert.equal(adds.length, informers.length - 1, "nothing is told twice");
    });
  });
}
