import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createProtobufRenamer, createProtobufWatchRenamer } from "@rookery/group-suffix";
import {
  decodeEnvelope,
  encodeEnvelope,
  encodeFrame,
  FrameReader,
  isEnvelope,
  protobufMediaType,
  WireWriter,
} from "@rookery/kube";
import {
  type Kubernetes,
  notOnEmbedded,
  startKubernetes,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import {
  type Answer,
  mapping,
  nestsCrd,
  realGroup,
  virtualGroup,
  WireClient,
} from "./protobuf-client.ts";

const partial = (kind: string) =>
  `application/vnd.kubernetes.protobuf;as=${kind};g=meta.k8s.io;v=v1`;
const aggregated =
  "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

const skip = await notOnEmbedded("it answers in JSON alone");

describe("Protobuf of a real API server", { skip }, () => {
  const { rename } = createProtobufRenamer({ mapping });
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  /** What the server says. */
  let direct: WireClient;
  /** The same, through the interceptor. */
  let renamed: WireClient;
  let base: string;
  let owner: { readonly apiVersion: string; readonly kind: string; name: string; uid: string };

  before(async () => {
    kubernetes = await startKubernetes();
    namespace = await kubernetes.createNamespace("protobuf");
    base = `/namespaces/${namespace.name}`;
    // The default instance has the virtual group for real.
    for (const group of [virtualGroup, realGroup]) await kubernetes.applyCrd(nestsCrd(group));
    direct = await WireClient.connect(kubernetes, "direct");
    renamed = await WireClient.connect(kubernetes, "renamed");
    const nest = await created(`/apis/${virtualGroup}/v1${base}/nests`, {
      apiVersion: `${virtualGroup}/v1`,
      kind: "Nest",
      metadata: { name: "nest", labels: { of: "nests" } },
    });
    const { uid, name } = nest.metadata;
    owner = { apiVersion: `${virtualGroup}/v1`, kind: "Nest", name, uid };
  });

  after(async () => {
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    for (const group of [virtualGroup, realGroup]) {
      await kubernetes?.request("DELETE", `${crds}/nests.${group}`);
    }
    await renamed?.[Symbol.asyncDispose]();
    await direct?.[Symbol.asyncDispose]();
    await namespace?.[Symbol.asyncDispose]();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  /** Creates an object through the interceptor, as JSON. */
  async function created(path: string, object: object) {
    const accept = "application/json";
    const answer = await renamed.send("POST", path, { accept, body: object });
    assert.equal(answer.status, 201, answer.body.toString());
    return JSON.parse(answer.body.toString());
  }

  /** What comes through is what the server said, with the groups swapped. */
  async function compared(path: string, accept?: string): Promise<Answer> {
    const answer = await renamed.send("GET", path, accept === undefined ? {} : { accept });
    const { received } = renamed;
    assert.equal(answer.status, 200, answer.body.toString("latin1"));
    assert.ok(isEnvelope(received), "it is no Protobuf");
    assert.ok(!answer.body.equals(received), "nothing is renamed");
    assert.ok(answer.body.equals(rename(received, targetOf(path))), `${path} differs`);
    return answer;
  }

  const metadata = (name: string) => ({ name, ownerReferences: [owner] });
  const objects: Readonly<Record<string, [path: string, object: Record<string, unknown>]>> = {
    ConfigMap: ["/api/v1", { apiVersion: "v1", kind: "ConfigMap" }],
    ResourceQuota: [
      "/api/v1",
      {
        apiVersion: "v1",
        kind: "ResourceQuota",
        spec: { hard: { [`count/nests.${virtualGroup}`]: "9" } },
      },
    ],
    PersistentVolumeClaim: [
      "/api/v1",
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        spec: {
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "1Gi" } },
          dataSourceRef: { apiGroup: virtualGroup, kind: "Nest", name: "nest" },
        },
      },
    ],
    Role: [
      "/apis/rbac.authorization.k8s.io/v1",
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "Role",
        rules: [{ apiGroups: [virtualGroup], resources: ["nests"], verbs: ["get"] }],
      },
    ],
    HorizontalPodAutoscaler: [
      "/apis/autoscaling/v2",
      {
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: `${virtualGroup}/v1`, kind: "Nest", name: "nest" },
        },
      },
    ],
  };

  for (const [kind, [root, object]] of Object.entries(objects)) {
    it(`names the app's groups in a ${kind}, alone and in a list`, async () => {
      const path = `${root}${base}/${kind.toLowerCase()}s`;
      await created(path, { ...object, metadata: metadata("one") });
      await created(path, { ...object, metadata: { name: "other" } });
      for (const answer of [await compared(`${path}/one`), await compared(path)]) {
        assert.ok(answer.body.includes(`${virtualGroup}/v1`));
        // The keys of a map are fields too, which nobody renames in managedFields.
        const fields = times(answer.body, `"f:count/nests.${realGroup}"`);
        assert.equal(times(answer.body, realGroup), fields);
      }
      const stored = await direct.send("GET", `${path}/one`, { accept: "application/json" });
      const { apiVersion } = JSON.parse(stored.body.toString()).metadata.ownerReferences[0];
      assert.equal(apiVersion, `${realGroup}/v1`);
    });
  }

  it("is taken as the body of a request", async () => {
    const raw = new WireWriter().message(1, (meta) =>
      meta
        .string(1, "sent")
        .message(13, (reference) =>
          reference
            .string(1, owner.kind)
            .string(3, owner.name)
            .string(4, owner.uid)
            .string(5, owner.apiVersion),
        ),
    );
    const typeMeta = { apiVersion: "v1", kind: "ConfigMap" };
    const body = encodeEnvelope({ typeMeta, raw: raw.finish() }).finish();
    const answer = await renamed.send("POST", `/api/v1${base}/configmaps`, { body });
    assert.equal(answer.status, 201, answer.body.toString("latin1"));
    assert.ok(answer.body.includes(`${virtualGroup}/v1`));
    const stored = await direct.send("GET", `/api/v1${base}/configmaps/sent`);
    assert.ok(stored.body.includes(`${realGroup}/v1`));
  });

  it("watches as it lists, event by event", async () => {
    const { rename: renameEvents } = createProtobufWatchRenamer({ mapping });
    const path = `/api/v1${base}/configmaps?watch=true&resourceVersion=0&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
    await created(`/api/v1${base}/configmaps`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: metadata("watched"),
    });
    const ours = await eventOf(renamed, path, "watched");
    const theirs = await eventOf(direct, path, "watched");
    assert.ok(ours.includes(`${virtualGroup}/v1`));
    assert.deepEqual(ours, Buffer.from(renameEvents(theirs, undefined)));
  });

  it("shows the metadata of custom resources", async () => {
    const path = `/apis/${virtualGroup}/v1${base}/nests`;
    const one = await compared(`${path}/nest`, partial("PartialObjectMetadata"));
    const list = await compared(path, partial("PartialObjectMetadataList"));
    for (const { body } of [one, list]) {
      assert.ok(body.includes(`${virtualGroup}/v1`), "its managedFields");
      assert.ok(!body.includes(realGroup));
    }
  });

  it("shows the metadata of a CRD by its own name", async () => {
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const { body } = await compared(
      `${crds}/nests.${virtualGroup}`,
      partial("PartialObjectMetadata"),
    );
    assert.ok(body.includes(`nests.${virtualGroup}`));
    await compared(`${crds}/nests.${virtualGroup}`);
  });

  it("discovers the app's groups", async () => {
    const resources = await compared(`/apis/${virtualGroup}/v1`);
    assert.equal(decodeEnvelope(resources.body).typeMeta.kind, "APIResourceList");
    assert.ok(resources.body.includes(`${virtualGroup}/v1`));
    for (const accept of [protobufMediaType, aggregated]) {
      const known = async () => (await direct.send("GET", "/apis", { accept })).body;
      const isKnown = async () => (await known()).includes(realGroup);
      await waitFor(isKnown, { what: "the group in discovery" });
    }
    for (const [kind, accept] of [
      ["APIGroupList", protobufMediaType],
      ["APIGroupDiscoveryList", aggregated],
    ]) {
      const { body } = await renamed.send("GET", "/apis", { accept: accept ?? "" });
      assert.equal(decodeEnvelope(body).typeMeta.kind, kind);
      assert.ok(body.includes(virtualGroup));
      assert.ok(!body.includes(realGroup), "nobody can ask for it here");
    }
  });

  it("says in the app's words what is not there", async () => {
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const name = `none.${virtualGroup}`;
    const { status, body } = await renamed.send("GET", `${crds}/${name}`);
    assert.equal(status, 404);
    assert.equal(decodeEnvelope(body).typeMeta.kind, "Status");
    assert.equal(times(body, name), 2, "its message and its details");
    assert.ok(!body.includes(realGroup));
  });
});

function times(body: Buffer, text: string): number {
  return body.toString("latin1").split(text).length - 1;
}

/** What a request is about, for bodies that do not tell. */
function targetOf(path: string) {
  const [, , group = "", version = "", resource = ""] = path.split("/");
  return { group, version, resource };
}

/** The first event of a watch that holds a text, as its frame. */
async function eventOf(client: WireClient, path: string, text: string): Promise<Buffer> {
  const stop = new AbortController();
  const { body } = await client.open("GET", path, { signal: stop.signal });
  assert.ok(typeof body === "function");
  const found = Promise.withResolvers<Buffer>();
  const reader = new FrameReader();
  const write = (chunk: Uint8Array): boolean => {
    for (const frame of reader.push(Buffer.from(chunk))) {
      if (Buffer.from(frame).includes(text)) found.resolve(Buffer.concat(encodeFrame(frame)));
    }
    return true;
  };
  const running = Promise.resolve(
    body({ write, drained: () => Promise.resolve(), signal: stop.signal }),
  );
  running.catch(found.reject);
  const event = await found.promise;
  stop.abort();
  await running.catch(() => {});
  return event;
}
