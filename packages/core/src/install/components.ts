import { coreKinds, customResourceDefinitionOf } from "@rookery/api";
import { addonsGroup, aggregateToManagerLabel, clusterApiGroup } from "@rookery/cluster-api";
import {
  certificateRule,
  eventAndWebhookRules,
  leaseRules,
  managerManifests,
  type PolicyRule,
  policyRule,
  readVerbs,
} from "@rookery/runtime";
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from "../webhooks/configuration.ts";
import { labels, names } from "./names.ts";

/** Providers give their kinds to the core by roles with this label. */
const aggregation = { [aggregateToManagerLabel]: "true" };

/** The rights that the controllers use. */
const clusterRules: readonly PolicyRule[] = [
  policyRule(clusterApiGroup, ["clusters"], [...readVerbs, "patch"]),
  policyRule(clusterApiGroup, ["machines"], [...readVerbs, "patch", "delete"]),
  policyRule(clusterApiGroup, ["clusters/status", "machines/status"], ["patch"]),
  // An owner reference that blocks the deletion of the owner needs this right.
  policyRule(clusterApiGroup, ["clusters/finalizers", "machines/finalizers"], ["update"]),
  policyRule(addonsGroup, ["clusterresourcesets"], [...readVerbs, "patch"]),
  policyRule(addonsGroup, ["clusterresourcesets/status"], ["patch"]),
  policyRule(addonsGroup, ["clusterresourcesets/finalizers"], ["update"]),
  policyRule(
    addonsGroup,
    ["clusterresourcesetbindings"],
    [...readVerbs, "create", "patch", "delete"],
  ),
  // For the kinds of providers without such a role.
  policyRule(
    ["infrastructure", "bootstrap", "controlplane"].map((group) => `${group}.${clusterApiGroup}`),
    ["*"],
    [...readVerbs, "patch", "delete"],
  ),
  policyRule("apiextensions.k8s.io", ["customresourcedefinitions"], readVerbs),
  policyRule("", ["secrets"], [...readVerbs, "create", "patch"]),
  policyRule("", ["configmaps"], [...readVerbs, "patch"]),
  ...eventAndWebhookRules({
    validating: names.validatingConfiguration,
    mutating: names.mutatingConfiguration,
  }),
];

const namespaceRules: readonly PolicyRule[] = [
  policyRule("", ["secrets"], ["create"]),
  certificateRule(names.service),
  ...leaseRules(names.manager),
];

/** Everything that the core consists of, in the order in which it can be applied. */
export function componentManifests(image: string): object[] {
  const { namespace, account, access, workload, webhooks } = managerManifests({
    names,
    labels,
    podLabels: { ...labels, "control-plane": "controller-manager" },
    rules: clusterRules,
    namespaceRules,
    aggregation,
    image,
    args: ["manager", "core", "--leader-elect"],
    pod: { terminationGracePeriodSeconds: 30 },
    webhooks: (address) => [
      validatingWebhookConfiguration(names.validatingConfiguration, address),
      mutatingWebhookConfiguration(names.mutatingConfiguration, address),
    ],
  });
  const kinds = coreKinds.map(customResourceDefinitionOf);
  return [namespace, ...kinds, account, ...access, ...workload, ...webhooks];
}
