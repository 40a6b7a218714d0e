import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MutatingWebhook } from "@rookery/api";
import type { AdmissionAttributes, Attributes } from "@rookery/apiserver";
import { type KubeObject, StatusError } from "@rookery/kube";
import {
  type Answer,
  allow,
  configMap,
  patching,
  type WebhookScene,
  webhookScene,
} from "../../test/webhooks/webhook.ts";
import { WebhookCallError } from "../errors.ts";

const rule = (change: object): MutatingWebhook => ({
  rules: [
    {
      operations: ["CREATE"],
      apiGroups: [""],
      apiVersions: ["v1"],
      resources: ["configmaps"],
      ...change,
    },
  ],
});

async function mutate(scene: WebhookScene, change: Partial<AdmissionAttributes> = {}) {
  const [plugin] = scene.plugins;
  return plugin?.mutate?.(scene.attributes(change));
}

async function validate(scene: WebhookScene, change: Partial<AdmissionAttributes> = {}) {
  const attributes = scene.attributes(change);
  for (const plugin of scene.plugins) await plugin.validate?.(attributes);
}

describe("a webhook is asked", () => {
  const node = {
    resource: { group: "", version: "v1", resource: "nodes" },
    namespace: "",
  };
  const rows: Record<string, [MutatingWebhook, Partial<AdmissionAttributes>, boolean]> = {
    "about what its rule names": [rule({}), {}, true],
    "not about another operation": [rule({ operations: ["DELETE"] }), {}, false],
    "not about another group": [rule({ apiGroups: ["apps"] }), {}, false],
    "not about another version": [rule({ apiVersions: ["v2"] }), {}, false],
    "not about another resource": [rule({ resources: ["secrets"] }), {}, false],
    "not about a subresource": [rule({}), { subresource: "status" }, false],
    "about a subresource": [rule({ resources: ["*/status"] }), { subresource: "status" }, true],
    "about any subresource": [rule({ resources: ["configmaps/*"] }), { subresource: "x" }, true],
    "about all of all": [rule({ resources: ["*/*"] }), { subresource: "x" }, true],
    "not about a namespaced kind by cluster scope": [rule({ scope: "Cluster" }), {}, false],
    "about a cluster kind by its scope": [rule({ scope: "Cluster", resources: ["*"] }), node, true],
    "by the labels of the namespace": [
      { namespaceSelector: { matchLabels: { team: "a" } } },
      {},
      true,
    ],
    "not by other labels of the namespace": [
      { namespaceSelector: { matchLabels: { team: "b" } } },
      {},
      false,
    ],
    "about what has no namespace whatever the selector": [
      { namespaceSelector: { matchLabels: { team: "b" } } },
      node,
      true,
    ],
    "by the labels of the object": [
      { objectSelector: { matchLabels: { x: "1" } } },
      { object: configMap({ x: "1" }) },
      true,
    ],
    "by the labels of the old object": [
      { objectSelector: { matchLabels: { x: "1" } } },
      { oldObject: configMap({ x: "1" }) },
      true,
    ],
    "not without the labels": [{ objectSelector: { matchLabels: { x: "1" } } }, {}, false],
    "where its conditions hold": [
      { matchConditions: [{ name: "a", expression: "request.userInfo.username == 'jane'" }] },
      {},
      true,
    ],
    "not where one does not hold": [
      {
        matchConditions: [
          { name: "a", expression: "object.data.missing == '1'" },
          { name: "b", expression: "object.metadata.name == 'y'" },
        ],
      },
      {},
      false,
    ],
    "not where one can't be told and it may be left out": [
      {
        failurePolicy: "Ignore",
        matchConditions: [{ name: "a", expression: "object.data.missing == '1'" }],
      },
      {},
      false,
    ],
    "never about webhook configurations": [
      {},
      {
        kind: {
          group: "admissionregistration.k8s.io",
          version: "v1",
          kind: "MutatingWebhookConfiguration",
        },
      },
      false,
    ],
  };
  for (const [name, [webhook, change, asked]] of Object.entries(rows)) {
    it(name, async () => {
      const scene = await webhookScene();
      await scene.put("namespaces", { name: "there", labels: { team: "a" } });
      await scene.register("mutating", "a.example.com", webhook);
      await mutate(scene, change);
      assert.equal(scene.calls.length, asked ? 1 : 0);
    });
  }

  it("not before its namespace is there", async () => {
    const scene = await webhookScene();
    const namespaceSelector = { matchLabels: { team: "a" } };
    await scene.register("mutating", "a.example.com", { namespaceSelector });
    await assert.rejects(mutate(scene), { message: 'namespaces "there" not found' });
  });

  it("no more when its configuration is gone", async () => {
    const scene = await webhookScene();
    await scene.register("mutating", "a.example.com", {});
    await mutate(scene);
    const resource = "mutatingwebhookconfigurations.admissionregistration.k8s.io";
    const entry = scene.store.get({ resource, namespace: "", name: "a.example.com" });
    const expected = entry?.revision ?? 0;
    const key = { resource, namespace: "", name: "a.example.com" };
    await scene.store.write({ ...key, expected, object: undefined });
    await mutate(scene);
    assert.equal(scene.calls.length, 1);
  });

  it("with what the request says", async () => {
    const scene = await webhookScene();
    await scene.register("mutating", "a.example.com", {});
    await mutate(scene);
    const { uid, ...request } = scene.calls[0]?.request ?? { uid: "" };
    assert.match(uid, /^[0-9a-f-]{36}$/);
    assert.deepEqual(request, {
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      requestKind: { group: "", version: "v1", kind: "ConfigMap" },
      requestResource: { group: "", version: "v1", resource: "configmaps" },
      name: "x",
      namespace: "there",
      operation: "CREATE",
      userInfo: { username: "jane", groups: ["g"] },
      object: configMap(),
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "me" },
    });
  });

  it("about another version that means the same, and its answer is converted back", async () => {
    const scene = await webhookScene({
      equivalentsOf: () => [
        {
          resource: { group: "", version: "v2", resource: "configmaps" },
          kind: { group: "", version: "v2", kind: "ConfigMap" },
        },
      ],
      convert: async (objects, { version }) =>
        objects.map((object) => ({ ...object, apiVersion: version })),
    });
    const answer = patching({ op: "replace", path: "/data/a", value: "2" });
    await scene.register("mutating", "a.example.com", { ...rule({ apiVersions: ["v2"] }), answer });
    const object = (await mutate(scene)) as KubeObject & { data: object };
    const [call] = scene.calls;
    assert.deepEqual(
      [
        call?.request.kind.version,
        call?.request.requestKind.version,
        call?.request.object?.apiVersion,
      ],
      ["v2", "v1", "v2"],
    );
    assert.deepEqual([object.apiVersion, object.data], ["v1", { a: "2" }]);
  });
});

