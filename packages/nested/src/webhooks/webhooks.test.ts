import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type {
  NestedAPIServer,
  NestedCluster,
  NestedControlPlane,
  NestedControlPlaneTemplate,
  NestedEtcd,
} from "@rookery/api";
import { isInvalid, type KubeObject } from "@rookery/kube";
import { type AdmissionContext, silentLogger, type Validator } from "@rookery/runtime";
import { noAllowances } from "../policy/allowances.ts";
import { clusterValidator } from "./cluster.ts";
import { componentValidators } from "./components.ts";
import { controlPlaneTemplateValidator, controlPlaneValidator } from "./control-plane.ts";

const { apiServer: apiServerValidator, etcd: etcdValidator } = componentValidators(noAllowances);

const apiVersion = "controlplane.cluster.x-k8s.io/v1alpha4";
const metadata = { namespace: "team", name: "x" };
const certificates = { caValidity: "2h", leafValidity: "1h", userKubeconfigValidity: "24h" };

const controlPlane = (spec: Partial<NestedControlPlane["spec"]> = {}): NestedControlPlane => ({
  apiVersion,
  kind: "NestedControlPlane",
  metadata,
  spec: { certificates, ...spec },
  status: { version: "v1.33.13" },
});
const reference = (changes: object = {}) => ({
  apiVersion,
  kind: "NestedEtcd",
  name: "etcd",
  ...changes,
});
const etcd = (spec: Partial<NestedEtcd["spec"]> = {}): NestedEtcd => ({
  apiVersion,
  kind: "NestedEtcd",
  metadata,
  spec: { replicas: 1, storage: { size: "1Gi" }, deletionPolicy: "Delete", ...spec },
  status: { version: "3.6.8" },
});
const apiServer = (spec: Partial<NestedAPIServer["spec"]> = {}): NestedAPIServer => ({
  apiVersion,
  kind: "NestedAPIServer",
  metadata,
  spec: {
    replicas: 1,
    profile: "full",
    service: { type: "ClusterIP", port: 6443 },
    serviceCidr: "10.96.0.0/12",
    ...spec,
  },
  status: { version: "v1.33.13" },
});
const cluster = (name: string): NestedCluster => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha4",
  kind: "NestedCluster",
  metadata,
  spec: { controlPlaneRef: { apiVersion, kind: "NestedControlPlane", name } },
});

function context(object?: KubeObject, dryRun = false): AdmissionContext {
  const names = { group: "", version: "" };
  return {
    request: {
      uid: "u",
      kind: { ...names, kind: "" },
      resource: { ...names, resource: "" },
      userInfo: {},
      operation: "UPDATE",
      namespace: "team",
      dryRun,
      ...(object && { object }),
    },
    signal: new AbortController().signal,
    logger: silentLogger,
    warn: () => {},
  };
}

/** The fields that are complained about; none where the object is taken. */
async function judge<T extends KubeObject>(
  validator: Validator<T>,
  object: T,
  old?: T,
): Promise<string> {
  try {
    const asked = context(object);
    await (old ? validator.update?.(object, old, asked) : validator.create?.(object, asked));
    return "";
  } catch (error) {
    assert.ok(isInvalid(error));
    return (error as Error).message;
  }
}

