import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decodeEnvelope, FrameReader, WireReader } from "@rookery/kube";
import {
  type Kubernetes,
  notOnEmbedded,
  startKubernetes,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import {
  type Answer,
  askDirectly,
  type ScopedProxy,
  startScopedProxy,
  useCrd,
} from "./scope-world.ts";
import { virtualGroup } from "./widgets.ts";

const group = "scope.example.org";
const protobuf = "application/vnd.kubernetes.protobuf";
const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
const asMetadata = "as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

const needsProtobuf = await notOnEmbedded("it answers in JSON alone");
const needsForgetting = await notOnEmbedded("it remembers every kind for as long as any other");

describe("a scope of namespaces, before a real API server", () => {
  const stack = new AsyncDisposableStack();
  let kubernetes: Kubernetes;
  /** In the scope: the first two; the third is another's. */
  let names: [string, string, string];
  let scoped: ScopedProxy;
  let rest: ScopedProxy;
  /** Selects what this test made: other tests share the server. */
  let mine: string;

  before(async () => {
    kubernetes = stack.use(await startKubernetes());
    await useCrd(kubernetes, group, stack);
    const create = async () => stack.use<TestNamespace>(await kubernetes.createNamespace("scope"));
    const [a, b, c, own] = await Promise.all([create(), create(), create(), create()]);
    names = [a.name, b.name, c.name];
    mine = `labelSelector=scope-test%3D${a.name}`;
    await Promise.all(
      names.flatMap((name) => [0, 1, 2].flatMap((i) => createBoth(name, `${name}-${i}`))),
    );
    await create1(own.name, "configmaps", `${own.name}-0`);
    await create1(own.name, "widgets", `${own.name}-0`);
    const start = async (...args: string[]) => stack.use(await startScopedProxy(kubernetes, args));
    [scoped, rest] = await Promise.all([
      start(`--namespace=${a.name},${b.name}`, `--own-namespace=${own.name}`),
      start(`--excluded-namespace=${a.name},${b.name}`),
    ]);
  });
  after(() => stack.disposeAsync());

  const pathOf = (resource: string, namespace?: string) => {
    const base = resource === "widgets" ? `/apis/${group}/v1` : "/api/v1";
    return `${base}${namespace ? `/namespaces/${namespace}` : ""}/${resource}`;
  };

  async function create1(namespace: string, resource: string, name: string): Promise<void> {
    const metadata = { name, labels: { "scope-test": names?.[0] ?? "" } };
    const body =
      resource === "widgets"
        ? { apiVersion: `${group}/v1`, kind: "Widget", metadata, spec: { size: 1 } }
        : { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } };
    const { status } = await kubernetes.request("POST", pathOf(resource, namespace), { body });
    assert.equal(status, 201);
  }

  function createBoth(namespace: string, name: string): Promise<void>[] {
    return ["widgets", "configmaps"].map((resource) => create1(namespace, resource, name));
  }

  const expected = (...which: string[]) =>
    which.flatMap((name) => [0, 1, 2].map((i) => `${name}-${i}`)).sort();
  // biome-ignore lint/suspicious/noExplicitAny: objects of any kind
  const namesIn = (items: any[]): string[] => items.map(({ metadata }) => metadata.name).sort();

  for (const resource of ["widgets", "configmaps"]) {
    describe(`of ${resource}`, () => {
      const path = () => `${pathOf(resource)}?${mine}`;
      const own = () => (resource === "configmaps" ? 1 : 0);

      test("a list of all namespaces has those of the scope", async () => {
        const { status, body } = await scoped.ask(path());
        assert.equal(status, 200);
        const found = namesIn(body.items);
        assert.deepEqual(
          found.filter((name) => names.some((one) => name.startsWith(one))),
          expected(names[0], names[1]),
        );
        // Of the app's own namespace what it keeps for itself, and nothing that it might reconcile.
        assert.equal(found.length, 6 + own());
        assert.match(body.metadata.resourceVersion, /^\d+$/);
        assert.deepEqual(
          namesIn((await rest.ask(path())).body.items).filter((name) => name.startsWith(names[2])),
          expected(names[2]),
        );
      });

      test("pages have sealed tokens, and all of it comes", async () => {
        const all: string[] = [];
        let token: string | undefined;
        let version: string | undefined;
        do {
          const more: string = token === undefined ? "" : `&continue=${encodeURIComponent(token)}`;
          const { body }: Answer = await scoped.ask(`${path()}&limit=2${more}`);
          version ??= body.metadata.resourceVersion;
          assert.equal(body.metadata.resourceVersion, version);
          all.push(...namesIn(body.items));
          token = body.metadata.continue;
        } while (token);
        assert.equal(all.length, 6 + own());
      });

      test("a Table has rows of the scope, whether objects are asked for or not", async () => {
        for (const includeObject of ["None", "Metadata", "Object"]) {
          const { body } = await scoped.ask(`${path()}&includeObject=${includeObject}`, {
            accept: asTable,
          });
          assert.equal(body.kind, "Table");
          assert.equal(body.rows.length, 6 + own());
        }
      });

      test("metadata alone is narrowed, in JSON and in Protobuf", {
        skip: needsProtobuf,
      }, async () => {
        const { body } = await scoped.ask(path(), { accept: `application/json;${asMetadata}` });
        assert.equal(body.kind, "PartialObjectMetadataList");
        assert.equal(body.items.length, 6 + own());
        const { bytes } = await scoped.ask(path(), { accept: `${protobuf};${asMetadata}` });
        assert.equal(itemsIn(bytes).length, 6 + own());
      });

      test("a watch sends first what is there, then a bookmark, and what happens in the scope", async () => {
        const query =
          "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
        const last = /"k8s.io\/initial-events-end":"true".*\n/;
        const until = (bytes: Buffer) => last.test(bytes.toString());
        const { events } = await scoped.ask(`${path()}&${query}`, { until });
        const types = events.map(({ type }) => type);
        assert.deepEqual(types, [...Array(6 + own()).fill("ADDED"), "BOOKMARK"]);
      });

      test("a watch goes on from a resourceVersion, with the server's own versions", async () => {
        const { resourceVersion } = (await scoped.ask(path())).body.metadata;
        for (const name of [names[2], names[0]]) {
          await create1(name, resource, `${name}-9`);
          await kubernetes.request("DELETE", `${pathOf(resource, name)}/${name}-9`);
        }
        const watch = `${path()}&watch=1&resourceVersion=${resourceVersion}`;
        const deletion = new RegExp(`"DELETED".*"${names[0]}-9".*\\n`);
        const until = (bytes: Buffer) => deletion.test(bytes.toString());
        const seen = await scoped.ask(watch, { until });
        const all = await askDirectly(kubernetes, watch, { until });
        const own = all.bytes
          .toString()
          .split("\n")
          .filter((line) => line.includes(`"${names[0]}-9"`));
        assert.deepEqual(
          seen.events.map(({ type }) => type),
          ["ADDED", "DELETED"],
        );
        assert.deepEqual(seen.bytes.toString().trim().split("\n"), own);
      });
    });
  }

  test("a state that is no more is told as such, in the server's own words", {
    skip: needsForgetting,
  }, async () => {
    // The server has kept widgets in mind since their definition, and not since its own beginning.
    const watch = `${pathOf("widgets")}?watch=1&resourceVersion=1`;
    const until = (bytes: Buffer) => bytes.includes("\n");
    const seen = await scoped.ask(watch, { until });
    const direct = await askDirectly(kubernetes, watch, { until });
    const [event] = seen.events;
    assert.deepEqual(
      [event.type, event.object.reason, event.object.code],
      ["ERROR", "Expired", 410],
    );
    const words = ({ bytes }: Answer) => bytes.toString().replace(/\(\d+\)/, "(now)");
    assert.equal(words(seen), words(direct));
  });

  test("Protobuf is narrowed as JSON is, in lists and watches", {
    skip: needsProtobuf,
  }, async () => {
    const path = `${pathOf("configmaps")}?${mine}`;
    const { bytes } = await scoped.ask(path, { accept: protobuf });
    assert.deepEqual(itemsIn(bytes).length, 7);
    assert.doesNotMatch(bytes.toString("latin1"), new RegExp(names[2]));
    const watch = `${path}&watch=1&resourceVersion=0`;
    const frames = (stream: Buffer) => new FrameReader().push(stream).length;
    const until = (stream: Buffer) => frames(stream) >= 7;
    const stream = await scoped.ask(watch, { accept: `${protobuf};stream=watch`, until });
    assert.doesNotMatch(stream.bytes.toString("latin1"), new RegExp(names[2]));
  });

  test("kubectl sees the scope", async () => {
    const args = ["get", `widgets.${group}`, "-A", "-o", "name", "-l", `scope-test=${names[0]}`];
    const output = await scoped.proxy.kubectl(args);
    assert.equal(output.trim().split("\n").length, 6);
    const table = await scoped.proxy.kubectl(["get", `widgets.${group}`, "-A"]);
    assert.match(table, new RegExp(names[0]));
    assert.doesNotMatch(table, new RegExp(names[2]));
  });

  test("reads and writes of another namespace are refused, of the own one they are not", async () => {
    const foreign = pathOf("configmaps", names[2]);
    const asked: [method: string, path: string][] = [
      ["GET", foreign],
      ["GET", `${foreign}/${names[2]}-0`],
      ["GET", `${foreign}?watch=1`],
      ["DELETE", foreign],
      ["DELETE", pathOf("widgets")],
    ];
    for (const [method, path] of asked) {
      const { status, body } = await scoped.ask(path, { method });
      assert.deepEqual([status, body.reason], [403, "Forbidden"], `${method} ${path}`);
    }
    const output = await scoped.proxy.tryKubectl(["get", "cm", "-n", names[2]]);
    assert.match(output.output, /this instance does not watch namespace ".*" \(--namespace=/);
    const [own] = (await scoped.ask(`${pathOf("configmaps")}?${mine}`)).body.items.filter(
      // biome-ignore lint/suspicious/noExplicitAny: objects of any kind
      ({ metadata }: any) => !names.includes(metadata.namespace),
    );
    const { status } = await scoped.ask(
      `${pathOf("configmaps", own.metadata.namespace)}/${own.metadata.name}`,
    );
    assert.equal(status, 200);
  });

  test("the status of a definition is refused, and stays", async () => {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${group}`;
    const body = { status: { storedVersions: ["v1"] } };
    const contentType = "application/merge-patch+json";
    const answer = await scoped.ask(`${path}/status`, { method: "PATCH", body, contentType });
    assert.equal(answer.status, 403);
    assert.match(answer.body.message, /the operator migrates stored versions/);
    assert.equal((await scoped.ask(path)).status, 200);
  });

  test("a collection of the scope is deleted in its namespace", async () => {
    await create1(names[1], "widgets", `${names[1]}-del`);
    const selected = `${pathOf("widgets", names[1])}?fieldSelector=metadata.name%3D${names[1]}-del`;
    assert.equal((await scoped.ask(selected, { method: "DELETE" })).status, 200);
    assert.equal(
      (await kubernetes.request("GET", `${pathOf("widgets", names[1])}/${names[1]}-del`)).status,
      404,
    );
  });

  test("a namespace that is made meanwhile is another's at once, and soon left out by the server", async () => {
    const list = `${pathOf("widgets")}?${mine}`;
    await using fresh = await kubernetes.createNamespace("scope-new");
    await create1(fresh.name, "widgets", `${fresh.name}-0`);
    assert.equal((await scoped.ask(list)).body.items.length, 6);
    await waitFor(
      async () => {
        const before = await scoped.dropped();
        assert.equal((await scoped.ask(list)).body.items.length, 6);
        return (await scoped.dropped()) === before;
      },
      { what: "the server to leave the new namespace out" },
    );
    // The rest is whatever nobody claims, what is new included.
    assert.match((await rest.ask(list)).bytes.toString(), new RegExp(`"${fresh.name}-0"`));
    assert.equal(await rest.dropped(), 0, "all that is excluded is left out by the server");
  });

  test("who may not list namespaces has the foreign ones dropped on the way", async () => {
    const user = await kubernetes.user({ name: `scope-${names[0]}` });
    const rules = [{ apiGroups: [group], resources: ["widgets"], verbs: ["get", "list", "watch"] }];
    const metadata = { name: `scope-${names[0]}` };
    const rbac = "rbac.authorization.k8s.io";
    const subjects = [{ kind: "User", name: user.name, apiGroup: rbac }];
    const roleRef = { kind: "ClusterRole", name: metadata.name, apiGroup: rbac };
    const create = (plural: string, body: object) =>
      kubernetes.request("POST", `/apis/${rbac}/v1/${plural}`, { body: { metadata, ...body } });
    await create("clusterroles", { rules });
    await create("clusterrolebindings", { subjects, roleRef });
    const flags = [`--upstream=${user.kubeconfig}`, `--namespace=${names[0]},${names[1]}`];
    await using poor = await startScopedProxy(kubernetes, flags);
    const list = () => poor.ask(`${pathOf("widgets")}?${mine}`);
    await waitFor(async () => (await list()).status === 200, { what: "the role to be in force" });
    assert.equal((await list()).body.items.length, 6);
    assert.ok((await poor.dropped()) >= 3);
    await waitFor(() => /let it get, list and watch them/.test(poor.proxy.log), {
      what: "what is missing in the log",
    });
    for (const plural of ["clusterrolebindings", "clusterroles"]) {
      await kubernetes.request("DELETE", `/apis/${rbac}/v1/${plural}/${metadata.name}`);
    }
  });

  test("it goes together with an API group of the instance's own", async () => {
    const flags = [`--map=${virtualGroup}=${group}`, `--namespace=${names[0]},${names[1]}`];
    await using renamed = await startScopedProxy(kubernetes, flags);
    const { body } = await renamed.ask(`/apis/${virtualGroup}/v1/widgets?${mine}`);
    assert.deepEqual(namesIn(body.items), expected(names[0], names[1]));
    assert.equal(body.apiVersion, `${virtualGroup}/v1`);
    const refused = await renamed.ask(`/apis/${virtualGroup}/v1/namespaces/${names[2]}/widgets`);
    assert.match(refused.body.message, new RegExp(`^widgets.${virtualGroup} is forbidden`));
  });
});

/** The items of a list in Protobuf. */
function itemsIn(bytes: Uint8Array): Uint8Array[] {
  const reader = new WireReader(decodeEnvelope(bytes).raw ?? new Uint8Array());
  const items: Uint8Array[] = [];
  while (reader.next()) {
    if (reader.field === 2) items.push(reader.bytes());
    else reader.skip();
  }
  return items;
}