describe("webhooks that mutate", () => {
  const label = (name: string): Answer =>
    patching({ op: "add", path: `/metadata/labels/${name}`, value: "1" });

  it("go one after another by the names of their configurations", async () => {
    const scene = await webhookScene();
    await scene.register("mutating", "b.example.com", { answer: label("b") });
    await scene.register("mutating", "a.example.com", { answer: label("a") });
    const object = await mutate(scene);
    assert.deepEqual(object?.metadata.labels, { a: "1", b: "1" });
    assert.deepEqual(scene.calls[1]?.request.object?.metadata.labels, { a: "1" });
  });

  it("see what comes after them once more, where they want to", async () => {
    const scene = await webhookScene();
    await scene.register("mutating", "a.example.com", { reinvocationPolicy: "IfNeeded" });
    await scene.register("mutating", "b.example.com", { answer: label("b") });
    await scene.register("mutating", "c.example.com", { reinvocationPolicy: "IfNeeded" });
    let again = false;
    const memory = new Map();
    const request = () => {
      again = true;
    };
    const first = { isReinvocation: false, request, memory };
    const object = (await mutate(scene, { reinvocation: first })) as KubeObject;
    assert.equal(again, true);
    await mutate(scene, { object, reinvocation: { ...first, isReinvocation: true } });
    const names = scene.calls.map(({ name }) => name[0]).join("");
    assert.equal(names, "abca");
  });

  it("are not asked again where nothing has changed", async () => {
    const scene = await webhookScene();
    await scene.register("mutating", "a.example.com", { reinvocationPolicy: "IfNeeded" });
    const request = () => assert.fail("nobody has changed anything");
    await mutate(scene, { reinvocation: { isReinvocation: false, request, memory: new Map() } });
  });

  it("may refuse a deletion, and can't change it", async () => {
    const scene = await webhookScene();
    await scene.register("mutating", "a.example.com", { answer: label("a") });
    const deletion = { operation: "DELETE", object: undefined, oldObject: configMap() } as const;
    await assert.rejects(validate(scene, deletion), {
      message:
        'Internal error occurred: admission webhook "a.example.com" attempted to modify the object, which is not supported for this operation',
    });
    assert.equal(scene.calls[0]?.request.options.kind, "DeleteOptions");
  });
});

