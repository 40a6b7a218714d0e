import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apiServerManifests } from "../api-server/manifests.ts";
import type { Revision } from "../component/revision.ts";
import { controllerManagerManifests } from "../controller-manager/manifests.ts";
import { etcdManifests } from "../etcd/manifests.ts";
import type { Container, Deployment } from "./kinds.ts";
import type { Companions } from "./pod-template.ts";

const common = {
  cluster: "blue",
  namespace: "team",
  image: "example.com/program:v1",
  replicas: 1,
  inputs: "authority",
};
const revision: Revision = { version: "v1.34.4", serviceCidr: "10.96.0.0/12" };
const render = (
  change: Partial<typeof common> & { revision?: Revision; companions?: Companions } = {},
) => {
  const options = { ...common, revision, ...change };
  const membership = {};
  const storage = { size: "1Gi" };
  return {
    etcd: etcdManifests({ ...options, partition: 0, storage, membership }),
    apiserver: apiServerManifests({
      ...options,
      service: { type: "ClusterIP", port: 6443 },
      etcdServers: ["https://a:2379", "https://b:2379"],
    }),
    "controller-manager": controllerManagerManifests({ ...options, serviceCidr: "10.96.0.0/12" }),
  };
};
type Name = keyof ReturnType<typeof render>;
const names: Name[] = ["etcd", "apiserver", "controller-manager"];
const workloadOf = (name: Name, objects = render()) =>
  objects[name].find(({ kind }) => kind !== "Service" && kind !== "ConfigMap") as Deployment;
const containerOf = (name: Name, objects = render()) =>
  workloadOf(name, objects).spec?.template.spec.containers[0] as Container;

for (const name of names) {
  describe(`the pods of ${name}`, () => {
    it("listen at their own address, and files are where the flags say", () => {
      const { args, volumeMounts } = containerOf(name);
      const files = args.flatMap((arg) => arg.match(/\/etc\/kubernetes\/pki\/[^/]+/g) ?? []);
      const mounted = volumeMounts.map(({ mountPath }) => mountPath);
      assert.deepEqual(
        files.filter((file) => !mounted.includes(file)),
        [],
      );
      assert.ok(args.some((arg) => arg.includes("$(POD_IP)")));
      assert.ok(!args.some((arg) => /0\.0\.0\.0|localhost/.test(arg)));
    });

    it("are what the Deployment, the Service and the budget select", () => {
      const { selector, template } = workloadOf(name).spec ?? {};
      assert.deepEqual(template?.metadata.labels, selector?.matchLabels);
      assert.equal(selector?.matchLabels["nested.rookery.dev/component"], name);
    });

    it("request something unless the spec says what", () => {
      assert.match(JSON.stringify(containerOf(name).resources), /requests/);
      const resources = { limits: { cpu: "1" } };
      const objects = render({ revision: { ...revision, resources } });
      assert.deepEqual(containerOf(name, objects).resources, resources);
    });

    it("take flags of the spec", () => {
      const extraArgs = [{ name: "v", value: "4" }];
      const objects = render({ revision: { ...revision, extraArgs } });
      assert.equal(containerOf(name, objects).args.at(-1), "--v=4");
    });

    it("are made anew when what they read at the start changes, and for no other reason", () => {
      const template = (inputs: string, replicas = 1) =>
        JSON.stringify(workloadOf(name, render({ inputs, replicas })).spec?.template);
      assert.notEqual(template("a"), template("b"));
      assert.equal(template("a", 1), template("a", 3));
    });

    it("run as nobody, and can write nowhere but in their volumes", () => {
      const { spec } = workloadOf(name).spec?.template ?? {};
      const text = JSON.stringify([spec?.securityContext, containerOf(name).securityContext]);
      assert.match(text, /"runAsNonRoot":true.*"RuntimeDefault".*"readOnlyRootFilesystem":true/);
      assert.match(text, /"allowPrivilegeEscalation":false/);
      assert.match(text, /"drop":\["ALL"\]/);
      assert.equal(spec?.automountServiceAccountToken, false);
    });
  });
}

