import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { rookeryImage } from "@rookery/packaging";
import {
  type KubernetesNode,
  lastLines,
  startNode,
  type TestNamespace,
  waitFor,
  workspaceImage,
} from "@rookery/testing";

const image = "rookery.dev/nest:test";
const labels = { app: "nest" };

/** Runs in a pod: asks the API server who it is, through the Service "kubernetes". */
const askApiServer = `
const folder = "/var/run/secrets/kubernetes.io/serviceaccount/";
const read = (name) => require("node:fs").readFileSync(folder + name, "utf8");
require("node:https").request({
  host: process.env.KUBERNETES_SERVICE_HOST,
  port: process.env.KUBERNETES_SERVICE_PORT,
  path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
  method: "POST",
  ca: read("ca.crt"),
  headers: { authorization: "Bearer " + read("token"), "content-type": "application/json" },
}, (response) => response.pipe(process.stdout)).end(JSON.stringify({
  apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview",
}));
`;

describe("a pod of ours on a real node", () => {
  let node: KubernetesNode;
  let namespace: TestNamespace;

  before(async () => {
    node = await startNode({ shared: true });
    const source = fileURLToPath(new URL("./testdata/nest.ts", import.meta.url));
    await node.importImage(
      await workspaceImage({ name: image, files: [{ path: "nest.ts", source }], main: "nest.ts" }),
    );
    namespace = await node.createNamespace("pods");
    for (const manifest of [deployment(), service()]) await apply(manifest);
  });
  after(() => node?.[Symbol.asyncDispose]());

  const kubectl = (...args: string[]) => node.kubectl([`--namespace=${namespace.name}`, ...args]);
  const apply = (manifest: object) =>
    node.kubectl(["apply", `--namespace=${namespace.name}`, "--filename=-"], {
      stdin: JSON.stringify(manifest),
    });
  const get = async (path: string) => {
    const base = `/api/v1/namespaces/${namespace.name}`;
    return (await node.request("GET", base + path)).body;
  };

  test("becomes available when its readiness probe says so", async () => {
    await kubectl("wait", "deployment/nest", "--for=condition=Available", "--timeout=120s");
    await waitFor(async () => /^serving on 8080$/m.test(await kubectl("logs", "deployment/nest")), {
      what: "its words in the log",
    });
  });

  test("runs as nobody in particular, from the files of this workspace", async () => {
    const run = ["exec", "deployment/nest", "--", "node", "--print"];
    assert.equal(await kubectl(...run, "process.getuid()"), "65532\n");
    assert.equal(await kubectl(...run, "process.version"), `${process.version}\n`);
  });

  test("is reached through its Service, and tells so in its log", async () => {
    const answer = await visit();
    assert.match(answer.pod, /^nest-/);
    await waitFor(async () => /^visit \d+$/m.test(await kubectl("logs", "deployment/nest")), {
      what: "the visit in the log",
    });
  });

  test("reaches the API server through a Service, as its service account", async () => {
    const told = await kubectl("exec", "deployment/nest", "--", "node", "--eval", askApiServer);
    const { username } = JSON.parse(told).status.userInfo;
    assert.equal(username, `system:serviceaccount:${namespace.name}:default`);
  });

  test("is started again when it crashes", async () => {
    const { pod } = await visit();
    // It may be gone before its answer is.
    await fetch(`${await address()}/crash`).catch(() => {});
    await waitFor(
      async () => (await get(`/pods/${pod}`)).status.containerStatuses[0].restartCount === 1,
      { what: "the container to be started again", timeout: 120_000 },
    );
    await kubectl("wait", `pod/${pod}`, "--for=condition=Ready", "--timeout=120s");
    assert.match(await kubectl("logs", pod, "--previous"), /told to crash/);
    assert.equal((await visit()).pod, pod);
  });

  test("is replaced when it is deleted", async () => {
    const { pod } = await visit();
    await kubectl("delete", "pod", pod, "--grace-period=1");
    const next = await waitFor(
      async () => {
        const answer = await visit();
        return answer.pod === pod ? undefined : answer;
      },
      { what: "another pod to answer" },
    );
    assert.match(next.pod, /^nest-/);
  });

  test("runs the image that users get, with no file that it could write", async () => {
    const users = await rookeryImage();
    await node.importImage(users);
    await apply(job(users.name));
    await kubectl("wait", "job/rookery", "--for=condition=Complete", "--timeout=120s");
    assert.match(await kubectl("logs", "job/rookery"), /CustomResourceDefinition/);
  });

  async function address(): Promise<string> {
    const { spec } = await get("/services/nest");
    return `http://${spec.clusterIP}`;
  }

  async function visit(): Promise<{ pod: string; visits: number }> {
    const url = await address();
    return waitFor(
      async () => {
        const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
        const text = await response.text();
        assert.match(text, /^\{"pod"/, `${response.status} is not an answer of the pod: ${text}`);
        return JSON.parse(text) as { pod: string; visits: number };
      },
      { what: "the Service to answer", detail: () => lastLines(join(node.logs, "kube-proxy.log")) },
    );
  }
});

const container = { image, imagePullPolicy: "Never", name: "nest" };

function deployment() {
  const readinessProbe = { httpGet: { path: "/healthz", port: 8080 }, periodSeconds: 1 };
  const command = ["node", "/app/nest.ts"];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "nest" },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ ...container, command, readinessProbe }] },
      },
    },
  };
}

function service() {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "nest" },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
  };
}

function job(image: string) {
  const securityContext = { readOnlyRootFilesystem: true, runAsNonRoot: true };
  const rookery = { ...container, image, args: ["crds"], securityContext };
  const spec = { restartPolicy: "Never", containers: [rookery] };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "rookery" },
    spec: { backoffLimit: 0, template: { spec } },
  };
}