describe("a control plane", () => {
  test("may name its components later, but no others", async () => {
    const named = controlPlane({ etcd: reference() });
    assert.equal(await judge(controlPlaneValidator, named, controlPlane()), "");
    const other = controlPlane({ etcd: reference({ name: "other" }) });
    assert.match(await judge(controlPlaneValidator, other, named), /spec\.etcd/);
    assert.match(await judge(controlPlaneValidator, controlPlane(), named), /spec\.etcd/);
  });

  test("may change its profile as long as it has no API server", async () => {
    const light = controlPlane({ profile: "light" });
    assert.equal(await judge(controlPlaneValidator, light, controlPlane()), "");
    const apiserver = reference({ kind: "NestedAPIServer", name: "x-apiserver" });
    const made = controlPlane({ apiserver });
    assert.match(
      await judge(controlPlaneValidator, controlPlane({ apiserver, profile: "light" }), made),
      /spec\.profile/,
    );
    const full = controlPlane({ apiserver, profile: "full" });
    assert.equal(await judge(controlPlaneValidator, full, made), "");
  });

  test("may not name components in another namespace", async () => {
    const elsewhere = controlPlane({ etcd: reference({ namespace: "other" }) });
    assert.match(await judge(controlPlaneValidator, elsewhere), /spec\.etcd\.namespace/);
    const here = controlPlane({ etcd: reference({ namespace: "team" }) });
    assert.equal(await judge(controlPlaneValidator, here), "");
  });

  const versions: Record<string, RegExp> = {
    "v1.34.4": /^$/,
    "v1.33.14": /^$/,
    "v1.35.0": /skips a minor/,
    "v1.32.9": /older minor/,
  };
  for (const [version, expected] of Object.entries(versions)) {
    test(`of v1.33.13 may ${expected.source === "^$" ? "" : "not "}become ${version}`, async () => {
      const old = controlPlane({ version: "v1.33.13" });
      const answer = await judge(controlPlaneValidator, controlPlane({ version }), old);
      assert.match(answer, expected);
    });
  }

  test("that is being deleted may be let go of, whatever it says", async () => {
    const old = controlPlane({ etcd: reference() });
    const leaving = {
      ...controlPlane({ etcd: reference({ name: "other" }) }),
      metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z" },
    };
    assert.equal(await judge(controlPlaneValidator, leaving, old), "");
  });
});

describe("a template", () => {
  const template = (spec: object): NestedControlPlaneTemplate => ({
    apiVersion,
    kind: "NestedControlPlaneTemplate",
    metadata,
    spec: { template: { spec: { certificates, ...spec } } },
  });

  test("names nothing that is of one cluster", async () => {
    const bad = template({ etcd: reference(), controlPlaneEndpoint: { host: "h", port: 1 } });
    const answer = await judge(controlPlaneTemplateValidator, bad);
    assert.match(answer, /etcd/);
    assert.match(answer, /controlPlaneEndpoint/);
    assert.equal(await judge(controlPlaneTemplateValidator, template({ version: "v1.34.4" })), "");
  });

  test("stays as it is, except for what the topology controller only tries", async () => {
    const [old, changed] = [template({}), template({ version: "v1.34.4" })];
    assert.match(await judge(controlPlaneTemplateValidator, changed, old), /another template/);
    const annotations = { "topology.cluster.x-k8s.io/dry-run": "" };
    const tried = { ...changed, metadata: { ...metadata, annotations } };
    await controlPlaneTemplateValidator.update?.(tried, old, context(tried, true));
  });
});

describe("a component", () => {
  test("of etcd keeps its volumes", async () => {
    const larger = etcd({ storage: { size: "2Gi" } });
    assert.match(await judge(etcdValidator, larger, etcd()), /spec\.storage/);
    assert.equal(await judge(etcdValidator, etcd({ replicas: 3 }), etcd()), "");
  });

  test("of the API server keeps profile and ranges, which must be ranges", async () => {
    const moved = apiServer({ serviceCidr: "10.70.0.0/16" });
    assert.match(await judge(apiServerValidator, moved, apiServer()), /spec\.serviceCidr/);
    const light = apiServer({ profile: "light" });
    assert.match(await judge(apiServerValidator, light, apiServer()), /spec\.profile/);
    const storage = { type: "PersistentVolumeClaim", size: "2Gi" } as const;
    const larger = apiServer({ profile: "light", storage });
    assert.match(await judge(apiServerValidator, larger, light), /spec\.storage/);
    const usual = apiServer({ profile: "light", storage: { ...storage, size: "1Gi" } });
    assert.equal(await judge(apiServerValidator, usual, light), "");
    assert.match(await judge(apiServerValidator, apiServer({ serviceCidr: "x" })), /serviceCidr/);
  });

  test("of the API server has names that can be in a certificate", async () => {
    const good = apiServer({ certSANs: ["*.example.dev", "192.0.2.1", "::1", "a.b"] });
    assert.equal(await judge(apiServerValidator, good), "");
    const bad = apiServer({ certSANs: ["fine.dev", "not fine"] });
    assert.match(await judge(apiServerValidator, bad), /spec\.certSANs\[1\]/);
  });

  test("patches only what it consists of", async () => {
    const patches = [
      { apiVersion: "apps/v1", kind: "StatefulSet" },
      { apiVersion: "apps/v1", kind: "Deployment" },
    ];
    const answer = await judge(etcdValidator, etcd({ patches }));
    assert.match(answer, /spec\.patches\[1\]/);
    assert.doesNotMatch(answer, /spec\.patches\[0\]/);
  });

  test("skips no minor after what runs", async () => {
    const skipping = apiServer({ version: "v1.35.0" });
    assert.match(await judge(apiServerValidator, skipping, apiServer()), /skips a minor/);
  });
});

