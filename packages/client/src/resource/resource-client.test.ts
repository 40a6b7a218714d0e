import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HttpRequest } from "@rookery/http";
import {
  builtInResources,
  findStatusError,
  isConflict,
  isNotFound,
  type KubeObject,
  type Resource,
} from "@rookery/kube";
import { FakeServer, json, type SeenRequest } from "../../test/fake-server.ts";
import { ScopeError, UnexpectedAnswerError } from "../errors.ts";
import { requestTimeoutKey } from "../transport/timeout.ts";
import { createResourceClient, type ResourceClient } from "./resource-client.ts";

const { deployments, namespaces } = builtInResources;

const key = { namespace: "ns", name: "a" };
const object: KubeObject = { apiVersion: "apps/v1", kind: "Deployment", metadata: key };
const collection = "/apis/apps/v1/namespaces/ns/deployments";

type Ask = (client: ResourceClient) => Promise<unknown>;

describe("a resource client", () => {
  const rows: Record<string, [Ask, method: string, target: string, parts?: Partial<SeenRequest>]> =
    {
      "gets an object": [(client) => client.get(key), "GET", `${collection}/a`],
      "gets one that may be from a cache": [
        (client) => client.get(key, { resourceVersion: "0" }),
        "GET",
        `${collection}/a?resourceVersion=0`,
      ],
      "lists all namespaces": [(client) => client.list(), "GET", "/apis/apps/v1/deployments"],
      "lists a part": [
        (client) =>
          client.list({
            namespace: "ns",
            labelSelector: "a in (b,c)",
            fieldSelector: { toString: () => "metadata.name=x" },
            limit: 5,
            continue: "token",
            resourceVersion: "7",
            resourceVersionMatch: "Exact",
            timeoutSeconds: 3,
          }),
        "GET",
        `${collection}?labelSelector=a+in+(b,c)&fieldSelector=metadata.name=x&limit=5&continue=token&resourceVersion=7&resourceVersionMatch=Exact&timeoutSeconds=3`,
      ],
      "creates an object": [
        (client) => client.create(object),
        "POST",
        collection,
        {
          body: object,
          headers: { accept: "application/json", "content-type": "application/json" },
        },
      ],
      "creates with all that a write can have": [
        (client) =>
          client.create(object, { dryRun: true, fieldManager: "m", fieldValidation: "Strict" }),
        "POST",
        `${collection}?dryRun=All&fieldManager=m&fieldValidation=Strict`,
      ],
      "updates an object": [
        (client) => client.update(object),
        "PUT",
        `${collection}/a`,
        { body: object },
      ],
      "patches with steps": [
        (client) => client.patch(key, { type: "json", patch: [{ op: "remove", path: "/spec" }] }),
        "PATCH",
        `${collection}/a`,
        {
          body: [{ op: "remove", path: "/spec" }],
          headers: { accept: "application/json", "content-type": "application/json-patch+json" },
        },
      ],
      "patches with a merge": [
        (client) => client.patch(key, { type: "merge", patch: { spec: null } }, { dryRun: true }),
        "PATCH",
        `${collection}/a?dryRun=All`,
        {
          body: { spec: null },
          headers: { accept: "application/json", "content-type": "application/merge-patch+json" },
        },
      ],
      "patches with a strategic merge": [
        (client) => client.patch(key, { type: "strategic", patch: {} }),
        "PATCH",
        `${collection}/a`,
        {
          body: {},
          headers: {
            accept: "application/json",
            "content-type": "application/strategic-merge-patch+json",
          },
        },
      ],
      "applies an object": [
        (client) => client.apply(object, { fieldManager: "m", force: true }),
        "PATCH",
        `${collection}/a?fieldManager=m&force=true`,
        {
          body: object,
          headers: { accept: "application/json", "content-type": "application/apply-patch+yaml" },
        },
      ],
      "deletes an object": [
        (client) => client.delete(key),
        "DELETE",
        `${collection}/a`,
        { body: { kind: "DeleteOptions", apiVersion: "v1" } },
      ],
      "deletes with all that a delete can have": [
        (client) =>
          client.delete(key, {
            dryRun: true,
            propagationPolicy: "Foreground",
            gracePeriodSeconds: 0,
            preconditions: { uid: "u", resourceVersion: "7" },
          }),
        "DELETE",
        `${collection}/a`,
        {
          body: {
            kind: "DeleteOptions",
            apiVersion: "v1",
            dryRun: ["All"],
            propagationPolicy: "Foreground",
            gracePeriodSeconds: 0,
            preconditions: { uid: "u", resourceVersion: "7" },
          },
        },
      ],
      "deletes many": [
        (client) =>
          client.deleteCollection({
            namespace: "ns",
            labelSelector: "a=b",
            propagationPolicy: "Orphan",
          }),
        "DELETE",
        `${collection}?labelSelector=a=b`,
        { body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Orphan" } },
      ],
      "updates a status": [
        (client) => client.status.update(object),
        "PUT",
        `${collection}/a/status`,
        { body: object },
      ],
      "patches a status": [
        (client) => client.status.patch(key, { type: "merge", patch: { status: {} } }),
        "PATCH",
        `${collection}/a/status`,
        { body: { status: {} } },
      ],
      "applies a status": [
        (client) => client.status.apply(object, { fieldManager: "m" }),
        "PATCH",
        `${collection}/a/status?fieldManager=m`,
      ],
      "gets a scale": [(client) => client.scale.get(key), "GET", `${collection}/a/scale`],
      "creates by a subresource": [
        (client) => client.subresource("eviction").create(key, object, { dryRun: true }),
        "POST",
        `${collection}/a/eviction?dryRun=All`,
        { body: object },
      ],
    };
  for (const [name, [ask, method, target, parts = {}]] of Object.entries(rows)) {
    it(name, async () => {
      const answer = { kind: "Some", metadata: {}, items: [] };
      const server = new FakeServer(json(answer));
      const result = await ask(createResourceClient(server.handler, deployments));
      assert.deepEqual(result, answer);
      const { last } = server;
      assert.equal(server.seen.length, 1);
      assert.equal(`${last.method} ${last.target}`, `${method} ${target}`);
      for (const [part, expected] of Object.entries(parts)) {
        assert.deepEqual(last[part as keyof SeenRequest], expected);
      }
    });
  }

  it("needs no namespace for what is cluster-scoped", async () => {
    const server = new FakeServer(json({ items: [] }));
    const client = createResourceClient(server.handler, namespaces);
    await client.get({ name: "a" });
    await client.list();
    await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { generateName: "a-" } });
    assert.deepEqual(server.targets, [
      "GET /api/v1/namespaces/a",
      "GET /api/v1/namespaces",
      "POST /api/v1/namespaces",
    ]);
  });

  describe("sends nothing", () => {
    const refused: Record<string, [Resource, Ask, message: RegExp]> = {
      "to get a namespaced object without namespace": [
        deployments,
        (client) => client.get({ name: "a" }),
        /could not get deployments\.apps "a": deployments\.apps are namespaced; name a namespace/,
      ],
      "to create a namespaced object without namespace": [
        deployments,
        (client) => client.create({ ...object, metadata: { generateName: "a-" } }),
        /could not create deployments "a-…": deployments\.apps are namespaced/,
      ],
      "to get a cluster-scoped object in a namespace": [
        namespaces,
        (client) => client.get(key),
        /could not get namespaces "a": namespaces are cluster-scoped; leave out the namespace "ns"/,
      ],
      "to list or watch cluster-scoped objects in a namespace": [
        namespaces,
        (client) => client.watch({ namespace: "ns" }, () => {}),
        /could not watch namespaces: namespaces are cluster-scoped/,
      ],
      "to update an object without name": [
        deployments,
        (client) => client.update({ ...object, metadata: { namespace: "ns" } }),
        /could not update deployments\.apps "": it has no name/,
      ],
      "to get the status of an object without namespace": [
        deployments,
        (client) => client.status.get({ name: "a" }),
        /could not GET status of deployments\.apps "a": deployments\.apps are namespaced/,
      ],
    };
    for (const [name, [resource, ask, message]] of Object.entries(refused)) {
      it(name, async () => {
        const server = new FakeServer();
        await assert.rejects(ask(createResourceClient(server.handler, resource)), (error) => {
          assert(error instanceof ScopeError);
          assert.match(error.message, message);
          return true;
        });
        assert.equal(server.seen.length, 0);
      });
    }

    it("to a name that leads elsewhere", async () => {
      const server = new FakeServer();
      const client = createResourceClient(server.handler, deployments);
      await assert.rejects(client.get({ namespace: "ns", name: "../x" }), /could not use name/);
      assert.equal(server.seen.length, 0);
    });
  });

  it("adds the kind that the server leaves out of a list's items", async () => {
    const items = [{ metadata: { name: "a" } }, { kind: "Own", apiVersion: "x/v1", metadata: {} }];
    const list = json({ kind: "DeploymentList", apiVersion: "apps/v1", metadata: {}, items });
    const client = createResourceClient(new FakeServer(list).handler, deployments);
    assert.deepEqual((await client.list()).items, [
      { kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "a" } },
      { kind: "Own", apiVersion: "x/v1", metadata: {} },
    ]);
    const empty = new FakeServer(json({ metadata: {}, items: null }));
    assert.deepEqual((await createResourceClient(empty.handler, deployments).list()).items, []);
  });

  describe("rejects", () => {
    it("with the Status that the server sent, whole", async () => {
      const status = {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: 'deployments.apps "a" not found',
        reason: "NotFound",
        details: { name: "a", group: "apps", kind: "deployments", causes: [{ field: "x" }] },
        code: 404,
      };
      const server = new FakeServer(json(status, { status: 404 }));
      const asked = createResourceClient(server.handler, deployments).get(key);
      await assert.rejects(asked, (error) => {
        assert(isNotFound(error));
        assert.deepEqual(findStatusError(error)?.status, status);
        return true;
      });
    });

    it("with a Status of its own where the server sent none", async () => {
      const headers = { "content-type": "text/plain", "retry-after": "7" };
      const server = new FakeServer({ status: 409, headers, body: Buffer.from("busy") });
      const asked = createResourceClient(server.handler, deployments).update(object);
      await assert.rejects(asked, (error) => {
        assert(isConflict(error));
        assert.deepEqual(findStatusError(error)?.status.details, {
          name: "a",
          group: "apps",
          kind: "deployments",
          causes: [{ reason: "UnexpectedServerResponse", message: "busy" }],
          retryAfterSeconds: 7,
        });
        return true;
      });
    });

    it("where a success is no JSON", async () => {
      const headers = { "content-type": "text/html" };
      const server = new FakeServer({ status: 200, headers, body: Buffer.from("<html>login") });
      const asked = createResourceClient(server.handler, deployments).get(key);
      await assert.rejects(asked, (error) => {
        assert(error instanceof UnexpectedAnswerError);
        assert.match(error.message, /the answer is not JSON \(text\/html\); is there a proxy/);
        return true;
      });
    });
  });

  it("passes its signal and its timeout on", async () => {
    let seen: HttpRequest | undefined;
    const { signal } = new AbortController();
    const client = createResourceClient((request) => {
      seen = request;
      return json({});
    }, deployments);
    await client.get(key, { signal, timeoutMs: 5 });
    assert.equal(seen?.context.get(requestTimeoutKey), 5);
    assert.equal(seen?.signal, signal);
  });
});
