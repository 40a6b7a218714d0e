import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PolicyRule, parseComponents } from "@rookery/components";
import { clusterScopedRules } from "./cluster-scoped-rules.ts";

const components = parseComponents(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: identities.example.com}
spec: {group: example.com, scope: Cluster, names: {plural: identities}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: eggs.example.com}
spec: {group: example.com, scope: Namespaced, names: {plural: eggs}}
`);
const rbac = "rbac.authorization.k8s.io";
const admission = "admissionregistration.k8s.io";
const webhooks = "validatingwebhookconfigurations";

/** "group/resource[name]: verbs" of each rule that is left. */
function left(...[group, resources, verbs, names]: [string, string[], string[], string[]?]) {
  const named = names && { resourceNames: names };
  const rule: PolicyRule = { apiGroups: [group], resources, verbs, ...named };
  return clusterScopedRules([rule], components).map(
    (one) => `${one.resources}[${one.resourceNames ?? ""}]: ${one.verbs}`,
  );
}

describe("of what a ClusterRole allows, an instance has on kinds in no namespace", () => {
  const rows: Readonly<Record<string, [readonly string[], readonly string[]]>> = {
    "no Secrets and ConfigMaps": [left("", ["secrets", "configmaps"], ["get", "list"]), []],
    "namespaces and nodes to read": [
      left("", ["namespaces", "nodes"], ["*"]),
      ["namespaces[]: get,list,watch", "nodes[]: get,list,watch"],
    ],
    "no users to pose as": [left("", ["users", "groups", "serviceaccounts"], ["impersonate"]), []],
    "no tokens to make": [left("", ["serviceaccounts/token"], ["create"]), []],
    "no proxy to nodes": [left("", ["nodes/proxy"], ["get", "create"]), []],
    "no roles to bind or to write": [
      left(rbac, ["clusterroles", "clusterrolebindings"], ["bind", "escalate", "create", "get"]),
      [],
    ],
    "CustomResourceDefinitions to read": [
      left("apiextensions.k8s.io", ["customresourcedefinitions"], ["get", "update", "patch"]),
      ["customresourcedefinitions[]: get"],
    ],
    "webhook configurations to write by their names": [
      left(admission, [webhooks], ["get", "patch", "delete"], ["mine"]),
      [`${webhooks}[mine]: get,patch`],
    ],
    "webhook configurations to read without names": [
      left(admission, [webhooks], ["get", "patch", "create"]),
      [`${webhooks}[]: get`],
    ],
    "no policies of admission": [left(admission, ["validatingadmissionpolicies"], ["*"]), []],
    "no requests for certificates": [
      left("certificates.k8s.io", ["certificatesigningrequests/approval"], ["update"]),
      [],
    ],
    "reviews, for metrics": [
      left("authentication.k8s.io", ["tokenreviews"], ["create"]),
      ["tokenreviews[]: create"],
    ],
    "its own kinds to change, but none to make or take away": [
      left("example.com", ["identities", "identities/status", "eggs"], ["*"]),
      [
        "identities[]: get,list,watch,patch,update",
        "identities/status[]: get,list,watch,patch,update",
      ],
    ],
    "nothing by a star": [left("*", ["*"], ["*"]), []],
  };
  for (const [what, [found, expected]] of Object.entries(rows)) {
    it(what, () => assert.deepEqual(found, expected));
  }

  it("no URLs", () => {
    const url = { nonResourceURLs: ["/metrics"], verbs: ["get"] } as unknown as PolicyRule;
    assert.deepEqual(clusterScopedRules([url], components), []);
  });
});
