import { type KubeObject, restrictedNamespace } from "@rookery/kube";
import type { WebhookConfiguration } from "../webhook/ca-bundle-injector.ts";
import type { WebhookAddress } from "../webhook/validating-configuration.ts";
import { type ManagerMetadata, managerAccount } from "./pods.ts";
import { aggregatedRole, type PolicyRule, role, roleBinding } from "./roles.ts";
import { managerWorkload, type WorkloadOptions } from "./workload.ts";

type Labels = Readonly<Record<string, string>>;

/** What the objects of an installation are called. */
interface ManagerNames {
  readonly namespace: string;
  /** The account and the Deployment. */
  readonly manager: string;
  readonly clusterRole: string;
  readonly role: string;
  /** What the name of a binding has beyond that of its role. */
  readonly bindingSuffix?: string;
  readonly service: string;
}

/** The names that Cluster API's own providers give their objects, with a prefix such as "capv". */
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
  /** What the controllers do in the whole cluster, and nothing else. */
  readonly rules: readonly PolicyRule[];
  /** What they do in the manager's own namespace: its lease, its certificate. */
  readonly namespaceRules: readonly PolicyRule[];
  /** The labels of ClusterRoles by which others give the manager further rights. */
  readonly aggregation?: Labels;
  /** The webhook configurations for an address, without authorities: the manager publishes its own. */
  readonly webhooks?: (address: WebhookAddress) => readonly WebhookConfiguration[];
}

/** The objects of a manager; a provider puts its own kinds and objects between them. */
export interface ManagerManifests {
  /** Keeps to the restricted pod security standard. */
  readonly namespace: KubeObject;
  readonly account: object;
  /** Roles and bindings. */
  readonly access: readonly object[];
  /** Network policy, Service and Deployment. */
  readonly workload: readonly object[];
  readonly webhooks: readonly object[];
}

/** Renders everything that a manager needs in a cluster, besides the kinds that it serves. */
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
  const account: Pick<ManagerMetadata, "name" | "namespace"> = { name: names.manager, namespace };
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
