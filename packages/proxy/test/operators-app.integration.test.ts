import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import {
  createTemporaryFolder,
  type Kubernetes,
  runCommand,
  startKubernetes,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import { parseAllDocuments } from "yaml";
import { type FlockInstance, startFlockInstance, virtual } from "./operators-flocks.ts";
import { describeWith, findAviary } from "./operators-programs.ts";

const patience = { timeout: 120_000 };

/** Each instance by its name and what the cluster calls its group. */
const groups = {
  team1: "aviary.team1.example.com",
  team2: "flocks.of.team2.example.org",
  default: virtual,
};
type Name = keyof typeof groups;
const names = Object.keys(groups) as Name[];

describeWith(
  "an ordinary app, twice through the proxy and once as it is",
  await findAviary(),
  (program) => {
    const stack = new AsyncDisposableStack();
    let kubernetes: Kubernetes;
    let namespace: TestNamespace;
    const instances = new Map<Name, FlockInstance>();

    before(async () => {
      kubernetes = stack.use(await startKubernetes({ private: true }));
      const folder = stack.use(await createTemporaryFolder("operators")).path;
      const text = await readFile(new URL("./inject-app.yaml", import.meta.url), "utf8");
      const manifests = parseAllDocuments(text).map((document) => document.toJS());
      const common = { kubernetes, folder, program, manifests };
      for (const [index, name] of names.entries()) {
        const options = { ...common, name: `aviary-${name}`, group: groups[name], index };
        instances.set(name, stack.use(await startFlockInstance(options)));
      }
      namespace = stack.use(await kubernetes.createNamespace("world"));
      for (const name of names) await isInstalled(name);
    });
    after(() => stack.disposeAsync());

    const flocks = (name: Name, flock = "", version = "v1") =>
      `/apis/${groups[name]}/${version}/namespaces/${namespace.name}/flocks${flock && `/${flock}`}`;

    function create(name: Name, flock: string, spec: object, version = "v1") {
      const apiVersion = `${groups[name]}/${version}`;
      const body = { apiVersion, kind: "Flock", metadata: { name: flock }, spec };
      return kubernetes.request("POST", flocks(name, "", version), { body });
    }

    /** Until the API server serves the kind, and calls both webhooks. */
    async function isInstalled(name: Name): Promise<void> {
      const probe = (spec: object) => {
        const metadata = { name: "probe" };
        const body = { apiVersion: `${groups[name]}/v1`, kind: "Flock", metadata, spec };
        return kubernetes.request("POST", `${flocks(name)}?dryRun=All`, { body });
      };
      const isCalled = async () =>
        (await probe({ birds: 13 })).status === 403 && (await probe({})).body.spec?.birds === 2;
      await waitFor(isCalled, { what: `the webhooks of ${name} to be called`, ...patience });
    }

    async function counted(name: Name, flock: string, birds: number) {
      return waitFor(
        async () => {
          for (const child of instances.get(name)?.children ?? []) child.assertRunning();
          const { body } = await kubernetes.request("GET", flocks(name, flock));
          return body.status?.birds === birds ? body : undefined;
        },
        { what: `${birds} birds of ${flock} to be counted by ${name}`, ...patience },
      );
    }

    /** The ConfigMaps that an owner has, by its UID. */
    async function birdsOf(uid: string) {
      const path = `/api/v1/namespaces/${namespace.name}/configmaps`;
      const { items } = (await kubernetes.request("GET", path)).body;
      return items.filter(({ metadata }: { metadata: { ownerReferences?: { uid: string }[] } }) =>
        metadata.ownerReferences?.some((owner) => owner.uid === uid),
      );
    }

    test("each reconciles its own objects, and sees no others of the same name", async () => {
      for (const name of names)
        assert.equal((await create(name, "same", { birds: 3 })).status, 201);
      for (const name of names) {
        const { status, metadata } = await counted(name, "same", 3);
        assert.deepEqual(status, { birds: 3, by: `aviary-${name}`, seen: 1 });
        assert.deepEqual(metadata.finalizers, ["aviary.example.com/farewell"]);
        for (const bird of await birdsOf(metadata.uid)) {
          assert.match(bird.metadata.name, new RegExp(`^same-aviary-${name}-`));
          assert.equal(bird.metadata.ownerReferences[0].apiVersion, `${groups[name]}/v1`);
        }
      }
    });

    test("each asks for its own group, and gets its own objects under it", async () => {
      for (const name of names) {
        const { kubeconfig = "" } = instances.get(name) ?? {};
        const { kubectl } = kubernetes.description;
        const asked = ["get", `flocks.v1.${virtual}`, "--all-namespaces", "--output=json"];
        const printed = await runCommand(kubectl, [`--kubeconfig=${kubeconfig}`, ...asked]);
        const { items } = JSON.parse(printed);
        assert.deepEqual(
          items.map((item: { apiVersion: string }) => item.apiVersion),
          [`${virtual}/v1`],
        );
        assert.equal(items[0].status.by, `aviary-${name}`);
      }
    });

    test("each has a Lease of its own", async () => {
      const holders = new Set<string>();
      for (const name of names) {
        const path = `/apis/coordination.k8s.io/v1/namespaces/aviary-${name}/leases/leader.${virtual}`;
        const { body } = await kubernetes.request("GET", path);
        holders.add(body.spec.holderIdentity);
      }
      assert.equal(holders.size, names.length);
    });

    test("each tells by events on its own objects", async () => {
      const path = `/api/v1/namespaces/${namespace.name}/events`;
      const told = await waitFor(
        async () => {
          const { items } = (await kubernetes.request("GET", path)).body;
          const about: string[] = items.map(
            (event: { involvedObject: { apiVersion: string } }) => event.involvedObject.apiVersion,
          );
          return names.every((name) => about.includes(`${groups[name]}/v1`)) ? about : undefined;
        },
        { what: "events about every group", ...patience },
      );
      assert.deepEqual(new Set(told), new Set(names.map((name) => `${groups[name]}/v1`)));
    });

    test("each defaults by its mutating webhook", async () => {
      for (const name of names) {
        const { status, body } = await create(name, "defaulted", {});
        assert.deepEqual([status, body.spec], [201, { birds: 2 }]);
        assert.equal(body.apiVersion, `${groups[name]}/v1`);
        await counted(name, "defaulted", 2);
      }
    });

    test("each refuses by its validating webhook, and says so of its own group", async () => {
      for (const name of names) {
        const { status, body } = await create(name, "crowd", { birds: 13 });
        assert.equal(status, 403);
        assert.match(
          body.message,
          new RegExp(`no flock of ${groups[name]}/v1 has more than 12 birds`),
        );
      }
    });

    test("each converts by its conversion webhook, in both directions", async () => {
      for (const name of names) {
        const { body: old } = await kubernetes.request("GET", flocks(name, "same", "v1alpha1"));
        assert.deepEqual(
          [old.apiVersion, old.spec],
          [`${groups[name]}/v1alpha1`, { size: "3 birds" }],
        );
        const { status } = await create(name, "in-words", { size: "1 birds" }, "v1alpha1");
        assert.equal(status, 201);
        assert.deepEqual((await counted(name, "in-words", 1)).spec, { birds: 1 });
        const { body: list } = await kubernetes.request("GET", flocks(name, "", "v1alpha1"));
        assert.ok(list.items.length >= 2);
        const wrong = await create(name, "wrong", { size: "some" }, "v1alpha1");
        assert.match(wrong.body.message, /its size "some" is no number of birds/);
      }
    });

    test("of a deleted owner only its own dependents go", async () => {
      const owners = new Map<Name, string>();
      for (const name of names) owners.set(name, (await counted(name, "same", 3)).metadata.uid);
      const remaining = [...names];
      for (const name of ["team1", "default", "team2"] as const) {
        await kubernetes.request("DELETE", flocks(name, "same"));
        remaining.splice(remaining.indexOf(name), 1);
        await waitFor(
          async () =>
            (await birdsOf(owners.get(name) ?? "")).length === 0 &&
            (await kubernetes.request("GET", flocks(name, "same"))).status === 404,
          { what: `the birds of ${name} to be gone`, ...patience },
        );
        const farewell = `/api/v1/namespaces/${namespace.name}/configmaps/same-farewell`;
        const { body } = await kubernetes.request("GET", farewell);
        assert.equal(body.data.by, `aviary-${name}`);
        await kubernetes.request("DELETE", farewell);
        for (const other of remaining) {
          assert.equal(
            (await birdsOf(owners.get(other) ?? "")).length,
            3,
            `those of ${other} stay`,
          );
        }
      }
    });
  },
);
