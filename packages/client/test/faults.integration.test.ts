import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Client, createClient, loadConfig, type ResourceClient } from "@rookery/client";
import { RequestError } from "@rookery/http";
import { isGone, isResourceExpired, type KubeList } from "@rookery/kube";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { type ConfigMap, configMap, configMaps } from "./resources.ts";

function givingUp() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error("enough")) };
}

const isExpired = (error: unknown) => isResourceExpired(error) || isGone(error);

describe("an API server that forgets and fails", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let maps: ResourceClient<ConfigMap>;
  const own = { namespace: "default" };
  before(async () => {
    kubernetes = await startKubernetes({
      controllerManager: false,
      // Not shorter: on a busy machine the server would not catch up with its own start.
      apiServerArgs: ["--etcd-compaction-interval=4s"],
    });
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }), { retries: 0 });
    maps = client.resource<ConfigMap>(configMaps);
    for (const name of "abcdef") await maps.create(configMap({ ...own, name }));
  });
  after(async () => {
    await client.destroy();
    await kubernetes[Symbol.asyncDispose]();
  });

  /** Writes until the state of a page is gone. */
  const compacted = ({ metadata }: KubeList<ConfigMap>) =>
    waitFor(
      async () => {
        const data = { at: `${performance.now()}` };
        await maps.patch({ ...own, name: "a" }, { type: "merge", patch: { data } });
        const next = maps.list({ ...own, limit: 1, continue: metadata.continue ?? "" });
        return next.then(() => false, isExpired);
      },
      { what: "the state to be compacted", interval: 200 },
    );

  test("a list begins anew when its state is compacted on the way", async () => {
    const seen: string[] = [];
    await maps.listPages({ ...own, limit: 2 }, async ({ list, restarted }) => {
      const names = list.items.map(({ metadata }) => metadata.name).join("");
      seen.push(`${names} ${restarted}`);
      if (seen.length === 1) await compacted(list);
    });
    assert.deepEqual(seen, ["ab false", "cd false", "abcdef true"]);
  });

  test("a watch from a state that is compacted says so", async () => {
    await kubernetes.apiServer.restart();
    // Until the server has filled its cache, it asks to be asked again.
    await using patient = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    const watched = patient.resource<ConfigMap>(configMaps);
    const watch = watched.watch({ ...own, resourceVersion: "2", timeoutSeconds: 60 }, () => {});
    await assert.rejects(watch, isExpired);
  });

  for (const allowH2 of [false, true]) {
    test(`a watch by ${allowH2 ? "HTTP/2" : "HTTP/1.1"} is cut with the server, and works again with it`, async () => {
      const config = await loadConfig({ path: kubernetes.kubeconfig });
      await using watcher = createClient(config, { allowH2 });
      const watched = watcher.resource<ConfigMap>(configMaps);
      const opened = Promise.withResolvers<void>();
      const watch = watched.watch({ ...own, onOpen: () => opened.resolve() }, () => {});
      await opened.promise;
      const cut = assert.rejects(watch, (error) => {
        assert(error instanceof RequestError);
        assert.equal(error.stage, "body");
        return true;
      });
      await kubernetes.apiServer.stop({ kill: true });
      await cut;
      await assert.rejects(
        watched.list(own),
        (error) => error instanceof RequestError && error.code === "ConnectionRefused",
      );
      await kubernetes.apiServer.start();

      // From the server's cache: a watch cannot begin before the state with which that was filled.
      const cached = { resourceVersion: "1", resourceVersionMatch: "NotOlderThan" } as const;
      const { metadata } = await watched.list({ ...own, ...cached });
      const name = `later-${allowH2}`;
      await watched.create(configMap({ ...own, name }));
      const { signal, abort } = givingUp();
      const resourceVersion = metadata.resourceVersion ?? "";
      const seen: unknown[] = [];
      await assert.rejects(
        watched.watch({ ...own, resourceVersion, signal }, ({ object }) => {
          seen.push(object.metadata.name);
          abort();
        }),
        /enough/,
      );
      assert.deepEqual(seen, [name]);
    });
  }
});
