import type { CustomResourceDefinition } from "../declaration/custom-resource-definition.ts";
import type { Kind } from "../declaration/kind.ts";
import { customResourceDefinitionOf } from "../declaration/render.ts";
import { credentialIssuer } from "./concierge/credential-issuer.ts";
import { jwtAuthenticator } from "./concierge/jwt-authenticator.ts";
import { webhookAuthenticator } from "./concierge/webhook-authenticator.ts";
import { cluster } from "./core/cluster.ts";
import { clusterResourceSet, clusterResourceSetBinding } from "./core/cluster-resource-set.ts";
import { machine } from "./core/machine.ts";
import { providerKinds } from "./management/providers.ts";
import { nestedAPIServer } from "./nested/api-server.ts";
import { nestedCluster, nestedClusterTemplate } from "./nested/cluster.ts";
import { nestedControlPlane, nestedControlPlaneTemplate } from "./nested/control-plane.ts";
import { nestedControllerManager } from "./nested/controller-manager.ts";
import { nestedEtcd } from "./nested/etcd.ts";
import { vsphereCluster, vsphereClusterTemplate } from "./vsphere/cluster.ts";
import { vsphereClusterIdentity } from "./vsphere/cluster-identity.ts";
import { vsphereMachine, vsphereMachineTemplate } from "./vsphere/machine.ts";
import { vsphereVm } from "./vsphere/vm.ts";

/**
 * The kinds of Cluster API's core that the embedded mode serves. They are not among `kinds`: on a real
 * cluster they belong to the real core, and applying all of ours must not replace them.
 */
export const coreKinds: readonly Kind[] = [
  cluster,
  clusterResourceSet,
  clusterResourceSetBinding,
  machine,
];

/** Every kind that Rookery serves. */
export const kinds: readonly Kind[] = [
  credentialIssuer,
  jwtAuthenticator,
  nestedAPIServer,
  nestedCluster,
  nestedClusterTemplate,
  nestedControlPlane,
  nestedControlPlaneTemplate,
  nestedControllerManager,
  nestedEtcd,
  ...providerKinds,
  vsphereCluster,
  vsphereClusterIdentity,
  vsphereClusterTemplate,
  vsphereMachine,
  vsphereMachineTemplate,
  vsphereVm,
  webhookAuthenticator,
];

/** The CustomResourceDefinitions of all kinds, as plain JSON, in the order of their names. */
export function customResourceDefinitions(): CustomResourceDefinition[] {
  return kinds
    .map(customResourceDefinitionOf)
    .sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
}
