import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod, PodSpec } from "@rookery/api";
import type { AdmissionAttributes, AdmissionOperation, Authorizer } from "@rookery/apiserver";
import { type KubeObject, StatusError } from "@rookery/kube";
import { createCertificateSigningRequest } from "@rookery/pki";
import { put, storeOf } from "../../test/rbac/rbac.ts";
import { webhookScene } from "../../test/webhooks/webhook.ts";
import { createRuleResolver } from "../rbac/rule-resolver.ts";
import type { Store } from "../store/store.ts";
import { assertPlugins, builtInAdmission, pluginNames } from "./built-in-admission.ts";

const account = objectOf("v1", "ServiceAccount", "default");
const allow: Authorizer = () => ({ decision: "Allow" });

function objectOf(apiVersion: string, kind: string, name: string, more: object = {}): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: "ns" }, ...more };
}

function namespaceOf(name: string, phase: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name }, status: { phase } };
}

function pod(spec: PodSpec = {}, annotations?: Record<string, string>): KubeObject {
  const metadata = { name: "p", namespace: "ns", ...(annotations && { annotations }) };
  const containers = [{ name: "main", image: "i" }];
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...spec } };
}

interface Asked {
  readonly store: Store;
  readonly operation?: AdmissionOperation;
  readonly old?: KubeObject;
  readonly subresource?: string;
  readonly authorize?: Authorizer;
}

/** Goes through all plugins, as a request does. */
async function admit(object: KubeObject, asked: Asked): Promise<KubeObject> {
  const { store, operation = "CREATE", authorize = allow } = asked;
  const plugins = builtInAdmission({ store, authorize, resolver: createRuleResolver(store) });
  let current = object;
  for (const { operations, mutate } of plugins) {
    if (operation === "DELETE" || !operations.includes(operation)) continue;
    current = (await mutate?.(attributesOf(current, asked))) ?? current;
  }
  for (const { operations, validate } of plugins) {
    if (operations.includes(operation)) await validate?.(attributesOf(current, asked));
  }
  return current;
}

function attributesOf(object: KubeObject, asked: Asked): AdmissionAttributes {
  const [group = "", version = ""] = object.apiVersion.includes("/")
    ? object.apiVersion.split("/")
    : ["", object.apiVersion];
  const singular = object.kind.toLowerCase();
  const resource = singular.endsWith("s") ? `${singular}es` : `${singular}s`;
  const { name = "", namespace = "" } = object.metadata;
  return {
    operation: asked.operation ?? "CREATE",
    kind: { group, version, kind: object.kind },
    resource: { group, version, resource },
    subresource: asked.subresource ?? "",
    name,
    namespace,
    object,
    oldObject: asked.old,
    options: {},
    dryRun: false,
    user: { name: "jane", groups: [] },
    warn: () => {},
    annotate: () => {},
    signal: new AbortController().signal,
  } as unknown as AdmissionAttributes;
}

test("nothing goes into a namespace that does not exist", async () => {
  await using store = await storeOf();
  await assert.rejects(admit(objectOf("v1", "ConfigMap", "x"), { store }), {
    message: 'namespaces "ns" not found',
    reason: "NotFound",
  });
});

test("nothing new goes into a namespace that ends, and its cause is told", async () => {
  await using store = await storeOf(namespaceOf("ns", "Terminating"));
  const map = objectOf("v1", "ConfigMap", "x");
  await assert.rejects(admit(map, { store }), (error) => {
    assert.ok(error instanceof StatusError);
    assert.equal(
      error.message,
      'configmaps "x" is forbidden: unable to create new content in namespace ns because it is being terminated',
    );
    assert.deepEqual(error.status.details?.causes, [
      {
        reason: "NamespaceTerminating",
        message: "namespace ns is being terminated",
        field: "metadata.namespace",
      },
    ]);
    return true;
  });
  await admit(map, { store, operation: "UPDATE", old: map });
  await admit(map, { store, operation: "DELETE" });
});

test("questions about a namespace tell nothing of whether it exists", async () => {
  await using store = await storeOf();
  await admit(objectOf("authorization.k8s.io/v1", "LocalSubjectAccessReview", ""), { store });
});

for (const name of ["default", "kube-system", "kube-public"]) {
  test(`the namespace ${name} may not be deleted`, async () => {
    await using store = await storeOf();
    await assert.rejects(admit(namespaceOf(name, "Active"), { store, operation: "DELETE" }), {
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    });
  });
}

const active = namespaceOf("ns", "Active");

