import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGroupMapping } from "@rookery/group-suffix";
import { inject, injectOne, type Loose, pod } from "../../test/inject/inject.ts";

const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
const template = "{spec: {containers: [{name: main, image: app}]}}";

const workloads: Record<string, { text: string; spec: (manifest: Loose) => Loose }> = {
  "a Pod": {
    text: "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: main, image: app}]}}",
    spec: (manifest) => manifest.spec,
  },
  "a CronJob": {
    text: `{apiVersion: batch/v1, kind: CronJob, metadata: {name: a}, spec: {jobTemplate: {spec: {template: ${template}}}}}`,
    spec: (manifest) => manifest.spec.jobTemplate.spec.template.spec,
  },
};
for (const [group, kind] of [
  ["apps", "Deployment"],
  ["apps", "StatefulSet"],
  ["apps", "DaemonSet"],
  ["batch", "Job"],
] as const) {
  workloads[`a ${kind}`] = {
    text: `{apiVersion: ${group}/v1, kind: ${kind}, metadata: {name: a}, spec: {template: ${template}}}`,
    spec: (manifest) => manifest.spec.template.spec,
  };
}

describe("the pods", () => {
  for (const [sentence, { text, spec }] of Object.entries(workloads)) {
    it(`of ${sentence} get the proxy, and are led to it`, () => {
      const { initContainers, containers, volumes } = spec(injectOne([text]));
      const [sidecar] = initContainers;
      assert.equal(sidecar.name, "rookery-proxy");
      assert.equal(sidecar.restartPolicy, "Always");
      assert.equal(sidecar.image, "rookery:test");
      assert.deepEqual(containers[0].env, [
        { name: "KUBERNETES_SERVICE_HOST", value: "127.0.0.1" },
        { name: "KUBERNETES_SERVICE_PORT", value: "6443" },
      ]);
      const [mount] = containers[0].volumeMounts;
      assert.deepEqual(mount, { name: "rookery-proxy-app", mountPath: folder, readOnly: true });
      assert.ok(volumes.some(({ name }: Loose) => name === mount.name));
    });
  }

  it("start the proxy first, and lead those that run before the app to it as well", () => {
    const { initContainers }: Loose = specOf(pod("initContainers: [{name: wait, image: app}]"));
    assert.deepEqual(
      initContainers.map(({ name }: Loose) => name),
      ["rookery-proxy", "wait"],
    );
    assert.equal(initContainers[1].env.length, 2);
    const named = initContainers[0].env.map(({ name }: Loose) => name);
    assert.ok(!named.includes("KUBERNETES_SERVICE_HOST"), "the proxy itself goes to the server");
    assert.ok(named.includes("NODE_OPTIONS"), "it stays small");
  });

  it("keep what they had", () => {
    const kept = pod("volumes: [{name: data, emptyDir: {}}]").replace(
      "image: app,",
      "image: app, env: [{name: A, value: b}], volumeMounts: [{name: data, mountPath: /data}],",
    );
    const { containers, volumes }: Loose = specOf(kept);
    assert.deepEqual(containers[0].env[0], { name: "A", value: "b" });
    assert.deepEqual(containers[0].volumeMounts[0], { name: "data", mountPath: "/data" });
    assert.deepEqual(volumes[0], { name: "data", emptyDir: {} });
  });

  it("pass the mapping and the rules on to the proxy", () => {
    const rule = {
      group: "aviary.example.com",
      kind: "Flock",
      path: "spec.a",
      form: "group",
    } as const;
    const [sidecar]: Loose = specOf(pod(), { rules: [rule] }).initContainers;
    assert.deepEqual(sidecar.args.slice(0, 3), [
      "proxy",
      "--map=aviary.example.com=aviary.team1.example.com",
      "--rule=aviary.example.com/Flock:spec.a:group",
    ]);
  });

  it("pass suffixes on to the proxy as suffixes", () => {
    const pair = { virtual: "pinniped.dev", real: "team1.example.com" };
    const suffix = createGroupMapping([
      pair,
      { ...pair, virtual: "a.b", real: "c.d", match: "both" },
    ]);
    const [sidecar]: Loose = specOf(pod(), { mapping: suffix }).initContainers;
    assert.deepEqual(sidecar.args.slice(1, 4), [
      "--api-group-suffix=pinniped.dev=team1.example.com",
      "--api-group-suffix=a.b=c.d",
      "--map=a.b=c.d",
    ]);
  });

  it("may run where a Pod Security Standard restricts them", () => {
    const [sidecar]: Loose = specOf(pod()).initContainers;
    assert.deepEqual(sidecar.securityContext, {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
  });

  it("that are root have a proxy that is not", () => {
    const [sidecar]: Loose = specOf(pod("securityContext: {runAsUser: 0}")).initContainers;
    assert.equal(sidecar.securityContext.runAsUser, 65532);
  });

  it("that have no service account stay as they are", () => {
    const { initContainers }: Loose = specOf(pod("automountServiceAccountToken: false"));
    assert.equal(initContainers, undefined);
  });

  it("whose account is not mounted stay as they are", () => {
    const account = `{apiVersion: v1, kind: ServiceAccount, metadata: {name: app}, automountServiceAccountToken: false}`;
    const [rendered]: Loose[] = inject([pod(), account]).documents as Loose[];
    assert.equal(rendered.spec.template.spec.initContainers, undefined);
  });

  it("that mount their account themselves hand it over to the proxy", () => {
    const own = pod(
      "automountServiceAccountToken: false\n      volumes: [{name: token, projected: {sources: []}}]",
    ).replace("image: app,", `image: app, volumeMounts: [{name: token, mountPath: ${folder}/}],`);
    const { initContainers, containers }: Loose = specOf(own);
    const accounts = (container: Loose) =>
      container.volumeMounts.filter(({ mountPath }: Loose) => mountPath.startsWith(folder));
    assert.deepEqual(accounts(initContainers[0]), [{ name: "token", mountPath: `${folder}/` }]);
    assert.deepEqual(accounts(containers[0]), [
      { name: "rookery-proxy-app", mountPath: folder, readOnly: true },
    ]);
  });

  it("that serve webhooks without an account get one for the proxy alone", () => {
    const service = `{apiVersion: v1, kind: Service, metadata: {name: s, namespace: app-system}, spec: {selector: {app: app}, ports: [{port: 443, targetPort: 9443}]}}`;
    const webhook = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: w}, webhooks: [{name: a.b.c, clientConfig: {service: {name: s, namespace: app-system}}}]}`;
    const [rendered]: Loose[] = inject(
      [pod("automountServiceAccountToken: false"), service, webhook],
      { webhookSecret: "cert" },
    ).documents as Loose[];
    const { initContainers, containers, volumes } = rendered.spec.template.spec;
    const mount = { name: "rookery-proxy-service-account", mountPath: folder, readOnly: true };
    assert.deepEqual(initContainers[0].volumeMounts.at(-1), mount);
    assert.ok(volumes.at(-1).projected);
    assert.ok(!("env" in containers[0]));
  });

  const refused: Record<string, { text: string; why: RegExp }> = {
    "are on the network of their node": {
      text: pod("hostNetwork: true"),
      why: /their node, where the proxies of two instances would listen at the same address; take hostNetwork away/,
    },
    "go to another API server": {
      text: pod().replace(
        "image: app,",
        "image: app, env: [{name: KUBERNETES_SERVICE_HOST, value: x}],",
      ),
      why: /container manager sets KUBERNETES_SERVICE_HOST/,
    },
    "listen where the proxy does": {
      text: pod().replace("9443", "6443"),
      why: /container manager listens at port 6443, which its proxy needs; give it another/,
    },
  };
  for (const [sentence, { text, why }] of Object.entries(refused)) {
    it(`that ${sentence} are refused`, () => {
      assert.throws(() => inject([text]), { document: "Deployment app-system/app", message: why });
    });
  }
});

function specOf(text: string, changes = {}): Loose {
  const rendered: Loose = injectOne([text], changes);
  return rendered.spec.template.spec;
}
