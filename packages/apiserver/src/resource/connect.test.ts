import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdmissionPlugin, ConnectRequest, ServedSubresource } from "@rookery/apiserver";
import { createTestServer } from "../../test/asking.ts";
import { greetingGroup } from "../../test/greetings.ts";
import { MemoryStore } from "../../test/memory-store.ts";

const group = "greetings.k8s.io";
const root = `/apis/${group}/v1/namespaces/ns/greetings/x`;

function createConnected(admission: readonly AdmissionPlugin[] = []) {
  const requests: ConnectRequest[] = [];
  const connect = (request: ConnectRequest) => {
    requests.push(request);
    return { status: 200, headers: {}, body: Buffer.from("connected") };
  };
  const subresources: Record<string, ServedSubresource> = {
    log: { handlers: {}, connect: { methods: ["GET"], connect } },
    proxy: {
      kind: { group, version: "v1", kind: "GreetingProxyOptions" },
      handlers: {},
      connect: {
        methods: ["POST", "GET", "DELETE"],
        takesPath: true,
        connect,
        options: (query) => ({ path: query.get("path") ?? "" }),
      },
    },
  };
  const store = new MemoryStore({ group, resource: "greetings" });
  const resource = { handlers: store.handlers, namespaced: true, subresources };
  return { ...createTestServer({ groups: [greetingGroup(group, resource)], admission }), requests };
}

test("what leads on gets requests as they are, with the path beyond it", async () => {
  const { ask, requests } = createConnected();
  const rows: Record<string, string> = {
    [`${root}/proxy`]: "",
    [`${root}/proxy/`]: "/",
    [`${root}/proxy/a%20b/c`]: "/a b/c",
    [`${root}/proxy/a/`]: "/a/",
  };
  for (const [target, subpath] of Object.entries(rows)) {
    assert.equal((await ask(target, { method: "DELETE" })).text, "connected");
    assert.equal(requests.at(-1)?.subpath, subpath);
  }
  const { namespace, name, user } = requests[0] as ConnectRequest;
  assert.deepEqual([namespace, name, user.name], ["ns", "x", "jane"]);
});

test("other methods and paths are refused", async () => {
  const { ask, requests } = createConnected();
  assert.equal((await ask(`${root}/log`, { method: "DELETE" })).status, 405);
  assert.equal((await ask(`${root}/log/more`)).status, 404);
  assert.equal((await ask(`${root}/proxy?dryRun=All`)).status, 400);
  assert.deepEqual(requests, []);
});

test("admission is asked about the options, and may change them", async () => {
  const asked: string[] = [];
  const plugin: AdmissionPlugin = {
    name: "Path",
    operations: ["CONNECT"],
    mutate: ({ object, kind }) => ({ ...object, path: `changed ${kind.kind}` }) as never,
    validate: ({ operation, subresource }) => void asked.push(`${operation} ${subresource}`),
  };
  const { ask, requests } = createConnected([plugin]);
  await ask(`${root}/proxy/?path=given`);
  await ask(`${root}/log`);
  assert.equal(requests[0]?.options.path, "changed GreetingProxyOptions");
  assert.deepEqual(requests[1]?.options, {});
  assert.deepEqual(asked, ["CONNECT proxy"]);
});

test("discovery tells the verbs of its methods", async () => {
  const { ask } = createConnected();
  const { resources } = (await ask(`/apis/${group}/v1`)).body;
  const verbs = resources.map(({ name, kind, verbs: own }: Record<string, unknown>) => [
    name,
    kind,
    own,
  ]);
  assert.deepEqual(verbs.slice(1), [
    ["greetings/log", "Greeting", ["get"]],
    ["greetings/proxy", "GreetingProxyOptions", ["create", "delete", "get"]],
  ]);
});
