import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { type Crd, goodCrd, goodCrdOf } from "../../test/crd-rows.ts";
import { type CrdScene, crdPath, crdScene } from "../../test/crds/crd.ts";

const group = "rows.rookery.example.com";
const path = `/apis/${group}/v1/namespaces/there/widgets`;

const widget = (name: string, rest: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: "Widget",
  metadata: { name },
  ...rest,
});

async function conditionsOf(scene: CrdScene, name = `widgets.${group}`) {
  const { body } = await scene.ask("GET", `${crdPath}/${name}`);
  const conditions: { type: string; status: string; reason: string; message: string }[] =
    body.status.conditions;
  return conditions.map(({ type, status, reason, message }) => [type, status, reason, message]);
}

const accepted = ["NamesAccepted", "True", "NoConflicts", "no conflicts found"];
const established = [
  "Established",
  "True",
  "InitialNamesAccepted",
  "the initial names have been accepted",
];

/** What kube-apiserver 1.34 said; the integration test asks it again. */
const { conditions: recorded } = JSON.parse(
  readFileSync(new URL("../../test/testdata/verdicts.json", import.meta.url), "utf8"),
) as { conditions: Record<string, { status: unknown }> };

async function statusOf(scene: CrdScene, name: string): Promise<unknown> {
  const { body } = await scene.ask("GET", `${crdPath}/${name}`);
  for (const condition of body.status.conditions) delete condition.lastTransitionTime;
  return body.status;
}

