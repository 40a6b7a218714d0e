import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inject, injectOne, type Loose, pod } from "../../test/inject/inject.ts";
import { valuesAt } from "./update-at.ts";

const rbac = "rbac.authorization.k8s.io";
const role = `{apiVersion: ${rbac}/v1, kind: ClusterRole, metadata: {name: app}, rules: []}`;
const webhooks = (kind: string) =>
  `{apiVersion: admissionregistration.k8s.io/v1, kind: ${kind}, metadata: {name: app}, webhooks: []}`;
const named = (apiVersion: string, kind: string) =>
  `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: app}}`;

describe("the name of a cluster-scoped object", () => {
  const suffixed: Record<string, string> = {
    ClusterRole: role,
    ClusterRoleBinding: `{apiVersion: ${rbac}/v1, kind: ClusterRoleBinding, metadata: {name: app}, roleRef: {}}`,
    ValidatingWebhookConfiguration: webhooks("ValidatingWebhookConfiguration"),
    MutatingWebhookConfiguration: webhooks("MutatingWebhookConfiguration"),
    ValidatingAdmissionPolicy: named(
      "admissionregistration.k8s.io/v1",
      "ValidatingAdmissionPolicy",
    ),
    PriorityClass: named("scheduling.k8s.io/v1", "PriorityClass"),
    StorageClass: named("storage.k8s.io/v1", "StorageClass"),
    IngressClass: named("networking.k8s.io/v1", "IngressClass"),
    ClusterIssuer: named("cert-manager.io/v1", "ClusterIssuer"),
  };
  for (const [kind, manifest] of Object.entries(suffixed)) {
    it(`ends with the instance's, of a ${kind}`, () => {
      assert.equal(injectOne([manifest]).metadata.name, "app-team1");
    });
  }

  it("ends with the instance's where the server makes it", () => {
    const generated = `{apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {generateName: app-}}`;
    assert.equal(injectOne([generated]).metadata.generateName, "app--team1");
  });

  it("ends with the instance's, of a kind that others define and only the caller knows", () => {
    const kind = { group: "runtime.example", kind: "Hook", plural: "hooks" };
    const hook = named("runtime.example/v1", "Hook");
    const hooks = `{apiVersion: ${rbac}/v1, kind: ClusterRole, metadata: {name: b}, rules: [{apiGroups: [runtime.example], resources: [hooks], resourceNames: [app]}]}`;
    const [renamed, rights] = inject([hook, hooks], { clusterScopedKinds: [kind] })
      .documents as Loose[];
    assert.deepEqual(
      [renamed.metadata.name, renamed.metadata.namespace, rights.rules[0].resourceNames[0]],
      ["app-team1", undefined, "app-team1"],
    );
  });

  it("stays where its group is renamed, whoever defines its kind", () => {
    const kind = { group: "aviary.example.com", kind: "Hook", plural: "hooks" };
    const hook = named("aviary.example.com/v1", "Hook");
    const { apiVersion, metadata } = injectOne([hook], { clusterScopedKinds: [kind] });
    assert.deepEqual([apiVersion, metadata.name], ["aviary.team1.example.com/v1", "app"]);
    assert.equal(metadata.namespace, undefined);
  });

  it("is refused where it says what the object stands for", () => {
    assert.throws(() => inject([named("storage.k8s.io/v1", "CSIDriver")]), {
      code: "UnsafeManifest",
      document: "CSIDriver app",
    });
  });

  it("is refused where it becomes too long", () => {
    const long = named("scheduling.k8s.io/v1", "PriorityClass").replace("app", "a".repeat(250));
    assert.throws(() => inject([long]), /would be longer than 253 characters; take shorter names/);
  });
});

