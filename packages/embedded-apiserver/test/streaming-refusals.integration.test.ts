import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Kubernetes, startKubernetes, type TestNamespace, waitFor } from "@rookery/testing";

/** Paths in a namespace, or below /api/v1 where they begin with a slash. */
const rows: readonly (readonly [method: string, path: string])[] = [
  ...[
    "pods/none/log",
    "pods/two/log",
    "pods/two/log?container=x",
    "pods/two/log?container=side",
    "pods/two/log?tailLines=-1",
    "pods/two/log?limitBytes=0&tailLines=-2",
    "pods/two/log?sinceSeconds=0",
    "pods/two/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z",
    "pods/two/log?sinceTime=now",
    "pods/two/log?tailLines=many",
    "pods/two/log?stream=Stdout",
    "pods/lost/log",
    "pods/none/exec?command=ls&stdout=true",
    "pods/two/exec?command=ls&stdout=true",
    "pods/two/exec?command=ls&stdout=true&container=x",
    "pods/two/exec?command=ls&stdout=true&container=side",
    "pods/lost/exec?command=ls&stdout=true",
    "pods/two/exec?command=ls&dryRun=All",
    "pods/two/attach?stdout=true",
    "pods/two/attach?stdout=true&container=init",
    "pods/two/portforward",
    "pods/two/portforward?ports=x",
    "pods/two/portforward?ports=70000",
    "pods/lost/portforward",
    "pods/none/proxy/",
    "pods/two/proxy/",
    "pods/a:b:c:d/proxy/",
    "pods/ftp:two:1/proxy/",
    "services/none/proxy/",
    "services/none:80/proxy/",
    "services/empty:80/proxy/",
    "services/empty:81/proxy/",
    "services/empty/proxy/",
    "services/a:b:c:d/proxy/",
    "/nodes/none/proxy/",
    "/nodes/a:b:c:d/proxy/",
    "pods/two/exec/more",
    "pods/two/log/more",
  ].map((path) => ["GET", path] as const),
  ["POST", "pods/two/exec?command=ls&stdout=true&container=side"],
  ["POST", "pods/two/portforward"],
  ["DELETE", "pods/two/exec"],
  ["PUT", "pods/two/attach"],
  ["PATCH", "pods/two/portforward"],
  ["POST", "pods/two/log"],
  ["DELETE", "services/none/proxy/"],
];

describe("what leads into pods is refused as kube-apiserver refuses it", () => {
  const both: { kubernetes: Kubernetes; namespace: TestNamespace }[] = [];
  const owned = new AsyncDisposableStack();

  before(async () => {
    for (const flavour of ["kube-apiserver", "embedded"] as const) {
      const kubernetes = owned.use(await startKubernetes({ flavour }));
      const namespace = owned.use(await kubernetes.createNamespace("streaming"));
      await createObjects(kubernetes, namespace.name);
      both.push({ kubernetes, namespace });
    }
  });
  after(() => owned.disposeAsync());

  for (const [method, path] of rows) {
    it(`${method} ${path}`, async () => {
      const [expected, actual] = await Promise.all(
        both.map(async ({ kubernetes, namespace }) => {
          const root = path.startsWith("/") ? "/api/v1" : `/api/v1/namespaces/${namespace.name}/`;
          const { status, body } = await kubernetes.request(method, `${root}${path}`);
          return { status, body: JSON.stringify(body).replaceAll(namespace.name, "{ns}") };
        }),
      );
      assert.deepEqual(actual, expected);
    });
  }

  it("discovery tells of it alike", async () => {
    const [expected, actual] = await Promise.all(
      both.map(async ({ kubernetes }) => {
        const { body } = await kubernetes.request("GET", "/api/v1");
        const resources: { name: string }[] = body.resources;
        return resources.filter(({ name }) => /\/(attach|exec|log|portforward|proxy)$/.test(name));
      }),
    );
    assert.deepEqual(actual, expected);
  });
});

async function createObjects(kubernetes: Kubernetes, namespace: string): Promise<void> {
  const container = (name: string) => ({ name, image: "x" });
  const pod = (name: string, spec: object) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec,
  });
  const create = async (plural: string, body: object) => {
    const path = `/api/v1/namespaces/${namespace}/${plural}`;
    const { status } = await kubernetes.request("POST", path, { body });
    return status === 201;
  };
  const containers = [container("app"), container("side")];
  const two = pod("two", { containers, initContainers: [container("init")] });
  // Not before the namespace has its service account.
  await waitFor(() => create("pods", two), { what: "a pod" });
  await create("pods", pod("lost", { containers: [container("app")], nodeName: "nowhere" }));
  const ports = [{ name: "http", port: 80 }];
  const spec = { ports, clusterIP: "None" };
  const metadata = { name: "empty" };
  assert.ok(await create("services", { apiVersion: "v1", kind: "Service", metadata, spec }));
  assert.ok(await create("endpoints", { apiVersion: "v1", kind: "Endpoints", metadata }));
}