it("no authority's key is where it is not needed", () => {
  const secrets = (name: Name) => JSON.stringify(workloadOf(name).spec?.template.spec.volumes);
  for (const name of ["etcd", "apiserver"] as const) {
    assert.doesNotMatch(secrets(name), /"secretName":"blue-(ca|etcd|proxy)"/);
  }
  assert.match(secrets("controller-manager"), /"secretName":"blue-ca"/);
  assert.doesNotMatch(secrets("controller-manager"), /"secretName":"blue-(etcd|proxy)"/);
});

it("the API server knows all members of etcd", () => {
  assert.ok(containerOf("apiserver").args.includes("--etcd-servers=https://a:2379,https://b:2379"));
});

it("members of etcd have as a volume, too, what their environment is made of", () => {
  const { env, volumeMounts } = containerOf("etcd");
  const read = env.flatMap(({ valueFrom }) => {
    const { configMapKeyRef } = (valueFrom ?? {}) as { configMapKeyRef?: { name: string } };
    return configMapKeyRef ? [configMapKeyRef.name] : [];
  });
  const volumes = workloadOf("etcd").spec?.template.spec.volumes as readonly {
    readonly name: string;
    readonly configMap?: { readonly name: string };
  }[];
  const mounted = volumeMounts.map(({ name }) => name);
  const brought = volumes.filter(({ name }) => mounted.includes(name));
  assert.ok(read.length > 0);
  assert.ok(read.every((one) => brought.some(({ configMap }) => configMap?.name === one)));
});

it("the controller manager has of front proxies what others trust, and no key", () => {
  const volumes = JSON.stringify(workloadOf("controller-manager").spec?.template.spec.volumes);
  assert.match(
    volumes,
    /"blue-proxy-client-cert"[^}]*"items":\[\{"key":"ca.crt","path":"ca.crt"\}\]/,
  );
  const { args, startupProbe } = containerOf("controller-manager");
  assert.ok(args.includes("--requestheader-client-ca-file=/etc/kubernetes/pki/proxy/ca.crt"));
  assert.equal(startupProbe, undefined);
});

describe("a supplied certificate that lacks keys", () => {
  type Projected = { readonly name: string; readonly projected?: object; readonly secret?: object };
  const companions = {
    "blue-proxy-client-cert": { own: [], companion: ["ca.crt"] },
    "blue-etcd-serving-cert": { own: ["tls.crt", "tls.key"], companion: ["ca.crt"] },
  };
  const volumes = (name: Name) =>
    workloadOf(name, render({ companions })).spec?.template.spec.volumes as readonly Projected[];
  const items = (...keys: string[]) => keys.map((key) => ({ key, path: key }));

  it("is mounted with its companion, each key from one of them", () => {
    const serving = volumes("etcd").find(({ name }) => name === "etcd-serving");
    const sources = [
      { secret: { name: "blue-etcd-serving-cert", items: items("tls.crt", "tls.key") } },
      { secret: { name: "blue-etcd-serving-cert-companion", items: items("ca.crt") } },
    ];
    assert.deepEqual(serving?.projected, { defaultMode: 0o440, sources });
    assert.equal(serving?.secret, undefined);
  });

  it("is not mounted at all where only its companion's keys are needed", () => {
    const proxy = volumes("controller-manager").find(({ name }) => name === "proxy");
    const sources = [
      { secret: { name: "blue-proxy-client-cert-companion", items: items("ca.crt") } },
    ];
    assert.deepEqual(proxy?.projected, { defaultMode: 0o440, sources });
  });

  it("changes no volume of other Secrets", () => {
    const others = (all: readonly Projected[]) => all.filter(({ name }) => name !== "proxy");
    const before = workloadOf("apiserver").spec?.template.spec.volumes as readonly Projected[];
    assert.deepEqual(others(volumes("apiserver")), others(before));
  });
});

it("members of etcd hold at most a part of their volume", () => {
  const quota = containerOf("etcd").args.find((arg) => arg.startsWith("--quota-backend-bytes="));
  assert.equal(quota, "--quota-backend-bytes=644245094");
});

it("the API server ends within its grace period, whoever still watches", () => {
  // Without it kube-apiserver waits a minute for watches, which is all the time that it has.
  assert.ok(containerOf("apiserver").args.includes("--shutdown-send-retry-after=true"));
});