test("a pod gets the default account with its token, a priority and tolerations", async () => {
  await using store = await storeOf(active, account);
  const init = { name: "init", image: "i", volumeMounts: [{ name: "v", mountPath: "/v" }] };
  const { spec = {} } = (await admit(pod({ initContainers: [init] }), { store })) as Pod;
  assert.equal(spec.serviceAccountName, "default");
  assert.equal(spec.priority, 0);
  assert.equal(spec.preemptionPolicy, "PreemptLowerPriority");
  const [volume] = spec.volumes ?? [];
  assert.match(volume?.name ?? "", /^kube-api-access-[a-z0-9]{5}$/);
  assert.equal(volume?.projected?.sources?.[0]?.serviceAccountToken?.expirationSeconds, 3607);
  const mount = {
    name: volume?.name,
    readOnly: true,
    mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
  };
  assert.deepEqual(spec.containers?.[0]?.volumeMounts, [mount]);
  assert.deepEqual(spec.initContainers?.[0]?.volumeMounts, [...init.volumeMounts, mount]);
  assert.deepEqual(
    spec.tolerations?.map(({ key, tolerationSeconds }) => [key, tolerationSeconds]),
    [
      ["node.kubernetes.io/not-ready", 300],
      ["node.kubernetes.io/unreachable", 300],
    ],
  );
});

test("a token is left out where the pod or, failing that, the account says so", async () => {
  const shy = { ...account, automountServiceAccountToken: false } as KubeObject;
  await using store = await storeOf(active, shy);
  const volumesOf = async (spec: PodSpec) =>
    ((await admit(pod(spec), { store })) as Pod).spec?.volumes?.length ?? 0;
  assert.equal(await volumesOf({}), 0);
  assert.equal(await volumesOf({ automountServiceAccountToken: true }), 1);
});

test("pull secrets come from the account where the pod has none", async () => {
  const puller = { ...account, imagePullSecrets: [{ name: "a" }] } as KubeObject;
  await using store = await storeOf(active, puller);
  const secretsOf = async (spec: PodSpec) =>
    ((await admit(pod(spec), { store })) as Pod).spec?.imagePullSecrets;
  assert.deepEqual(await secretsOf({}), [{ name: "a" }]);
  assert.deepEqual(await secretsOf({ imagePullSecrets: [{ name: "b" }] }), [{ name: "b" }]);
});

test("a pod without its account is refused; the default one may come a moment later", async () => {
  await using store = await storeOf(active);
  await assert.rejects(admit(pod({ serviceAccountName: "other" }), { store }), {
    message:
      'pods "p" is forbidden: error looking up service account ns/other: serviceaccount "other" not found',
  });
  const admitted = admit(pod(), { store });
  await put(store, account);
  assert.equal(((await admitted) as Pod).spec?.serviceAccountName, "default");
});

const strict = {
  ...account,
  metadata: {
    ...account.metadata,
    annotations: { "kubernetes.io/enforce-mountable-secrets": "true" },
  },
  secrets: [{ name: "ok" }],
} as KubeObject;
const refusedSecrets: Record<string, PodSpec> = {
  'volume with secret.secretName="x" is not allowed because service account default does not reference that secret':
    { volumes: [{ name: "v", secret: { secretName: "x" } }] },
  'container main with envVar A referencing secret.secretName="x" is not allowed because service account default does not reference that secret':
    {
      containers: [
        { name: "main", env: [{ name: "A", valueFrom: { secretKeyRef: { name: "x" } } }] },
      ],
    },
  'imagePullSecrets[0].name="x" is not allowed because service account default does not reference that imagePullSecret':
    { imagePullSecrets: [{ name: "x" }] },
};
for (const [why, spec] of Object.entries(refusedSecrets)) {
  test(`where an account enforces it: ${why}`, async () => {
    await using store = await storeOf(active, strict);
    const message = `pods "p" is forbidden: ${why}`;
    await assert.rejects(admit(pod(spec), { store }), { message });
    await admit(pod({ volumes: [{ name: "v", secret: { secretName: "ok" } }] }), { store });
  });
}

const mirror = { "kubernetes.io/config.mirror": "x" };
const refusedMirrors: Record<string, PodSpec> = {
  "a mirror pod may not reference service accounts": { serviceAccountName: "default" },
  "a mirror pod may not reference secrets": {
    volumes: [{ name: "v", secret: { secretName: "x" } }],
  },
  "a mirror pod may not use ServiceAccountToken volume projections": {
    volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }],
  },
};
for (const [why, spec] of Object.entries(refusedMirrors)) {
  test(why, async () => {
    await using store = await storeOf(active, account);
    const message = `pods "p" is forbidden: ${why}`;
    await assert.rejects(admit(pod(spec, mirror), { store }), { message });
  });
}

function priorityClass(name: string, value: number, globalDefault = false): KubeObject {
  const metadata = { name };
  const apiVersion = "scheduling.k8s.io/v1";
  return { apiVersion, kind: "PriorityClass", metadata, value, globalDefault } as KubeObject;
}

