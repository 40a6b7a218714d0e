import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { type Provider, resourceOf, runtimeExtensionProvider } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  type Component,
  isCertManagerObject,
  parseComponents,
  withCaBundle,
} from "@rookery/components";
import { builtInResources } from "@rookery/kube";
import { createCertificateAuthority, parseCertificate, splitCertificates } from "@rookery/pki";
import type { Secret } from "@rookery/runtime";
import { type Kubernetes, startKubernetes, type TestNamespace } from "@rookery/testing";
import { ProviderCertificates } from "../../src/certificates/provider-certificates.ts";
import { PhaseError } from "../../src/errors.ts";
import { installOperatorAccount } from "../operator-account.ts";
import { applyAll, CertifiedWebhook, secretOf } from "./certified-webhook.ts";

const secretName = "webhook-cert";
const { signal } = new AbortController();
const day = 24 * 3_600_000;

describe("certificates of components", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  /** The operator's. */
  let account: Client;
  let webhook: CertifiedWebhook;
  let owned: TestNamespace;
  let namespace: string;
  let provider: Provider;
  /** How much earlier than now it is for the operator. */
  let behind: number;
  let certificates: ProviderCertificates;

  before(async () => {
    kubernetes = await startKubernetes({ private: true });
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    account = await installOperatorAccount(kubernetes);
  });
  after(async () => {
    await account?.destroy();
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    owned = await kubernetes.createNamespace("certificates");
    namespace = owned.name;
    webhook = await CertifiedWebhook.start(kubernetes, client);
    behind = 0;
    certificates = startOperator();
    provider = (await client.resource(resourceOf(runtimeExtensionProvider, "v1alpha1")).create({
      apiVersion: "management.cluster.x-k8s.io/v1alpha1",
      kind: "RuntimeExtensionProvider",
      metadata: { name: "nests", namespace },
    })) as Provider;
  });

  afterEach(async () => {
    const crd = `customresourcedefinition/nests.${namespace}.example.com`;
    const configuration = `validatingwebhookconfiguration/${namespace}`;
    await kubernetes.kubectl(["delete", crd, configuration, "--ignore-not-found", "--wait=false"]);
    await webhook[Symbol.asyncDispose]();
    await owned[Symbol.asyncDispose]();
  });

  /** One that knows nothing but what is in the cluster. */
  function startOperator(): ProviderCertificates {
    const now = () => new Date(Date.now() - behind);
    return new ProviderCertificates({ client: account, now, settleSeconds: 60 });
  }

  const ensure = (components = componentsOf()) => certificates.ensure(provider, components, signal);
  const secret = (name = secretName) => secretOf(client, namespace, name);
  const text = (one: Secret | undefined, field: string) =>
    Buffer.from(one?.data?.[field] ?? "", "base64").toString();
  const put = (data: Readonly<Record<string, string>>, annotations = {}) =>
    client.resource<Secret>(builtInResources.secrets).create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: secretName, namespace, annotations },
      type: "kubernetes.io/tls",
      data: Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, Buffer.from(value).toString("base64")]),
      ),
    });

  function componentsOf(spec = "", issuer = "selfSigned: {}"): readonly Component[] {
    return parseComponents(`
apiVersion: cert-manager.io/v1
kind: Issuer
metadata: {name: issuer, namespace: ${namespace}}
spec: {${issuer}}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: serving-cert, namespace: ${namespace}}
spec:
  secretName: ${secretName}
  dnsNames: [localhost, webhook.${namespace}.svc]
  issuerRef: {kind: Issuer, name: issuer}
  ${spec}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: nests.${namespace}.example.com
  annotations: {cert-manager.io/inject-ca-from: ${namespace}/serving-cert}
spec:
  group: ${namespace}.example.com
  scope: Namespaced
  names: {kind: Nest, plural: nests, singular: nest, listKind: NestList}
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: "${webhook.url}"}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: ${namespace}
  annotations: {cert-manager.io/inject-ca-from: ${namespace}/serving-cert}
webhooks:
- name: calls.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {url: "${webhook.url}"}
  objectSelector: {matchLabels: {called: ${namespace}}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
`);
  }

  /** Ensured, applied and mounted, and called once the API server has taken it up. */
  async function install(components = componentsOf()) {
    const certified = await ensure(components);
    await applyAll(client, certified.components);
    await webhook.mount(namespace, secretName);
    await webhook.noticed(namespace);
    assert.equal(await webhook.call(namespace), "allowed");
    return certified;
  }

  it("are issued as cert-manager leaves them, and API servers trust them", async () => {
    const { components } = await install();
    assert.deepEqual(
      components.map(({ kind }) => kind),
      ["CustomResourceDefinition", "ValidatingWebhookConfiguration"],
    );
    const mounted = await secret();
    assert.equal(mounted?.type, "kubernetes.io/tls");
    assert.deepEqual(Object.keys(mounted?.data ?? {}).sort(), ["ca.crt", "tls.crt", "tls.key"]);
    const { dnsNames, notBefore, notAfter } = parseCertificate(text(mounted, "tls.crt"));
    assert.deepEqual(dnsNames, ["localhost", `webhook.${namespace}.svc`]);
    assert.equal(Math.round((notAfter.getTime() - notBefore.getTime()) / day), 90);
    for (const one of [mounted, await secret(`${secretName}-authority`)]) {
      assert.equal(one?.metadata.ownerReferences?.[0]?.uid, provider.metadata.uid);
      assert.equal(one?.metadata.labels?.["cluster.x-k8s.io/provider"], "runtime-extension-nests");
    }
  });

  it("are left alone while nothing is due, also by an operator that has just started", async () => {
    const first = await install();
    const before = [await secret(), await secret(`${secretName}-authority`)];
    certificates = startOperator();
    const again = await ensure();
    assert.deepEqual(again.components, first.components);
    assert.ok((again.renewAfterSeconds ?? 0) > 50 * 24 * 3600, String(again.renewAfterSeconds));
    assert.deepEqual([await secret(), await secret(`${secretName}-authority`)], before);
  });

  it("are renewed before they end, under the same authority", async () => {
    behind = 70 * day;
    const components = componentsOf("renewBefore: 480h");
    await install(components);
    const [old, bundle] = [text(await secret(), "tls.crt"), text(await secret(), "ca.crt")];
    behind = 0;
    assert.deepEqual((await ensure(components)).components, (await ensure(components)).components);
    const renewed = await secret();
    assert.notEqual(text(renewed, "tls.crt"), old);
    assert.equal(text(renewed, "ca.crt"), bundle);
    assert.equal(await webhook.call(namespace), "allowed", "the old one is still mounted");
    await webhook.mount(namespace, secretName);
    assert.equal(await webhook.call(namespace), "allowed");
  });

  it("change their authority without a refused call, however late kubelets and applies are", async () => {
    const components = componentsOf("duration: 8760h");
    behind = 300 * day;
    await install(components);
    const old = text(await secret(), "tls.crt");
    behind = 0;

    const introduced = await ensure(components);
    const unapplied = await ensure(components);
    assert.ok((unapplied.renewAfterSeconds ?? 99) <= 5, "it is soon looked at again");
    assert.equal(text(await secret(), "tls.crt"), old);
    assert.equal(splitCertificates(text(await secret(), "ca.crt")).length, 2);
    await applyAll(client, introduced.components);
    assert.ok(((await ensure(components)).renewAfterSeconds ?? 99) <= 60, "they have to notice");
    await webhook.noticed(namespace);
    assert.equal(text(await secret(), "tls.crt"), old);
    assert.equal(await webhook.call(namespace), "allowed");

    behind = -61_000;
    const promoted = await ensure(components);
    assert.notEqual(text(await secret(), "tls.crt"), old);
    assert.equal(await webhook.call(namespace), "allowed", "the old one is still mounted");
    await webhook.mount(namespace, secretName);
    assert.equal(await webhook.call(namespace), "allowed", "the new bundle is not yet applied");
    await applyAll(client, promoted.components);
    assert.equal(await webhook.call(namespace), "allowed");
    assert.equal(splitCertificates(text(await secret(), "ca.crt")).length, 2, "both are trusted");
  });

  it("come back as they were when their Secret is deleted", async () => {
    await install();
    const before = await secret();
    await client.resource(builtInResources.secrets).delete({ namespace, name: secretName });
    certificates = startOperator();
    await ensure();
    assert.deepEqual((await secret())?.data, before?.data);
  });

  it("take over what cert-manager left behind, and trust both until it has ended", async () => {
    const authority = await createCertificateAuthority({ commonName: "left behind" });
    const leaf = await authority.issue({
      commonName: "a",
      dnsNames: ["localhost"],
      usages: ["server"],
    });
    const data = {
      "tls.crt": leaf.certificate,
      "tls.key": leaf.key,
      "ca.crt": authority.certificate,
    };
    await put(data, { "cert-manager.io/certificate-name": "serving-cert" });
    const injected = componentsOf().filter((component) => !isCertManagerObject(component));
    await applyAll(
      client,
      injected.map((component) => withCaBundle(component, authority.certificate)),
    );

    const certified = await install();
    assert.equal(text(await secret(), "tls.crt"), leaf.certificate, "not before all trust it");
    assert.deepEqual((await ensure()).components, certified.components);
    const taken = await secret();
    assert.notEqual(text(taken, "tls.crt"), leaf.certificate);
    assert.ok(text(taken, "ca.crt").includes(authority.certificate));
    assert.equal(taken?.metadata.annotations, undefined);
    assert.equal(await webhook.call(namespace), "allowed", "the old one is still mounted");
    await webhook.mount(namespace, secretName);
    assert.equal(await webhook.call(namespace), "allowed");
  });

  it("are those of a user who made the Secret, which is never written", async () => {
    const authority = await createCertificateAuthority({ commonName: "a user's" });
    const dnsNames = ["localhost", `webhook.${namespace}.svc`];
    const leaf = await authority.issue({ commonName: "a", dnsNames, usages: ["server"] });
    const data = {
      "tls.crt": leaf.certificate,
      "tls.key": leaf.key,
      "ca.crt": authority.certificate,
    };
    const made = await put(data);
    // Even where nobody else could stand in for the issuer.
    await install(componentsOf("", "ca: {secretName: corp}"));
    assert.deepEqual(await secret(), made);
    assert.equal(await secret(`${secretName}-authority`), undefined);
  });

  const unusable: Readonly<Record<string, { change: object; why: RegExp }>> = {
    "without an authority": { change: { "ca.crt": "" }, why: /it has no ca\.crt; replace/ },
    "whose key is another's": { change: { "tls.key": "other" }, why: /tls\.key is not the key/ },
    "for other names": { change: { names: ["a.example.com"] }, why: /it is not for localhost/ },
    "of another authority": { change: { "ca.crt": "other" }, why: /no valid authority/ },
  };
  for (const [what, { change, why }] of Object.entries(unusable)) {
    it(`refuse a user's Secret ${what}, and say what to do`, async () => {
      const names = { dnsNames: ["localhost", `webhook.${namespace}.svc`] };
      const { names: dnsNames = names.dnsNames, ...fields } = change as { names?: string[] };
      const [authority, other] = [
        await createCertificateAuthority({ commonName: "a user's" }),
        await createCertificateAuthority({ commonName: "other" }),
      ];
      const leaf = await authority.issue({ commonName: "a", dnsNames, usages: ["server"] });
      const others: Record<string, string> = { "tls.key": other.key, "ca.crt": other.certificate };
      const data = {
        "tls.crt": leaf.certificate,
        "tls.key": leaf.key,
        "ca.crt": authority.certificate,
        ...Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [name, value && (others[name] ?? "")]),
        ),
      } as Record<string, string>;
      await put(data);
      await assert.rejects(ensure(), (error) => {
        assert.ok(error instanceof PhaseError);
        assert.equal(error.reason, "CertificateSecretUnusable");
        assert.match(error.message, why);
        assert.doesNotMatch(error.message, /PRIVATE KEY/);
        return true;
      });
    });
  }

  const impossible: Readonly<Record<string, { spec?: string; issuer?: string; why: RegExp }>> = {
    "for an issuer that is not self-signed": {
      issuer: "ca: {secretName: corp}",
      why: /its issuer is not a self-signed one .* install cert-manager, or make the Secret/,
    },
    "for a duration that is none": { spec: "duration: soon", why: /duration "soon"/ },
    "for a time too short to be renewed in": { spec: "duration: 5m", why: /less than 600/ },
  };
  for (const [what, { spec, issuer, why }] of Object.entries(impossible)) {
    it(`cannot be issued ${what}, and nothing is written`, async () => {
      await assert.rejects(ensure(componentsOf(spec, issuer)), (error) => {
        assert.ok(error instanceof PhaseError);
        assert.equal(error.reason, "CertificateNotPossible");
        assert.match(error.message, why);
        return true;
      });
      assert.equal(await secret(), undefined);
    });
  }

  it("are cert-manager's own affair where it is installed", async () => {
    await install();
    const before = await secret();
    await kubernetes.applyCrd(certManagersCrd);
    try {
      const components = componentsOf();
      behind = -200 * day;
      assert.deepEqual(await ensure(components), { components });
      assert.deepEqual(await secret(), before);
    } finally {
      await kubernetes.kubectl(["delete", "crd", "certificates.cert-manager.io"]);
    }
  });
});

const certManagersCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: "certificates.cert-manager.io",
    annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
  },
  spec: {
    group: "cert-manager.io",
    scope: "Namespaced",
    names: { kind: "Certificate", plural: "certificates" },
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
    ],
  },
} as const;