describe("an answer of a webhook", () => {
  const failed = (why: string) =>
    `Internal error occurred: failed calling webhook "a.example.com": ${why}`;
  const invalid = (why: string) => failed(`received invalid webhook response: ${why}`);
  const rows: Record<string, [Answer, string]> = {
    "that refuses without a word": [
      () => ({ allowed: false }),
      'admission webhook "a.example.com" denied the request without explanation',
    ],
    "that refuses with a message": [
      () => ({ allowed: false, status: { message: "not today" } }),
      'admission webhook "a.example.com" denied the request: not today',
    ],
    "that refuses with a reason alone": [
      () => ({ allowed: false, status: { reason: "Forbidden" } }),
      'admission webhook "a.example.com" denied the request: Forbidden',
    ],
    "with a patch of no type": [
      () => ({ allowed: true, patch: "W10=" }),
      invalid("webhook returned response.patch but not response.patchType"),
    ],
    "with a type of no patch": [
      () => ({ allowed: true, patchType: "JSONPatch" }),
      invalid("webhook returned response.patchType but not response.patch"),
    ],
    "with another kind of patch": [
      () => ({ allowed: true, patchType: "Magic", patch: "W3t9XQ==" }),
      failed('unsupported patch type "Magic"'),
    ],
    "that failed on its way": [
      () => {
        throw new WebhookCallError('Post "https://a.example.com/?timeout=10s": EOF');
      },
      failed('failed to call webhook: Post "https://a.example.com/?timeout=10s": EOF'),
    ],
  };
  for (const [name, [answer, message]] of Object.entries(rows)) {
    it(name, async () => {
      const scene = await webhookScene();
      await scene.register("mutating", "a.example.com", { answer });
      await assert.rejects(mutate(scene), { message });
    });
  }

  it("to another question does not count", async () => {
    const scene = await webhookScene();
    await scene.register("mutating", "a.example.com", {
      answer: () => ({ allowed: true, uid: "other" }),
    });
    await assert.rejects(mutate(scene), /expected response\.uid="[0-9a-f-]+", got "other"/);
  });

  it("keeps the code of a refusal, and makes one of what is none", async () => {
    const scene = await webhookScene();
    const status = { code: 418, reason: "Teapot", message: "short and stout" };
    await scene.register("mutating", "a.example.com", {
      answer: () => ({ allowed: false, status }),
    });
    await assert.rejects(mutate(scene), (error) => {
      assert.ok(error instanceof StatusError);
      const { httpStatus, reason } = error;
      assert.deepEqual([httpStatus, reason, error.status.status], [418, "Teapot", "Failure"]);
      return true;
    });
  });

  it("is told of in the audit log: what it says, whether it changed something, whether it was passed over", async () => {
    const scene = await webhookScene();
    const broken: Answer = () => {
      throw new WebhookCallError("no route to host");
    };
    const said = { allowed: true, auditAnnotations: { why: "because" } };
    const patch = patching({ op: "add", path: "/data/b", value: "2" });
    await scene.register("mutating", "a.example.com", { answer: broken, failurePolicy: "Ignore" });
    await scene.register("mutating", "b.example.com", { answer: patch });
    await scene.register("validating", "c.example.com", { answer: () => said });
    await scene.register("validating", "d.example.com", {
      answer: broken,
      failurePolicy: "Ignore",
    });
    await mutate(scene);
    await validate(scene);
    const told = (webhook: string, mutated: boolean) =>
      JSON.stringify({ configuration: webhook, webhook, mutated });
    const mutation = "mutation.webhook.admission.k8s.io/round_0_index_";
    assert.deepEqual(Object.fromEntries(scene.annotations), {
      [`failed-open.${mutation}0`]: "a.example.com",
      [`${mutation}0`]: told("a.example.com", false),
      [`${mutation}1`]: told("b.example.com", true),
      "c.example.com/why": "because",
      "failed-open.validating.webhook.admission.k8s.io/round_0_index_1": "d.example.com",
    });
  });

  it("brings warnings", async () => {
    const scene = await webhookScene();
    const warnings = ["mind the gap"];
    await scene.register("mutating", "a.example.com", {
      answer: () => ({ allowed: true, warnings }),
    });
    await mutate(scene);
    assert.deepEqual(scene.warnings, warnings);
  });
});