test("a pod has the priority of its class, or of the default one, and no other", async () => {
  await using store = await storeOf(active, account);
  for (const each of [priorityClass("high", 1000), priorityClass("usual", 10, true)]) {
    const { name = "" } = each.metadata;
    const resource = "priorityclasses.scheduling.k8s.io";
    await store.write({ resource, namespace: "", name, expected: 0, object: each });
  }
  const specOf = async (spec: PodSpec) => ((await admit(pod(spec), { store })) as Pod).spec;
  assert.equal((await specOf({ priorityClassName: "high" }))?.priority, 1000);
  const usual = await specOf({});
  assert.deepEqual([usual?.priorityClassName, usual?.priority], ["usual", 10]);
  await assert.rejects(specOf({ priorityClassName: "none" }), {
    message: 'pods "p" is forbidden: no PriorityClass with name none was found',
  });
  await assert.rejects(specOf({ priorityClassName: "high", priority: 5 }), {
    message:
      'pods "p" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
  });
  await assert.rejects(admit(priorityClass("second", 1, true), { store }), {
    message:
      'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
  });
});

test("a claim gets the newest default class", async () => {
  await using store = await storeOf(active);
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  for (const [name, creationTimestamp] of [
    ["old", "2026-01-01T00:00:00Z"],
    ["new", "2026-01-02T00:00:00Z"],
  ] as const) {
    const metadata = { name, creationTimestamp, annotations };
    const object = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata };
    const resource = "storageclasses.storage.k8s.io";
    await store.write({ resource, namespace: "", name, expected: 0, object });
  }
  const claim = objectOf("v1", "PersistentVolumeClaim", "c");
  assert.deepEqual((await admit(claim, { store })).spec, { storageClassName: "new" });
  const none = { ...claim, spec: { storageClassName: "" } };
  assert.deepEqual((await admit(none, { store })).spec, { storageClassName: "" });
});

test("a new node is not ready", async () => {
  await using store = await storeOf();
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" } };
  const spec = { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] };
  assert.deepEqual((await admit(node, { store })).spec, spec);
  assert.deepEqual((await admit({ ...node, spec }, { store })).spec, spec);
});

const csr = (signerName: string, more: object = {}): KubeObject => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "CertificateSigningRequest",
  metadata: { name: "c" },
  spec: { signerName, ...more },
});

test("who approves or signs needs to be allowed to for the signer, or for its domain", async () => {
  await using store = await storeOf();
  const asked: string[] = [];
  const authorize: Authorizer = ({ verb, name }) => {
    asked.push(`${verb} ${name}`);
    return { decision: name === "good.com/*" ? "Allow" : "NoOpinion" };
  };
  const old = csr("example.com/x");
  const signed = { ...old, status: { certificate: "x" } };
  const change = { store, authorize, operation: "UPDATE" as const, old };
  await assert.rejects(admit(old, { ...change, subresource: "approval" }), {
    message:
      'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to approve requests with signerName "example.com/x"',
  });
  await assert.rejects(admit(signed, { ...change, subresource: "status" }), {
    message:
      'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to sign requests with signerName "example.com/x"',
  });
  await admit(old, { ...change, subresource: "status" });
  const good = csr("good.com/x");
  await admit(good, { ...change, old: good, subresource: "approval" });
  assert.deepEqual(asked, [
    ...["approve example.com/x", "approve example.com/*"],
    ...["sign example.com/x", "sign example.com/*", "approve good.com/x", "approve good.com/*"],
  ]);
});

test("no client certificate is asked for in the name of masters", async () => {
  await using store = await storeOf();
  const { request } = await createCertificateSigningRequest({
    commonName: "eve",
    organizations: ["system:masters"],
  });
  const spec = { request: Buffer.from(request).toString("base64") };
  await assert.rejects(admit(csr("kubernetes.io/kube-apiserver-client", spec), { store }), {
    message:
      'certificatesigningrequests.certificates.k8s.io "c" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
  });
  await admit(csr("example.com/x", spec), { store });
});

test("a request for a certificate says who asks for it, whatever they say", async () => {
  await using store = await storeOf();
  const forged = csr("example.com/x", { username: "admin", uid: "1", groups: ["system:masters"] });
  const { spec } = await admit(forged, { store });
  assert.deepEqual(spec, { signerName: "example.com/x", username: "jane" });
});

test("plugins can be left out by their names, but not the check against escalation", async () => {
  await using store = await storeOf();
  const resolver = createRuleResolver(store);
  const { plugins: webhooks } = await webhookScene();
  const namesWithout = (...disabled: string[]) =>
    builtInAdmission({ store, authorize: allow, resolver, webhooks, disabled }).map(
      ({ name }) => name,
    );
  const all = namesWithout();
  assert.deepEqual(all.slice(0, -2), pluginNames);
  assert.deepEqual(
    namesWithout("PodSecurity", "Priority"),
    all.filter((name) => name !== "PodSecurity" && name !== "Priority"),
  );
  assertPlugins(pluginNames);
  for (const name of [...all.slice(-2), "Nonsense"]) {
    assert.throws(() => assertPlugins([name]), {
      code: "UnknownPlugin",
      message:
        /^could not disable the admission plugin ".+": it does not exist; use one of NamespaceLifecycle, /,
    });
  }
});
