import { type KubeObject, restrictedNamespace } from "@rookery/kube";
import type { WebhookConfiguration } from "../webhook/ca-bundle-injector.ts";
import type { WebhookAddress } from "../webhook/configuration.ts";
import { managerAccount } from "./pods.ts";
import { aggregatedRole, type PolicyRule, role, roleBinding } from "./roles.ts";
import { managerWorkload, type WorkloadOptions } from "./workload.ts";

type Labels = Readonly<Record<string, string>>;

/** The names of the objects of an installation. */
interface ManagerNames {
  readonly namespace: string;
  /** The account and the Deployment. */
  readonly manager: string;
  readonly clusterRole: string;
  readonly role: string;
  /** The suffix of bindings after the name of their role. */
  readonly bindingSuffix?: string;
  readonly service: string;
}

/** Names as in Cluster API's own providers, with a prefix such as "capv". */
export function providerNames(prefix: string, manager = `${prefix}-controller-manager`) {
  return {
    namespace: `${prefix}-system`,
    manager,
    clusterRole: `${prefix}-manager-role`,
    role: `${prefix}-leader-election-role`,
    bindingSuffix: "binding",
    service: `${prefix}-webhook-service`,
    validatingConfiguration: `${prefix}-validating-webhook-configuration`,
    mutatingConfiguration: `${prefix}-mutating-webhook-configuration`,
  } as const satisfies ManagerNames & Readonly<Record<string, string>>;
}

export interface ManagerManifestOptions extends Omit<WorkloadOptions, "service"> {
  readonly names: ManagerNames;
  /** On every object. */
  readonly labels: Labels;
  /** The rules of the controllers in the whole cluster. */
  readonly rules: readonly PolicyRule[];
  /** The rules in the manager's own namespace: for its lease and its certificate. */
  readonly namespaceRules: readonly PolicyRule[];
  /** The labels of ClusterRoles that give the manager further rights. */
  readonly aggregation?: Labels;
  /** The webhook configurations for an address, without authorities, which the manager writes. */
  readonly webhooks?: (address: WebhookAddress) => readonly WebhookConfiguration[];
}

/** The objects of a manager; a provider adds its own kinds and objects between them. */
export interface ManagerManifests {
  /** With the restricted pod security standard. */
  readonly namespace: KubeObject;
  readonly account: object;
  /** Roles and bindings. */
  readonly access: readonly object[];
  /** Network policy, Service and Deployment. */
  readonly workload: readonly object[];
  readonly webhooks: readonly object[];
}

/** Renders all objects of a manager, except its kinds. */
export function managerManifests(options: ManagerManifestOptions): ManagerManifests {
  const { names, labels, webhooks } = options;
  const { namespace, manager: name, service } = names;
  const configurations = webhooks?.({ service: { namespace, name: service } }) ?? [];
  return {
    namespace: restrictedNamespace(namespace, labels),
    account: managerAccount({ name, namespace, labels }),
    access: access(options),
    workload: managerWorkload({ namespace, labels, name }, { ...options, service }),
    webhooks: configurations.map(({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, labels },
    })),
  };
}

function access(options: ManagerManifestOptions): object[] {
  const { names, labels, rules, namespaceRules, aggregation } = options;
  const { namespace, bindingSuffix = "" } = names;
  const account = { name: names.manager, namespace };
  const clusterWide = { name: names.clusterRole, labels };
  const own = { name: names.role, namespace, labels };
  const ownRules = { name: `${names.clusterRole}-own`, labels: { ...labels, ...aggregation } };
  return [
    ...(aggregation
      ? [aggregatedRole(clusterWide, aggregation), role(ownRules, rules)]
      : [role(clusterWide, rules)]),
    roleBinding(clusterWide, account, bindingSuffix),
    role(own, namespaceRules),
    roleBinding(own, account, bindingSuffix),
  ];
}
