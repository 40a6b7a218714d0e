import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  customResourceDefinitionOf,
  resourceOf,
  type VSphereClusterIdentity,
  type VSphereClusterIdentityManifest,
  vsphereClusterIdentity,
} from "@rookery/api";
import { groupVersionResourceOf, resourcePath } from "@rookery/kube";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { createObjectReader } from "./declaration/object-reader.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = customResourceDefinitionOf(vsphereClusterIdentity);
const read = await createObjectReader(vsphereClusterIdentity, "v1beta1");
const identities = groupVersionResourceOf(resourceOf(vsphereClusterIdentity, "v1beta1"));

const identity = (spec: unknown, name = "account") => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "VSphereClusterIdentity",
  metadata: { name },
  ...(spec === undefined ? {} : { spec }),
});

const good: Record<string, VSphereClusterIdentityManifest["spec"]> = {
  "a Secret by name, for no namespace": { secretName: "account" },
  "a Secret by reference, for every namespace": {
    secretRef: { name: "account" },
    allowedNamespaces: {},
  },
  "namespaces by name and by label, for one server": {
    secretName: "account",
    allowedNamespaces: {
      list: ["team-a", "team-b"],
      selector: {
        matchLabels: { tier: "dev" },
        matchExpressions: [{ key: "team", operator: "In", values: ["a"] }],
      },
    },
    allowedServers: ["vcenter.example:443"],
  },
};

const bad: Record<string, [spec: unknown, causes: string[]]> = {
  "no spec": [undefined, ["spec: Required value"]],
  "no Secret": [
    { allowedNamespaces: {} },
    ['spec: Invalid value: "object": exactly one of secretRef and secretName must be set'],
  ],
  "a Secret named twice": [
    { secretName: "a", secretRef: { name: "a" } },
    ['spec: Invalid value: "object": exactly one of secretRef and secretName must be set'],
  ],
  "a null instead of a Secret": [
    { secretName: null },
    ['spec: Invalid value: "object": exactly one of secretRef and secretName must be set'],
  ],
  "a Secret without a name": [
    { secretName: "" },
    ['spec.secretName: Invalid value: "": spec.secretName in body should be at least 1 chars long'],
  ],
  "a reference without a name": [{ secretRef: {} }, ["spec.secretRef.name: Required value"]],
  "a name that is a number": [
    { secretName: 5 },
    [
      'spec.secretName: Invalid value: "integer": spec.secretName in body must be of type string: "integer"',
    ],
  ],
  "no server at all": [
    { secretName: "a", allowedServers: [] },
    [
      "spec.allowedServers: Invalid value: 0: spec.allowedServers in body should have at least 1 items",
    ],
  ],
  "namespaces that can't be or are there twice, and a selector with an unknown operator": [
    {
      secretName: "a",
      allowedNamespaces: {
        list: ["Team_A", "b", "b"],
        selector: { matchExpressions: [{ key: "a", operator: "Like" }] },
      },
    },
    [
      "spec.allowedNamespaces.list[0]: Invalid value: \"Team_A\": spec.allowedNamespaces.list[0] in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'",
      'spec.allowedNamespaces.list[2]: Duplicate value: "b"',
      'spec.allowedNamespaces.selector.matchExpressions[0].operator: Unsupported value: "Like": supported values: "In", "NotIn", "Exists", "DoesNotExist"',
    ],
  ],
};

describe("VSphereClusterIdentity on a Kubernetes", () => {
  let kubernetes: Kubernetes;
  const create = (object: unknown, query = "?dryRun=All") =>
    kubernetes.request("POST", `${resourcePath(identities)}${query}`, { body: object });
  before(async () => {
    kubernetes = await startKubernetes();
  });
  after(async () => {
    await kubernetes.request("DELETE", `${definitions}/${definition.metadata.name}`);
    await kubernetes[Symbol.asyncDispose]();
  });

  test("has a definition that is accepted without a warning", async () => {
    const query = "?dryRun=All&fieldValidation=Strict";
    const response = await kubernetes.request("POST", `${definitions}${query}`, {
      body: definition,
    });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    assert.equal(response.headers.warning, undefined);
  });

  test("is established, with nothing to complain about", async () => {
    await kubernetes.applyCrd(definition);
    const path = `${definitions}/${definition.metadata.name}`;
    const { body } = await kubernetes.request("GET", path);
    const conditions = body.status.conditions as { type: string; status: string }[];
    assert.deepEqual(conditions.map(({ type, status }) => `${type}=${status}`).sort(), [
      "Established=True",
      "NamesAccepted=True",
    ]);
  });

  for (const [what, spec] of Object.entries(good)) {
    test(`is stored with ${what}`, async () => {
      const { status, body, headers } = await create(identity(spec));
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(headers.warning, undefined);
      const ours = read(identity(spec));
      assert.ok(ours.valid);
      assert.deepEqual(body.spec, ours.object.spec);
      assert.deepEqual(body.spec, spec);
    });
  }

  for (const [what, [spec, causes]] of Object.entries(bad)) {
    test(`is refused with ${what}`, async () => {
      const { status, body } = await create(identity(spec));
      assert.equal(status, 422, JSON.stringify(body));
      const theirs = causesOf(body);
      assert.deepEqual(
        theirs.filter((cause) => !cause.startsWith("<nil>")),
        causes,
      );
      const ours = read(identity(spec));
      assert.ok(!ours.valid);
      assert.deepEqual(ours.errors.map(String).sort(), theirs);
    });
  }

  test("has a status of its own, columns and an explanation", async () => {
    const path = resourcePath(identities, { name: "shown" });
    const created = await create(
      { ...identity({ secretName: "a" }, "shown"), status: { ready: true } },
      "",
    );
    const stored: VSphereClusterIdentity = created.body;
    assert.equal(stored.status, undefined);
    const status: VSphereClusterIdentity["status"] = {
      ready: true,
      allowedNamespaces: "all",
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastTransitionTime: "2030-01-01T00:00:00Z",
          reason: "SecretFound",
          message: "",
        },
      ],
    };
    const updated = await kubernetes.request("PUT", `${path}/status`, {
      body: { ...stored, status },
    });
    assert.deepEqual(updated.body.status, status);
    assert.match(
      await kubernetes.kubectl(["get", "vsphereclusteridentity"]),
      /READY +NAMESPACES +AGE\n.* true +all /,
    );
    const explain = () => kubernetes.kubectl(["explain", "vsphereclusteridentity.spec.secretRef"]);
    const text = await waitFor(explain, { what: "the OpenAPI of the new kind" });
    assert.match(text, /The Secret with the keys username and password/);
  });
});

/** What a Status says of each field, sorted: the API server has no order of its own. */
function causesOf(status: { details: { causes: { field: string; message: string }[] } }): string[] {
  return status.details.causes.map(({ field, message }) => `${field}: ${message}`).sort();
}
