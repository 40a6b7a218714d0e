import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inject, type Loose, pod } from "../../test/inject/inject.ts";

const service = `{apiVersion: v1, kind: Service, metadata: {name: hooks, namespace: app-system}, spec: {selector: {app: app}, ports: [{name: metrics, port: 8080}, {port: 443, targetPort: hooks}]}}`;
const webhook = (target = "name: hooks, namespace: app-system") =>
  `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: w}, webhooks: [{name: a.b.c, clientConfig: {service: {${target}}}}]}`;
const crd = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: flocks.aviary.example.com}, spec: {group: aviary.example.com, scope: Namespaced, names: {kind: Flock}, conversion: {strategy: Webhook, webhook: {clientConfig: {service: {name: hooks, namespace: app-system}}}}}}`;
const certificate = `{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: c}, spec: {secretName: from-certificate, dnsNames: [hooks.app-system.svc]}}`;
const mounting = (...names: readonly string[]) =>
  pod(
    `volumes: [${names.map((name) => `{name: ${name}, secret: {secretName: ${name}}}`).join(",")}]`,
  ).replace(
    "containerPort: 9443}]",
    `containerPort: 9443}], volumeMounts: [${names.map((name) => `{name: ${name}, mountPath: /${name}}`).join(",")}]`,
  );

/** The Service first, the pods second. */
function render(
  texts: readonly string[],
  changes = {},
): { service: Loose; sidecar: Loose; spec: Loose } {
  const [first, second]: Loose[] = inject(texts, changes).documents as Loose[];
  const { spec } = second.spec.template;
  return { service: first, spec, sidecar: spec.initContainers?.[0] };
}

describe("webhooks", () => {
  for (const [what, caller] of Object.entries({ admission: webhook(), conversion: crd })) {
    it(`for ${what} are called by the callback listener, with the app's own certificate`, () => {
      const { service: rendered, sidecar, spec } = render([service, mounting("cert"), caller]);
      assert.deepEqual(rendered.spec.ports, [
        { name: "metrics", port: 8080 },
        { port: 443, targetPort: 6444 },
      ]);
      assert.ok(sidecar.args.includes("--callback-upstream=https://127.0.0.1:9443"));
      assert.ok(sidecar.args.includes("--callback-bind-address=:6444"));
      const volume = spec.volumes.find(({ name }: Loose) => name === "rookery-proxy-serving-cert");
      assert.deepEqual(volume.secret, { secretName: "cert" });
      const mount = sidecar.volumeMounts.find(({ name }: Loose) => name === volume.name);
      assert.ok(sidecar.args.includes(`--callback-cert-dir=${mount.mountPath}`));
    });
  }

  it("are not looked for where nobody calls them", () => {
    const { service: rendered, sidecar } = render([service, mounting("cert")]);
    assert.equal(rendered.spec.ports[1].targetPort, "hooks");
    assert.ok(!sidecar.args.some((arg: string) => arg.startsWith("--callback")));
  });

  const secrets: Record<string, { texts: readonly string[]; changes?: object; is: string }> = {
    "the one that is named": {
      texts: [mounting("cert"), certificate],
      changes: { webhookSecret: "named" },
      is: "named",
    },
    "that of the Certificate for the Service": {
      texts: [mounting("a-cert", "b-cert"), certificate],
      is: "from-certificate",
    },
    "the only one that the container mounts": { texts: [mounting("data")], is: "data" },
    "the only one that looks like it": { texts: [mounting("data", "tls")], is: "tls" },
  };
  for (const [sentence, { texts, changes, is }] of Object.entries(secrets)) {
    it(`have their certificate in the Secret that is ${sentence}`, () => {
      const { spec } = render([service, ...texts, webhook()], changes);
      const volume = spec.volumes.find(({ name }: Loose) => name === "rookery-proxy-serving-cert");
      assert.equal(volume.secret.secretName, is);
    });
  }

  const refused: Record<string, { texts: readonly string[]; document: string; why: RegExp }> = {
    "whose Service is not among the manifests": {
      texts: [mounting("cert"), webhook("name: other, namespace: app-system")],
      document: "ValidatingWebhookConfiguration w",
      why: /it calls Service app-system\/other, which is not among the manifests/,
    },
    "whose Service lacks the port": {
      texts: [service, mounting("cert"), webhook("name: hooks, namespace: app-system, port: 8443")],
      document: "ValidatingWebhookConfiguration w",
      why: /it calls port 8443 of Service app-system\/hooks, which has no such port/,
    },
    "whose Service has no pods": {
      texts: [service.replace("app: app", "app: other"), mounting("cert"), webhook()],
      document: "ValidatingWebhookConfiguration w",
      why: /whose selector fits none of the app's pods/,
    },
    "whose port no container names": {
      texts: [service.replace("targetPort: hooks", "targetPort: x"), mounting("cert"), webhook()],
      document: "ValidatingWebhookConfiguration w",
      why: /the port "x" of Deployment app-system\/app, which no container has/,
    },
    "without a Secret": {
      texts: [service, pod(), webhook()],
      document: "ValidatingWebhookConfiguration w",
      why: /mount no Secret for the certificate of its webhooks; name the Secret with --webhook-secret/,
    },
    "with several Secrets": {
      texts: [service, mounting("a-cert", "b-cert"), webhook()],
      document: "ValidatingWebhookConfiguration w",
      why: /mount a-cert and b-cert for the certificate of its webhooks/,
    },
    "at two ports": {
      texts: [
        service.replace(
          "{name: metrics, port: 8080}",
          "{name: metrics, port: 8080, targetPort: 9444}",
        ),
        mounting("cert"),
        webhook(),
        webhook("name: hooks, namespace: app-system, port: 8080").replace("{name: w}", "{name: v}"),
      ],
      document: "Deployment app-system/app",
      why: /ValidatingWebhookConfiguration v calls port 9444 .* and ValidatingWebhookConfiguration w port 9443/,
    },
  };
  for (const [sentence, { texts, document, why }] of Object.entries(refused)) {
    it(`${sentence} are refused`, () => {
      assert.throws(() => inject(texts), { code: "UnsafeManifest", document, message: why });
    });
  }
});