describe("a reference to a cluster-scoped object", () => {
  const storage = named("storage.k8s.io/v1", "StorageClass");
  const cases: Record<string, { readonly of: readonly string[]; readonly path: string }> = {
    "in the roleRef of a ClusterRoleBinding": {
      of: [
        `{apiVersion: ${rbac}/v1, kind: ClusterRoleBinding, metadata: {name: b}, roleRef: {apiGroup: ${rbac}, kind: ClusterRole, name: app}}`,
        role,
      ],
      path: "roleRef.name",
    },
    "in the roleRef of a RoleBinding": {
      of: [
        `{apiVersion: ${rbac}/v1, kind: RoleBinding, metadata: {name: b}, roleRef: {apiGroup: ${rbac}, kind: ClusterRole, name: app}}`,
        role,
      ],
      path: "roleRef.name",
    },
    "in rights that are given by name": {
      of: [
        `{apiVersion: ${rbac}/v1, kind: ClusterRole, metadata: {name: r}, rules: [{apiGroups: [admissionregistration.k8s.io], resources: [validatingwebhookconfigurations], resourceNames: [app], verbs: [patch]}]}`,
        webhooks("ValidatingWebhookConfiguration"),
      ],
      path: "rules[].resourceNames[]",
    },
    "in the priorityClassName of pods": {
      of: [pod("priorityClassName: app"), named("scheduling.k8s.io/v1", "PriorityClass")],
      path: "spec.template.spec.priorityClassName",
    },
    "in the storageClassName of a claim": {
      of: [
        `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {storageClassName: app}}`,
        storage,
      ],
      path: "spec.storageClassName",
    },
    "in the claims of a StatefulSet": {
      of: [
        `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {volumeClaimTemplates: [{spec: {storageClassName: app}}]}}`,
        storage,
      ],
      path: "spec.volumeClaimTemplates[].spec.storageClassName",
    },
    "in the ingressClassName of an Ingress": {
      of: [
        `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: i}, spec: {ingressClassName: app}}`,
        named("networking.k8s.io/v1", "IngressClass"),
      ],
      path: "spec.ingressClassName",
    },
    "in the policyName of a binding": {
      of: [
        `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: b}, spec: {policyName: app}}`,
        named("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"),
      ],
      path: "spec.policyName",
    },
    "in the issuerRef of a Certificate": {
      of: [
        `{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: c}, spec: {issuerRef: {kind: ClusterIssuer, name: app}}}`,
        named("cert-manager.io/v1", "ClusterIssuer"),
      ],
      path: "spec.issuerRef.name",
    },
  };
  for (const [sentence, { of, path }] of Object.entries(cases)) {
    it(`is followed ${sentence}`, () => {
      assert.deepEqual(valuesAt(injectOne(of), path), ["app-team1"]);
    });
    it(`stays ${sentence} where the object is none of the app's`, () => {
      assert.deepEqual(valuesAt(injectOne(of.slice(0, 1)), path), ["app"]);
    });
  }

  it("is not mistaken for one of another kind", () => {
    const binding = `{apiVersion: ${rbac}/v1, kind: RoleBinding, metadata: {name: b}, roleRef: {apiGroup: ${rbac}, kind: Role, name: app}}`;
    const rendered: Loose = injectOne([binding, role]);
    assert.equal(rendered.roleRef.name, "app");
  });
});

describe("a Role outside of the app's namespace", () => {
  const binding = `{apiVersion: ${rbac}/v1, kind: RoleBinding, metadata: {name: app-reader, namespace: kube-system}, roleRef: {apiGroup: ${rbac}, kind: Role, name: extension-apiserver-authentication-reader}, subjects: [{kind: ServiceAccount, name: app, namespace: app-system}]}`;

  it("stays there under a name of the instance's, for the account where it is now", () => {
    const rendered: Loose = injectOne([binding, pod()]);
    assert.equal(rendered.metadata.namespace, "kube-system");
    assert.equal(rendered.metadata.name, "app-reader-team1");
    assert.equal(rendered.roleRef.name, "extension-apiserver-authentication-reader");
    assert.equal(rendered.subjects[0].namespace, "team1");
  });

  it("is the only kind that may be there", () => {
    const config = `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: kube-system}}`;
    assert.throws(() => inject([config, pod()]), {
      document: "ConfigMap kube-system/c",
      message: /it lives outside of the app's own namespace, where all instances would share it/,
    });
  });
});