describe("a webhook that can't be asked", () => {
  const broken: Answer = () => {
    throw new WebhookCallError("broken");
  };

  it("is left out where that is its policy", async () => {
    const scene = await webhookScene();
    await scene.register("mutating", "a.example.com", { answer: broken, failurePolicy: "Ignore" });
    await scene.register("mutating", "b.example.com", { answer: allow });
    assert.deepEqual(await mutate(scene), configMap());
    assert.equal(scene.calls.length, 2);
  });

  it("ends a request whose time is over", async () => {
    const scene = await webhookScene();
    await scene.register("mutating", "a.example.com", { answer: broken, failurePolicy: "Ignore" });
    const signal = AbortSignal.abort();
    await assert.rejects(mutate(scene, { signal }), {
      message: "Timeout: request did not complete within requested timeout",
    });
  });

  it("are asked where conditions about rights hold, of the user or of a service account", async () => {
    const asked: Attributes[] = [];
    const scene = await webhookScene({
      decide: (attributes) => {
        asked.push(attributes);
        return { decision: attributes.verb === "bypass" ? "NoOpinion" : "Allow" };
      },
    });
    const conditions = {
      "bypass.example.com": "!authorizer.requestResource.check('bypass').allowed()",
      "account.example.com":
        "!authorizer.serviceAccount('ns', 'a').group('apps').resource('deployments').check('get').allowed()",
    };
    for (const [name, expression] of Object.entries(conditions)) {
      await scene.register("mutating", name, { matchConditions: [{ name: "a", expression }] });
    }
    await mutate(scene);
    assert.deepEqual(
      scene.calls.map(({ name }) => name),
      ["bypass.example.com"],
    );
    const [account, own] = asked.toSorted((a, b) => (a.group < b.group ? 1 : -1));
    assert.deepEqual(
      [account?.user.name, account?.user.groups, account?.resource, account?.isResourceRequest],
      [
        "system:serviceaccount:ns:a",
        ["system:serviceaccounts", "system:serviceaccounts:ns"],
        ...["deployments", true],
      ],
    );
    assert.deepEqual([own?.user.name, own?.resource, own?.name], ["jane", "configmaps", "x"]);
  });

  it("refuses where conditions can't be told", async () => {
    const scene = await webhookScene();
    const matchConditions = [{ name: "a", expression: "object.data.missing == '1'" }];
    await scene.register("mutating", "a.example.com", { matchConditions });
    await assert.rejects(mutate(scene), {
      message:
        "configmaps \"x\" is forbidden: expression 'object.data.missing == '1'' resulted in error: no such key: missing",
    });
  });
});

describe("webhooks that validate", () => {
  it("are all asked, and the first refusal counts", async () => {
    const scene = await webhookScene();
    const refuse: Answer = () => ({ allowed: false });
    await scene.register("validating", "a.example.com", {});
    await scene.register("validating", "b.example.com", { answer: refuse });
    await scene.register("validating", "c.example.com", { answer: refuse });
    await assert.rejects(validate(scene), {
      message: 'admission webhook "b.example.com" denied the request without explanation',
    });
    assert.equal(scene.calls.length, 3);
  });

  it("can't change anything", async () => {
    const scene = await webhookScene();
    await scene.register("validating", "a.example.com", {
      answer: patching({ op: "remove", path: "/data" }),
    });
    await assert.rejects(validate(scene), /validating webhook may not return response\.patch/);
  });

  it("refuse a dry run where they have effects beside it", async () => {
    const scene = await webhookScene();
    await scene.register("validating", "a.example.com", { sideEffects: "Some" });
    await assert.rejects(validate(scene, { dryRun: true }), {
      message: 'admission webhook "a.example.com" does not support dry run',
    });
  });

  it("may speak an older version", async () => {
    const scene = await webhookScene();
    await scene.register("validating", "a.example.com", {
      admissionReviewVersions: ["v9", "v1beta1"],
      answer: () => ({ allowed: true, uid: "whatever" }),
    });
    await validate(scene);
    assert.equal(scene.calls.length, 1);
  });
});