describe("a CRD", () => {
  it("ends watches of its kinds when they become others, and only then", async () => {
    await using scene = await crdScene();
    await scene.define(goodCrd());
    const crd = `${crdPath}/widgets.${group}`;
    const contentType = "application/merge-patch+json";
    let isOver = false;
    const watching = scene.ask("GET", `${path}?watch=1`).finally(() => {
      isOver = true;
    });
    await scene.ask("PATCH", crd, { body: { metadata: { labels: { a: "b" } } }, contentType });
    await scene.registry.settled();
    await scene.ask("POST", path, { body: widget("a") });
    assert.equal(isOver, false);
    await scene.ask("PATCH", crd, {
      body: { spec: { names: { categories: ["all"] } } },
      contentType,
    });
    const { status, body } = await watching;
    assert.equal(status, 200);
    assert.match(JSON.stringify(body), /"name":"a"/);
    const second = scene.ask("GET", `${path}?watch=1`);
    await scene.ask("DELETE", crd);
    await scene.registry.settled();
    assert.equal((await second).status, 200);
  });

  it("says of itself what it says on a real kube-apiserver", async () => {
    await using scene = await crdScene();
    const first = goodCrdOf("judgedwidgets", "JudgedWidget");
    await scene.define(first);
    const { name } = first.metadata;
    assert.deepEqual(await statusOf(scene, name), recorded.established?.status);
    const rival = goodCrdOf("rivalwidgets", "JudgedWidget");
    await scene.define(rival);
    assert.deepEqual(await statusOf(scene, rival.metadata.name), recorded.conflict?.status);
    const kept = goodCrdOf("keptwidgets", "KeptWidget");
    await scene.define(kept);
    const body = {
      apiVersion: `${group}/v1`,
      kind: "KeptWidget",
      metadata: { name: "a", finalizers: ["example.com/keep"] },
    };
    await scene.ask("POST", `/apis/${group}/v1/namespaces/default/keptwidgets`, { body });
    await scene.ask("DELETE", `${crdPath}/${kept.metadata.name}`);
    await scene.registry.settled();
    assert.deepEqual(await statusOf(scene, kept.metadata.name), recorded.terminating?.status);
  });

  it("is established, and its objects are served", async () => {
    await using scene = await crdScene();
    const created = await scene.define(goodCrd());
    assert.equal(created.status, 201);
    assert.deepEqual(await conditionsOf(scene), [accepted, established]);
    const { body } = await scene.ask("GET", `${crdPath}/widgets.${group}`);
    assert.deepEqual(body.status.acceptedNames, {
      plural: "widgets",
      singular: "widget",
      kind: "Widget",
      listKind: "WidgetList",
    });
    assert.deepEqual(body.status.storedVersions, ["v1"]);
    const managers = body.metadata.managedFields.map(
      (each: { manager: string; subresource?: string }) => [each.manager, each.subresource],
    );
    assert.deepEqual(managers, [
      ["kube-apiserver", "status"],
      ["unknown", undefined],
    ]);
    assert.equal((await scene.ask("POST", path, { body: widget("a") })).status, 201);
    const { resources } = (await scene.ask("GET", `/apis/${group}/v1`)).body;
    assert.equal(resources[0].name, "widgets");
    assert.deepEqual(resources[0].verbs.slice(0, 2), ["delete", "deletecollection"]);
  });

  it("is served when it says so", async () => {
    await using scene = await crdScene();
    const seen: number[] = [];
    scene.store.watch("customresourcedefinitions.apiextensions.k8s.io", 0, ({ entry }) => {
      const { status } = (entry?.object ?? {}) as { status?: { conditions?: { type: string }[] } };
      const isThere = status?.conditions?.some(
        (each) => each.type === "Established" && (each as { status?: string }).status === "True",
      );
      if (isThere) seen.push(scene.registry.groups().length);
    });
    await scene.define(goodCrd());
    assert.deepEqual(seen, [1]);
  });

  it("does not get names that another one has, until these are free", async () => {
    await using scene = await crdScene();
    await scene.define(goodCrd());
    const other = goodCrdOf("gadgets", "Widget");
    other.spec.names.shortNames = ["widgets", "widget"];
    await scene.define(other);
    const name = `gadgets.${group}`;
    assert.deepEqual(await conditionsOf(scene, name), [
      ["NamesAccepted", "False", "ListKindConflict", '"WidgetList" is already in use'],
      ["Established", "False", "NotAccepted", "not all names are accepted"],
    ]);
    const { body } = await scene.ask("GET", `${crdPath}/${name}`);
    assert.deepEqual(body.status.acceptedNames, { plural: "gadgets", kind: "" });
    await scene.ask("DELETE", `${crdPath}/widgets.${group}`);
    await scene.registry.settled();
    assert.deepEqual(await conditionsOf(scene, name), [accepted, established]);
  });

  it("goes with its objects", async () => {
    await using scene = await crdScene();
    await scene.define(goodCrd());
    await scene.ask("POST", path, { body: widget("a") });
    const { status, body } = await scene.ask("DELETE", `${crdPath}/widgets.${group}`);
    assert.equal(status, 200);
    assert.deepEqual(body.metadata?.finalizers ?? [], [
      "customresourcecleanup.apiextensions.k8s.io",
    ]);
    await scene.registry.settled();
    assert.equal((await scene.ask("GET", `${crdPath}/widgets.${group}`)).status, 404);
    assert.equal((await scene.ask("GET", path)).status, 404);
    assert.equal(scene.store.list(`widgets.${group}`).entries.length, 0);
  });

  it("waits for objects that have finalizers, and takes no new ones meanwhile", async () => {
    await using scene = await crdScene();
    await scene.define(goodCrd());
    const kept = widget("a", { metadata: { name: "a", finalizers: ["example.com/keep"] } });
    await scene.ask("POST", path, { body: kept });
    await scene.ask("DELETE", `${crdPath}/widgets.${group}`);
    await scene.registry.settled();
    const inProgress = [
      "Terminating",
      "True",
      "InstanceDeletionInProgress",
      "CustomResource deletion is in progress",
    ];
    assert.deepEqual((await conditionsOf(scene)).at(-1), inProgress);
    const refused = await scene.ask("POST", path, { body: widget("b") });
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /create not allowed while custom resource definition/);
    const { resources } = (await scene.ask("GET", `/apis/${group}/v1`)).body;
    assert.deepEqual(resources[0].verbs, ["delete", "deletecollection", "get", "list", "watch"]);
    await scene.ask("PATCH", `${path}/a`, {
      body: { metadata: { finalizers: null } },
      contentType: "application/merge-patch+json",
    });
    await scene.registry.settled();
    assert.equal((await scene.ask("GET", `${crdPath}/widgets.${group}`)).status, 404);
  });

  it("finds its objects again when the server does", async () => {
    await using scene = await crdScene();
    await scene.define(goodCrd());
    await scene.ask("POST", path, { body: widget("a") });
    const { CrdScene } = await import("../../test/crds/crd.ts");
    const again = new CrdScene(scene.store);
    assert.equal((await again.ask("GET", `${path}/a`)).status, 200);
    await again.registry[Symbol.asyncDispose]();
  });

  it("leaves groups alone that it does not belong to", async () => {
    await using scene = await crdScene();
    await scene.define(goodCrd());
    const [before] = scene.registry.groups();
    const other = goodCrdOf("things", "Thing");
    other.spec.group = "zoo.example.com";
    other.metadata.name = "things.zoo.example.com";
    await scene.define(other);
    assert.equal(scene.registry.groups()[0], before);
    assert.equal(scene.registry.groups().length, 2);
  });
});

