import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inject, injectOne, type Loose, pod } from "../../test/inject/inject.ts";
import { valuesAt } from "./update-at.ts";

const rbac = "rbac.authorization.k8s.io";
const account = `{apiVersion: v1, kind: ServiceAccount, metadata: {name: app, namespace: app-system}}`;
const service = `{apiVersion: v1, kind: Service, metadata: {name: hooks, namespace: app-system}, spec: {selector: {app: app}, ports: [{port: 443, targetPort: 9443}]}}`;

describe("the namespace", () => {
  const followed: Record<
    string,
    { readonly of: string; readonly path: string; readonly is: string }
  > = {
    "of an object": { of: account, path: "metadata.namespace", is: "team1" },
    "of an object that leaves it to kubectl": {
      of: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`,
      path: "metadata.namespace",
      is: "team1",
    },
    "that is an object itself": {
      of: `{apiVersion: v1, kind: Namespace, metadata: {name: app-system}}`,
      path: "metadata.name",
      is: "team1",
    },
    "of a subject": {
      of: `{apiVersion: ${rbac}/v1, kind: ClusterRoleBinding, metadata: {name: b}, roleRef: {}, subjects: [{kind: ServiceAccount, name: app, namespace: app-system}]}`,
      path: "subjects[].namespace",
      is: "team1",
    },
    "of an account that is named as a user": {
      of: `{apiVersion: ${rbac}/v1, kind: ClusterRoleBinding, metadata: {name: b}, roleRef: {}, subjects: [{kind: User, name: "system:serviceaccount:app-system:app"}]}`,
      path: "subjects[].name",
      is: "system:serviceaccount:team1:app",
    },
    "of all accounts that are named as a group": {
      of: `{apiVersion: ${rbac}/v1, kind: ClusterRoleBinding, metadata: {name: b}, roleRef: {}, subjects: [{kind: Group, name: "system:serviceaccounts:app-system"}]}`,
      path: "subjects[].name",
      is: "system:serviceaccounts:team1",
    },
    "in rights that are given by its name": {
      of: `{apiVersion: ${rbac}/v1, kind: ClusterRole, metadata: {name: r}, rules: [{apiGroups: [""], resources: [namespaces], resourceNames: [app-system], verbs: [get]}]}`,
      path: "rules[].resourceNames[]",
      is: "team1",
    },
    "of the Service of an APIService": {
      of: `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.aviary.example.com}, spec: {group: aviary.example.com, version: v1, service: {name: hooks, namespace: app-system}}}`,
      path: "spec.service.namespace",
      is: "team1",
    },
    "of the Service of a webhook": {
      of: `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: w}, webhooks: [{name: a.b.c, clientConfig: {service: {name: hooks, namespace: app-system}}}]}`,
      path: "webhooks[].clientConfig.service.namespace",
      is: "team1",
    },
    "in the DNS names of a certificate": {
      of: `{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: c}, spec: {secretName: cert, dnsNames: [hooks.app-system.svc]}}`,
      path: "spec.dnsNames[]",
      is: "hooks.team1.svc",
    },
    "by which a selector means the app's own": {
      of: `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p}, spec: {ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: app-system}}}]}]}}`,
      path: "spec.ingress[].from[].namespaceSelector.matchLabels",
      is: "team1",
    },
  };
  for (const [sentence, { of, path, is }] of Object.entries(followed)) {
    it(`is the instance's ${sentence}`, () => {
      const rendered = injectOne([of, account, service, pod()], { webhookSecret: "cert" });
      const [found] = valuesAt(rendered, path);
      assert.equal(typeof found === "string" ? found : Object.values(found as object)[0], is);
    });
  }

  it("is the instance's in the annotations from which a CA is injected", () => {
    const annotated = `{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.aviary.example.com, annotations: {cert-manager.io/inject-ca-from: app-system/cert}}, spec: {group: aviary.example.com}}`;
    const rendered: Loose = injectOne([annotated, pod()]);
    assert.equal(rendered.metadata.annotations["cert-manager.io/inject-ca-from"], "team1/cert");
  });

  it("is the instance's where a selector lists names", () => {
    const policy = `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p}, spec: {podSelector: {matchExpressions: [{key: other, values: [app-system]}]}, ingress: [{from: [{namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [app-system, x]}]}}]}]}}`;
    const rendered: Loose = injectOne([policy, pod()]);
    const [{ from }] = rendered.spec.ingress;
    assert.deepEqual(from[0].namespaceSelector.matchExpressions[0].values, ["team1", "x"]);
    assert.deepEqual(rendered.spec.podSelector.matchExpressions[0].values, ["app-system"]);
  });

  it("is the instance's in flags, variables and DNS names of containers, and there alone", () => {
    const args =
      "[--namespace=app-system, --leader-election-namespace, app-system, --host=hooks.app-system.svc:443, --other=app-system, other-hooks.app-system.svc]";
    const env =
      "[{name: WATCH_NAMESPACE, value: app-system}, {name: NAME, value: app-system}, {name: URL, value: 'https://hooks.app-system.svc.cluster.local'}]";
    const deployment = pod().replace("image: app", `image: app, args: ${args}, env: ${env}`);
    const rendered: Loose = injectOne([deployment, service]);
    const [container] = rendered.spec.template.spec.containers;
    assert.deepEqual(container.args, [
      "--namespace=team1",
      "--leader-election-namespace",
      "team1",
      "--host=hooks.team1.svc:443",
      "--other=app-system",
      "other-hooks.app-system.svc",
    ]);
    assert.deepEqual(
      container.env.slice(0, 3).map((variable: Loose) => variable.value),
      ["team1", "app-system", "https://hooks.team1.svc.cluster.local"],
    );
  });

  it("is not looked for in what is text to Kubernetes", () => {
    const config = `{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {namespace: app-system}}`;
    const rendered: Loose = injectOne([config, pod()]);
    assert.deepEqual(rendered.data, { namespace: "app-system" });
  });

  it("is found by an account among the manifests where the pods leave it to kubectl", () => {
    const bare = account.replace(", namespace: app-system", "");
    const binding = `{apiVersion: ${rbac}/v1, kind: ClusterRoleBinding, metadata: {name: b}, roleRef: {}, subjects: [{kind: ServiceAccount, name: app, namespace: app-system}]}`;
    const rendered: Loose = injectOne([
      binding,
      bare,
      pod().replace(", namespace: app-system", ""),
    ]);
    assert.equal(rendered.subjects[0].namespace, "team1");
  });

  it("is one for all pods", () => {
    const other = pod().replace("name: app, namespace: app-system", "name: b, namespace: other");
    assert.throws(() => inject([pod(), other]), {
      document: "Deployment other/b",
      message: /other pods of the app are in namespace app-system; an instance lives in one/,
    });
  });

  it("stays where the manifests say unless another is given, with a warning", () => {
    const { documents, warnings } = inject([pod()], { namespace: "app-system" });
    assert.equal((documents[0] as Loose).metadata.namespace, "app-system");
    assert.match(
      warnings[0] ?? "",
      /^instance team1 lives in the namespace app-system: another instance there would use the same Leases/,
    );
  });
});
