import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from "@kubernetes/client-node";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";

const namespace = "default";

describe("@kubernetes/client-node on the embedded server", () => {
  let kubernetes: Kubernetes;
  let config: KubeConfig;

  before(async () => {
    kubernetes = await startKubernetes({ flavour: "embedded" });
    config = new KubeConfig();
    config.loadFromFile(kubernetes.kubeconfig);
  });
  after(() => kubernetes?.[Symbol.asyncDispose]());

  it("its informer hears of what is there, what comes, changes and goes", async () => {
    const core = config.makeApiClient(CoreV1Api);
    const heard: string[] = [];
    await core.createNamespacedConfigMap({ namespace, body: map("before", "1") });
    const informer = makeInformer(
      config,
      `/api/v1/namespaces/${namespace}/configmaps`,
      () => core.listNamespacedConfigMap({ namespace, labelSelector: "informed" }),
      "informed",
    );
    for (const event of ["add", "update", "delete"] as const) {
      informer.on(event, ({ metadata, data }) =>
        heard.push(`${event} ${metadata?.name} ${data?.value}`),
      );
    }
    informer.on("error", (error) => heard.push(`error ${error}`));
    await informer.start();
    await core.createNamespacedConfigMap({ namespace, body: map("later", "1") });
    await core.replaceNamespacedConfigMap({ namespace, name: "later", body: map("later", "2") });
    await core.deleteNamespacedConfigMap({ namespace, name: "later" });
    const expected = ["add before 1", "add later 1", "update later 2", "delete later 2"];
    await waitFor(() => heard.length >= expected.length, {
      what: "the informer",
      detail: () => heard.join(),
    });
    await informer.stop();
    assert.deepEqual(heard, expected);
  });
});

function map(name: string, value: string): V1ConfigMap {
  return { metadata: { name, labels: { informed: "yes" } }, data: { value } };
}
