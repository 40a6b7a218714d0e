import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { InstallError } from "../errors.ts";
import { conciergeManifests } from "./manifests.ts";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

type Manifest = KubeObject<Record<string, unknown>> & { readonly rules?: readonly Rule[] };

const render = (options: Partial<Parameters<typeof conciergeManifests>[0]> = {}) =>
  conciergeManifests({ namespace: "login", image: "rookery:1", ...options }) as readonly Manifest[];
const idOf = ({ kind, metadata }: Manifest) =>
  [kind, metadata.namespace, metadata.name].filter(Boolean).join("/");
const kindOf = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind);
const suffix = "team1.example.com";

describe("the manifests of a concierge", () => {
  it("have Pinniped's own groups where no suffix is given", () => {
    const manifests = render();
    assert.deepEqual(kindOf(manifests, "CustomResourceDefinition").map(idOf), [
      "CustomResourceDefinition/credentialissuers.config.concierge.pinniped.dev",
      "CustomResourceDefinition/jwtauthenticators.authentication.concierge.pinniped.dev",
      "CustomResourceDefinition/webhookauthenticators.authentication.concierge.pinniped.dev",
    ]);
    assert.doesNotMatch(JSON.stringify(manifests), /api-group-suffix/);
  });

  it("have the groups of the suffix, and no other of the app", () => {
    const text = JSON.stringify(render({ apiGroupSuffix: suffix }));
    assert.doesNotMatch(text, /pinniped\.dev/);
    assert.match(text, /"--api-group-suffix=team1\.example\.com"/);
    const services = kindOf(render({ apiGroupSuffix: suffix }), "APIService");
    assert.deepEqual(services.map(idOf), [
      "APIService/v1alpha1.login.concierge.team1.example.com",
      "APIService/v1alpha1.identity.concierge.team1.example.com",
    ]);
    for (const { metadata, spec } of services) {
      assert.equal(metadata.name, `v1alpha1.${spec?.group}`);
      assert.deepEqual(spec?.service, { name: "rookery-concierge", namespace: "login", port: 443 });
    }
  });

  it("share no object with those of another instance", () => {
    const one = render({ apiGroupSuffix: suffix, namespace: "team1" }).map(idOf);
    const two = render({ apiGroupSuffix: "team2.example.com", namespace: "team2" }).map(idOf);
    const standard = render({ namespace: "standard" }).map(idOf);
    const all = [...one, ...two, ...standard];
    assert.equal(new Set(all).size, all.length);
  });

  it("can be applied in their order: the namespace and kinds before what needs them", () => {
    const kinds = render().map(({ kind }) => kind);
    assert.equal(kinds[0], "Namespace");
    assert.ok(kinds.lastIndexOf("CustomResourceDefinition") < kinds.indexOf("Deployment"));
    assert.ok(kinds.indexOf("ServiceAccount") < kinds.indexOf("Deployment"));
  });

  it("give no right to all resources, nor to read or list Secrets at large", () => {
    const roles = render().filter(({ rules }) => rules !== undefined);
    for (const { kind, metadata, rules = [] } of roles) {
      for (const { apiGroups, resources, verbs, resourceNames } of rules) {
        const text = `${kind} ${metadata.name}: ${JSON.stringify({ apiGroups, resources, verbs })}`;
        assert.ok(![apiGroups, resources, verbs].flat().includes("*"), text);
        if (!resources.includes("secrets")) continue;
        assert.equal(kind, "Role", text);
        assert.ok(resourceNames || verbs.every((verb) => verb === "create"), text);
      }
    }
  });

  it("let the concierge sign requests only where it has no key", () => {
    const groups = (manifests: readonly Manifest[]) =>
      new Set(manifests.flatMap(({ rules = [] }) => rules.flatMap(({ apiGroups }) => apiGroups)));
    assert.ok(groups(render()).has("certificates.k8s.io"));
    const withKey = render({ signingSecret: "ca" });
    assert.ok(!groups(withKey).has("certificates.k8s.io"));
    assert.match(JSON.stringify(withKey), /"--signing-secret=ca"/);
  });

  it("put nothing into other namespaces where they are confined to one", () => {
    const outside = (manifests: readonly Manifest[]) =>
      manifests.filter(({ metadata }) => metadata.namespace && metadata.namespace !== "login");
    assert.deepEqual(outside(render({ confined: true })), []);
    assert.deepEqual(outside(render()).map(idOf), [
      "Role/kube-public/rookery-concierge.pinniped.dev",
      "RoleBinding/kube-public/rookery-concierge.pinniped.dev",
      "RoleBinding/kube-system/rookery-concierge.pinniped.dev",
    ]);
  });

  it("are refused with all problems at once", () => {
    const wrong = { apiGroupSuffix: "Nodot", namespace: "kube-system", image: "" };
    assert.throws(
      () => render(wrong),
      (error: InstallError) => {
        assert.ok(error instanceof InstallError);
        assert.equal(error.problems.length, 4, error.message);
        assert.match(error.message, /--api-group-suffix: "Nodot" .*'\.'/);
        assert.match(error.message, /"kube-system" is shared with others/);
        assert.match(error.message, /--image is empty/);
        return true;
      },
    );
  });
});
