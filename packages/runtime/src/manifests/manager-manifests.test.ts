import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import {
  type ManagerManifestOptions,
  managerManifests,
  providerNames,
} from "./manager-manifests.ts";
import { policyRule } from "./roles.ts";

const labels = { app: "thing" };

function rendered(changes: Partial<ManagerManifestOptions> = {}) {
  const all = managerManifests({
    names: providerNames("thing"),
    labels,
    rules: [policyRule("", ["pods"], ["get"])],
    namespaceRules: [],
    image: "rookery:1",
    args: ["manager", "thing"],
    ...changes,
  });
  const { namespace, account, access, workload, webhooks } = all;
  return [namespace, account, ...access, ...workload, ...webhooks] as KubeObject[];
}

const idsOf = (manifests: readonly KubeObject[]) =>
  manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe("the manifests of a manager", () => {
  it("are a namespace, an account with its rights, and pods that a Service leads to", () => {
    assert.deepEqual(idsOf(rendered()), [
      "Namespace thing-system",
      "ServiceAccount thing-controller-manager",
      "ClusterRole thing-manager-role",
      "ClusterRoleBinding thing-manager-rolebinding",
      "Role thing-leader-election-role",
      "RoleBinding thing-leader-election-rolebinding",
      "NetworkPolicy thing-controller-manager",
      "Service thing-webhook-service",
      "Deployment thing-controller-manager",
    ]);
  });

  it("have the labels of the manager, each of them", () => {
    for (const { kind, metadata } of rendered()) {
      assert.equal(metadata.labels?.app, "thing", `${kind} ${metadata.name}`);
    }
  });

  it("gather the rights that others give where a label says which", () => {
    const roles = rendered({ aggregation: { "aggregate-to": "thing" } }).filter(
      ({ kind }) => kind === "ClusterRole",
    );
    assert.deepEqual(idsOf(roles), [
      "ClusterRole thing-manager-role",
      "ClusterRole thing-manager-role-own",
    ]);
    assert.equal(roles[1]?.metadata.labels?.["aggregate-to"], "thing");
  });

  it("open the port that the Service leads to, under the name that it is given", () => {
    const text = JSON.stringify(rendered({ servedPort: { name: "https", number: 10_250 } }));
    assert.match(text, /"name":"https","containerPort":10250/);
    assert.match(text, /"targetPort":"https"/);
    assert.doesNotMatch(text, /webhook-server/);
  });

  it("mount folders, which need not be there, in the container", () => {
    const mounts = [{ name: "settings", folder: "/etc/thing", configMap: "thing-config" }];
    const text = JSON.stringify(rendered({ mounts }));
    assert.match(text, /"configMap":\{"name":"thing-config","optional":true\}/);
    assert.match(text, /"mountPath":"\/etc\/thing","readOnly":true/);
  });
});
