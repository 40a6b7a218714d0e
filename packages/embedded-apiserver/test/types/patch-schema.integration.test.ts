import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { applyStrategicMergePatch, type KubeObject, PatchError } from "@rookery/kube";
import { type Kubernetes, startKubernetes, type TestNamespace } from "@rookery/testing";
import { builtInGoType } from "../../src/types/go-types.ts";
import { patchSchemaOf } from "../../src/types/patch-schema.ts";
import { typedDecoder } from "../../src/types/typed-decoder.ts";

let kubernetes: Kubernetes;
let namespace: TestNamespace;

before(async () => {
  kubernetes = await startKubernetes();
  namespace = await kubernetes.createNamespace("patches");
});

after(async () => {
  // A namespace waits for what has finalizers.
  const body = { metadata: { finalizers: null } };
  await kubernetes?.request("PATCH", `${collectionOf(service)}/patched`, { body });
  await namespace?.[Symbol.asyncDispose]();
  await kubernetes?.[Symbol.asyncDispose]();
});

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "patched" },
  spec: {
    selector: { matchLabels: { app: "x" } },
    template: {
      metadata: { labels: { app: "x" } },
      spec: {
        containers: [
          {
            name: "a",
            image: "a:1",
            args: ["one", "two"],
            env: [
              { name: "ONE", value: "1" },
              { name: "TWO", value: "2" },
            ],
            ports: [{ containerPort: 80 }, { containerPort: 81 }],
            volumeMounts: [{ name: "v", mountPath: "/v" }],
          },
          { name: "b", image: "b:1" },
        ],
        tolerations: [{ key: "one", operator: "Exists" }],
        volumes: [
          { name: "v", emptyDir: {} },
          { name: "w", configMap: { name: "w" } },
        ],
      },
    },
  },
};

const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "patched", finalizers: ["a.io/b"] },
  spec: {
    clusterIP: "None",
    selector: { app: "x" },
    ports: [
      { name: "a", port: 80, targetPort: 8080 },
      { name: "b", port: 81, targetPort: "web" },
    ],
  },
};

/** Written out: no defaults are filled in here. */
const filled = {
  imagePullPolicy: "Always",
  terminationMessagePolicy: "File",
  terminationMessagePath: "/dev/termination-log",
};

const inPod = (spec: object) => ({ spec: { template: { spec } } });
const container = (change: object) => inPod({ containers: [{ name: "a", ...change }] });

const cases: Record<string, [of: KubeObject, patch: object]> = {
  "containers are merged by name": [deployment, container({ image: "a:2" })],
  "a new container comes first": [
    deployment,
    inPod({ containers: [{ ...filled, name: "c", image: "c" }] }),
  ],
  "a container goes": [deployment, inPod({ containers: [{ name: "b", $patch: "delete" }] })],
  "all containers are replaced": [
    deployment,
    inPod({ containers: [{ $patch: "replace" }, { ...filled, name: "z", image: "z" }] }),
  ],
  "containers get another order": [
    deployment,
    inPod({ "$setElementOrder/containers": [{ name: "b" }, { name: "a" }] }),
  ],
  "variables and ports are merged, arguments replaced": [
    deployment,
    container({
      args: ["three"],
      ports: [{ containerPort: 81, name: "web" }],
      env: [
        { name: "TWO", value: "3" },
        { name: "ONE", $patch: "delete" },
      ],
    }),
  ],
  "tolerations are replaced": [
    deployment,
    inPod({ tolerations: [{ key: "two", operator: "Exists" }] }),
  ],
  "a volume keeps only what it is told to": [
    deployment,
    inPod({
      volumes: [
        {
          name: "w",
          $retainKeys: ["name", "secret"],
          secret: { secretName: "s", defaultMode: 420 },
        },
      ],
    }),
  ],
  "a strategy keeps only what it is told to": [
    deployment,
    { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
  ],
  "ports of a Service are merged by number": [
    service,
    { spec: { ports: [{ port: 81, targetPort: 9 }] } },
  ],
  "finalizers are merged as a set": [service, { metadata: { finalizers: ["c.io/d"] } }],
  "one finalizer goes": [
    service,
    { metadata: { "$deleteFromPrimitiveList/finalizers": ["a.io/b"] } },
  ],
  "labels of a selector are replaced as a whole": [
    service,
    { spec: { selector: { $patch: "replace", tier: "y" } } },
  ],
  "an order of a list that is not there": [deployment, { spec: { "$setElementOrder/typo": [] } }],
};

test("strategic merge patches go as on a kube-apiserver", async (context) => {
  for (const object of [deployment, service]) {
    const { status, body } = await kubernetes.request("POST", collectionOf(object), {
      body: object,
    });
    assert.equal(status, 201, JSON.stringify(body));
  }
  for (const [sentence, [object, patch]] of Object.entries(cases)) {
    await context.test(sentence, async () =>
      assert.deepEqual(ours(await live(object), patch), await theirs(object, patch)),
    );
  }
});

function collectionOf({ kind }: KubeObject): string {
  const root = kind === "Service" ? "/api/v1" : "/apis/apps/v1";
  return `${root}/namespaces/${namespace.name}/${kind.toLowerCase()}s`;
}

async function live(object: KubeObject): Promise<KubeObject> {
  return (await kubernetes.request("GET", `${collectionOf(object)}/patched`)).body;
}

async function theirs(object: KubeObject, patch: object) {
  const path = `${collectionOf(object)}/patched?dryRun=All`;
  const contentType = "application/strategic-merge-patch+json";
  const { status, body } = await kubernetes.request("PATCH", path, { body: patch, contentType });
  return status === 200 ? specOf(body) : { status, message: body.message };
}

/** Without defaults: what was there has them. */
function ours(before: KubeObject, patch: object) {
  const goType = builtInGoType(before) ?? "";
  try {
    const patched = applyStrategicMergePatch(before, patch, patchSchemaOf(goType));
    return specOf(typedDecoder(goType)(patched as never).object as unknown as KubeObject);
  } catch (error) {
    if (error instanceof PatchError) return { status: error.httpStatus, message: error.reason };
    throw error;
  }
}

function specOf({ metadata, spec }: KubeObject) {
  return { finalizers: metadata.finalizers, spec };
}