describe("objects of a custom kind", () => {
  const versions = (change: (version: Crd["spec"]["versions"][number]) => void): Crd => {
    const crd = goodCrd();
    for (const version of crd.spec.versions) change(version);
    return crd;
  };

  it("are pruned, defaulted and validated", async () => {
    await using scene = await crdScene();
    await scene.define(
      versions((version) => {
        version.schema = {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { size: { type: "integer", default: 1, maximum: 5 } },
              },
            },
          },
        };
      }),
    );
    const good = await scene.ask("POST", path, { body: widget("a", { spec: { odd: 1 } }) });
    assert.deepEqual(good.body.spec, { size: 1 });
    const bad = await scene.ask("POST", path, { body: widget("b", { spec: { size: 9 } }) });
    assert.equal(
      bad.body.message,
      'Widget.rows.rookery.example.com "b" is invalid: spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5',
    );
  });

  it("get defaults that came after them", async () => {
    await using scene = await crdScene();
    await scene.define(goodCrd());
    await scene.ask("POST", path, { body: widget("a", { spec: {} }) });
    const { body: crd } = await scene.ask("GET", `${crdPath}/widgets.${group}`);
    crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size.default = 7;
    await scene.ask("PUT", `${crdPath}/widgets.${group}`, { body: crd });
    await scene.registry.settled();
    assert.deepEqual((await scene.ask("GET", `${path}/a`)).body.spec, { size: 7 });
    assert.deepEqual((await scene.ask("GET", path)).body.items[0].spec, { size: 7 });
  });

  it("have a status that only its subresource writes, and generations", async () => {
    await using scene = await crdScene();
    const status = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    await scene.define(
      versions((version) => {
        version.subresources = { status: {} };
        Object.assign(version.schema?.openAPIV3Schema?.properties ?? {}, { status });
      }),
    );
    const body = widget("a", { spec: { size: 1 }, status: { is: "mine" } });
    const created = (await scene.ask("POST", path, { body })).body;
    assert.deepEqual([created.status, created.metadata.generation], [undefined, 1]);
    const said = (
      await scene.ask("PUT", `${path}/a/status`, {
        body: { ...created, status: { is: "said" }, spec: { size: 9 } },
      })
    ).body;
    assert.deepEqual(
      [said.status, said.spec, said.metadata.generation],
      [{ is: "said" }, { size: 1 }, 1],
    );
    const changed = (await scene.ask("PUT", `${path}/a`, { body: { ...said, spec: { size: 2 } } }))
      .body;
    assert.deepEqual([changed.status, changed.metadata.generation], [{ is: "said" }, 2]);
  });

  it("are scaled", async () => {
    await using scene = await crdScene();
    await scene.define(
      versions((version) => {
        version.subresources = {
          status: {},
          scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
        };
      }),
    );
    await scene.ask("POST", path, { body: widget("a", { spec: { size: 2 } }) });
    const scale = (await scene.ask("GET", `${path}/a/scale`)).body;
    assert.deepEqual(
      [scale.kind, scale.spec, scale.status],
      ["Scale", { replicas: 2 }, { replicas: 0 }],
    );
    await scene.ask("PATCH", `${path}/a/scale`, {
      body: { spec: { replicas: 4 } },
      contentType: "application/merge-patch+json",
    });
    assert.equal((await scene.ask("GET", `${path}/a`)).body.spec.size, 4);
    await scene.ask("POST", path, { body: widget("b") });
    const missing = await scene.ask("GET", `${path}/b/scale`);
    assert.deepEqual(
      [missing.status, missing.body.message],
      [500, 'Internal error occurred: the spec replicas field ".spec.size" does not exist'],
    );
    const bad = await scene.ask("POST", path, { body: widget("c", { spec: { size: -1 } }) });
    assert.match(
      bad.body.message,
      /\.spec\.size: Invalid value: -1: should be a non-negative integer/,
    );
  });

  it("are shown in columns", async () => {
    await using scene = await crdScene();
    await scene.define(
      versions((version) => {
        version.additionalPrinterColumns = [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ];
      }),
    );
    await scene.ask("POST", path, { body: widget("a", { spec: { size: 2 } }) });
    await scene.clock.advance(90_000);
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { body } = await scene.ask("GET", path, { accept });
    assert.deepEqual(body.rows[0].cells, ["a", 2, "90s"]);
    assert.equal(
      body.columnDefinitions[1].description,
      "Custom resource definition column (in JSONPath format): .spec.size",
    );
  });

  it("are selected by fields that are declared", async () => {
    await using scene = await crdScene();
    await scene.define(
      versions((version) => {
        version.selectableFields = [{ jsonPath: ".spec.color" }];
      }),
    );
    await scene.ask("POST", path, { body: widget("a", { spec: { color: "#fff" } }) });
    await scene.ask("POST", path, { body: widget("b", { spec: { color: "#000" } }) });
    const { body } = await scene.ask("GET", `${path}?fieldSelector=spec.color%3D%23fff`);
    assert.deepEqual(
      body.items.map((each: { metadata: { name: string } }) => each.metadata.name),
      ["a"],
    );
    const refused = await scene.ask("GET", `${path}?fieldSelector=spec.size%3D1`);
    assert.equal(refused.status, 400);
  });

  it("warn of versions that are deprecated", async () => {
    await using scene = await crdScene();
    const crd = versions((version) => {
      version.deprecated = true;
    });
    const [first] = crd.spec.versions;
    assert.ok(first);
    crd.spec.versions.push({ ...first, name: "v2", storage: false, deprecated: false });
    await scene.define(crd);
    const { warnings } = await scene.ask("GET", path);
    assert.deepEqual(warnings, [
      "rows.rookery.example.com/v1 Widget is deprecated; use rows.rookery.example.com/v2 Widget",
    ]);
  });

  it("are applied, and who manages what is known", async () => {
    await using scene = await crdScene();
    await scene.define(goodCrd());
    const apply = (manager: string, size: number) =>
      scene.ask("PATCH", `${path}/a?fieldManager=${manager}`, {
        body: widget("a", { spec: { size } }),
        contentType: "application/apply-patch+yaml",
      });
    assert.equal((await apply("one", 1)).status, 201);
    const conflict = await apply("two", 2);
    assert.equal(conflict.status, 409);
    assert.match(conflict.body.message, /conflict with "one": \.spec\.size/);
  });

  it("warn of finalizers that nobody owns", async () => {
    await using scene = await crdScene();
    await scene.define(goodCrd());
    const body = widget("a", { metadata: { name: "a", finalizers: ["mine"] } });
    const { warnings } = await scene.ask("POST", path, { body });
    assert.match(warnings[0] ?? "", /prefer a domain-qualified finalizer name/);
  });
});
