/**
 * Every kind that Rookery serves, declared once: from a declaration come the TypeScript type, the
 * CustomResourceDefinition, and the defaults and the validation that the API server applies too.
 *
 * `kinds/` holds the declarations, one file each; `declaration/` the words they are written in.
 * `generated/` has the types of the kinds that Kubernetes has compiled in, from its OpenAPI documents.
 */
export { list, listMap, map, object } from "./declaration/collections.ts";
export { ageColumn, conditionColumn, countColumn, textColumn } from "./declaration/columns.ts";
export type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  PrinterColumn,
} from "./declaration/custom-resource-definition.ts";
export { optional, required } from "./declaration/fields.ts";
export { conditions, templateSpec } from "./declaration/fragments.ts";
export type { Kind, ManifestOf, ObjectOf, VersionOf } from "./declaration/kind.ts";
export { defineKind, resourceOf } from "./declaration/kind.ts";
export { customResourceDefinitionOf } from "./declaration/render.ts";
export { boolean, enumeration, integer, string } from "./declaration/scalars.ts";
export { DeclarationError } from "./errors.ts";
export type * from "./generated/built-in-types.ts";
export type {
  CustomResourceDefinition as BuiltInCustomResourceDefinition,
  CustomResourceDefinitionVersion as BuiltInCustomResourceDefinitionVersion,
} from "./generated/built-in-types.ts";
export {
  type CredentialIssuer,
  type CredentialIssuerManifest,
  credentialIssuer,
} from "./kinds/concierge/credential-issuer.ts";
export {
  type JWTAuthenticator,
  type JWTAuthenticatorManifest,
  jwtAuthenticator,
} from "./kinds/concierge/jwt-authenticator.ts";
export {
  type WebhookAuthenticator,
  type WebhookAuthenticatorManifest,
  webhookAuthenticator,
} from "./kinds/concierge/webhook-authenticator.ts";
export { type Cluster, type ClusterManifest, cluster } from "./kinds/core/cluster.ts";
export {
  type ClusterResourceSet,
  type ClusterResourceSetBinding,
  type ClusterResourceSetManifest,
  clusterResourceSet,
  clusterResourceSetBinding,
} from "./kinds/core/cluster-resource-set.ts";
export { type Machine, type MachineManifest, machine } from "./kinds/core/machine.ts";
export { coreKinds, customResourceDefinitions, kinds } from "./kinds/kinds.ts";
export type { ImageMeta } from "./kinds/management/deployment-spec.ts";
export {
  addonProvider,
  bootstrapProvider,
  controlPlaneProvider,
  coreProvider,
  infrastructureProvider,
  ipamProvider,
  type Provider,
  type ProviderManifest,
  providerKinds,
  runtimeExtensionProvider,
} from "./kinds/management/providers.ts";
export {
  type NestedAPIServer,
  type NestedAPIServerManifest,
  nestedAPIServer,
} from "./kinds/nested/api-server.ts";
export {
  type NestedCluster,
  type NestedClusterManifest,
  type NestedClusterTemplate,
  nestedCluster,
  nestedClusterTemplate,
} from "./kinds/nested/cluster.ts";
export type { ComponentPatch } from "./kinds/nested/component-fields.ts";
export {
  type NestedControlPlane,
  type NestedControlPlaneManifest,
  type NestedControlPlaneTemplate,
  nestedControlPlane,
  nestedControlPlaneTemplate,
} from "./kinds/nested/control-plane.ts";
export {
  type NestedControllerManager,
  type NestedControllerManagerManifest,
  nestedControllerManager,
} from "./kinds/nested/controller-manager.ts";
export { type NestedEtcd, type NestedEtcdManifest, nestedEtcd } from "./kinds/nested/etcd.ts";
export {
  allowedNamespacesText,
  isEveryNamespaceAllowed,
  isNamespaceAllowed,
  isSelectorValid,
} from "./kinds/vsphere/allowed-namespaces.ts";
export {
  type VSphereCluster,
  type VSphereClusterManifest,
  type VSphereClusterTemplate,
  vsphereCluster,
  vsphereClusterTemplate,
} from "./kinds/vsphere/cluster.ts";
export {
  type VSphereClusterIdentity,
  type VSphereClusterIdentityManifest,
  vsphereClusterIdentity,
} from "./kinds/vsphere/cluster-identity.ts";
export {
  type VSphereMachine,
  type VSphereMachineManifest,
  type VSphereMachineTemplate,
  vsphereMachine,
  vsphereMachineTemplate,
} from "./kinds/vsphere/machine.ts";
export { type VSphereVM, type VSphereVMManifest, vsphereVm } from "./kinds/vsphere/vm.ts";