test("a cluster stays with its control plane", async () => {
  assert.match(await judge(clusterValidator, cluster("b"), cluster("a")), /spec\.controlPlaneRef/);
  assert.equal(await judge(clusterValidator, cluster("a"), cluster("a")), "");
});

describe("what the administrator does not allow", () => {
  const image = "registry.example.com/etcd:1";
  const patch = (spec: object) => ({ apiVersion: "apps/v1", kind: "StatefulSet", spec });

  test("is refused when it is new, with the flag that would allow it", async () => {
    const answer = await judge(etcdValidator, etcd({ image }));
    assert.match(answer, /spec\.image: Forbidden: .*--allowed-images=registry\.example\.com\/etcd/);
    assert.match(await judge(etcdValidator, etcd({ image }), etcd()), /spec\.image/);
    const host = { ...apiServer().spec.service, host: "10.0.0.1" };
    assert.match(
      await judge(apiServerValidator, apiServer({ service: host })),
      /spec\.service\.host: Forbidden: .*--allowed-hosts=10\.0\.0\.1/,
    );
  });

  test("may stay where it was, so that other fields can be written, and may go", async () => {
    const old = etcd({ image, patches: [patch({ replicas: 3 }), patch({ serviceName: "x" })] });
    const resized = { ...old, spec: { ...old.spec, replicas: 3 } };
    assert.equal(await judge(etcdValidator, resized, old), "");
    const fewer = { ...old, spec: { ...old.spec, patches: [patch({ serviceName: "x" })] } };
    assert.equal(await judge(etcdValidator, fewer, old), "");
  });

  test("may not be changed to something else that is closed", async () => {
    const old = etcd({ image, patches: [patch({ replicas: 3 })] });
    const other = { ...old, spec: { ...old.spec, patches: [patch({ replicas: 300 })] } };
    assert.match(await judge(etcdValidator, other, old), /spec\.patches\[0\]/);
    const pulled = { ...old, spec: { ...old.spec, image: "registry.example.com/etcd:2" } };
    assert.match(await judge(etcdValidator, pulled, old), /spec\.image/);
  });

  test("is taken where a flag allows it", async () => {
    const allowing = componentValidators({ ...noAllowances, images: ["registry.example.com/*"] });
    assert.equal(await judge(allowing.etcd, etcd({ image })), "");
  });

  test("is a component of a built-in kind, whoever asks", async () => {
    const secret = reference({ apiVersion: "v1", kind: "Secret" });
    const answer = await judge(controlPlaneValidator, controlPlane({ etcd: secret }));
    assert.match(answer, /spec\.etcd: Forbidden: Secret of v1 is not a kind of component/);
    const before = controlPlane({ etcd: secret });
    const newer = controlPlane({ etcd: secret, version: "v1.34.4" });
    assert.equal(await judge(controlPlaneValidator, newer, before), "");
  });
});
