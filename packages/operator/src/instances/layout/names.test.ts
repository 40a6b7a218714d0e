import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseComponents } from "@rookery/components";
import type { InstanceLayout } from "../../state/install-state.ts";
import { instanceComponents } from "./instance-components.ts";

const configuration = "nests-validation";
const instance = { name: "nests", label: "infrastructure-nests", flags: {} };
const every = { type: "all" } as const;
const first: InstanceLayout = {
  scope: every,
  by: "flag",
  first: true,
  admits: every,
  rbac: "Cluster",
  accounts: ["nests1", "nests2"],
};

/** A provider that publishes the authority of its webhooks itself. */
const components = parseComponents(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: nests}
rules:
- {apiGroups: [admissionregistration.k8s.io], resources: [validatingwebhookconfigurations], verbs: [patch], resourceNames: [${configuration}, others]}
- {apiGroups: [""], resources: [configmaps], verbs: [get], resourceNames: [${configuration}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: nests}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: nests}
subjects: [{kind: ServiceAccount, name: nests, namespace: nests1}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: nests, namespace: nests1}
spec:
  template:
    spec: {containers: [{name: manager, args: [--leader-elect, --publish=${configuration}, ${configuration}, --x=my-${configuration}]}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: ${configuration}}
webhooks: []
`);

const rulesOf = (layout: InstanceLayout, role = "nests") => {
  const laid = instanceComponents(components, layout, { ...instance, namespace: "nests1" });
  const found = laid.find(({ kind, metadata }) => kind === "ClusterRole" && metadata.name === role);
  return (found as unknown as { rules: { resourceNames?: string[] }[] }).rules;
};

describe("a provider that publishes the authority of its webhooks itself", () => {
  it("is told what the webhook configuration of its instance is called", () => {
    const laid = instanceComponents(components, first, { ...instance, namespace: "nests1" });
    assert.partialDeepStrictEqual(laid.find(({ kind }) => kind === "Deployment")?.spec, {
      template: {
        spec: {
          containers: [
            {
              args: [
                "--leader-elect",
                `--publish=${configuration}-nests1`,
                `${configuration}-nests1`,
                `--x=my-${configuration}`,
              ],
            },
          ],
        },
      },
    });
  });

  it("has rights on those of all instances that share its ClusterRole, and on nothing else", () => {
    assert.deepEqual(
      rulesOf(first).map(({ resourceNames }) => resourceNames),
      [[`${configuration}-nests1`, `${configuration}-nests2`, "others"], [configuration]],
    );
  });

  it("never has rights on all because no instance shares the ClusterRole", () => {
    const [rule] = rulesOf({ ...first, accounts: [] });
    assert.deepEqual(rule?.resourceNames, [configuration, "others"]);
  });

  it("with rights in its namespaces alone has rights on its own", () => {
    const scope = { type: "namespaces", namespaces: ["a"] } as const;
    const finer: InstanceLayout = { ...first, scope, rbac: "Namespaced", accounts: [] };
    const [rule] = rulesOf(finer, "nests:nests1");
    assert.deepEqual(rule?.resourceNames, [`${configuration}-nests1`, "others"]);
  });
});
