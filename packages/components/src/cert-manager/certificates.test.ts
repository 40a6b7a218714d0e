import assert from "node:assert/strict";
import { test } from "node:test";
import { providerComponents } from "../../test/render/components.ts";
import { renderComponents } from "../render/render.ts";
import { certManagerNeeds, isCertManagerObject, withCaBundle } from "./certificates.ts";

const provider = { kind: "CoreProvider", name: "cluster-api" } as const;
const render = (components = providerComponents()) =>
  renderComponents({ provider, version: "v1.13.6", components, namespace: "n" }).components;

test("what a component needs of cert-manager is told as data", () => {
  const [need, ...others] = certManagerNeeds(render()).certificates;
  assert.deepEqual(others, []);
  assert.deepEqual(
    { ...need, injectedInto: need?.injectedInto.map(({ kind, name }) => `${kind} ${name}`) },
    {
      namespace: "n",
      name: "serving-cert",
      secretName: "webhook-cert",
      dnsNames: ["webhook-service.n.svc", "webhook-service.n.svc.cluster.local"],
      selfSigned: true,
      injectedInto: [
        "CustomResourceDefinition nests.example.com",
        "ValidatingWebhookConfiguration nests",
      ],
    },
  );
});

test("cert-manager's own objects are told, to be left out where it is not installed", () => {
  const kinds = certManagerNeeds(render()).objects.map(({ kind }) => kind);
  assert.deepEqual(kinds, ["Certificate", "Issuer"]);
  assert.equal(render().filter(isCertManagerObject).length, 2);
});

test("a certificate of an issuer that is not among the components is not self-signed", () => {
  const components = render(providerComponents().filter(({ kind }) => kind !== "Issuer"));
  assert.equal(certManagerNeeds(components).certificates[0]?.selfSigned, false);
});

test("an authority is put into webhooks and conversions, and nowhere else", () => {
  const bundle = Buffer.from("PEM").toString("base64");
  for (const component of render()) {
    const changed = withCaBundle(component, "PEM");
    const isCalled = /^(Validating|Custom)/.test(component.kind);
    assert.equal(JSON.stringify(changed).includes(`"caBundle":"${bundle}"`), isCalled);
    if (!isCalled) assert.equal(changed, component);
  }
});
