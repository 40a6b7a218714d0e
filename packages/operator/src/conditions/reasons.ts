/** All conditions of a provider with their reasons; docs/controllers/provider.md has the same. */
export const reasons = {
  PreflightCheckPassed: {
    PreflightChecksPassed: "All preflight checks passed.",
    SecondInstance: "There is another object of this kind and name with the same apiGroupSuffix.",
    WaitingForCoreProvider: "There is no core provider yet; it goes on by itself when there is.",
    CoreProviderNotReady: "The core provider is not ready yet; it goes on by itself when it is.",
    ContractMismatch: "The version has another contract than the core provider.",
    ContractChangeBlocked:
      "The version changes the contract, and not all providers are paused and scaled down.",
    UnpauseBlocked: "A provider still has another contract than the core provider.",
    InvalidVersion: "spec.version is not a version.",
    Downgrade: "spec.version is older than what is installed, by more than patch releases.",
    InvalidFetchConfig: "spec.fetchConfig names no source.",
    NotAllowed: "The roles of the operator do not allow what it has to do.",
    InvalidSecretName:
      "spec.secretName is not the name of a Secret in the provider's own namespace.",
    TenantNamespace:
      "The provider is in a namespace that an instance watches, and would read objects that tenants write.",
    NamespaceClash: "Another instance of the provider claims the same namespaces.",
    VersionSkew:
      "Instances of the provider have different versions; nothing is changed until they are equal.",
    ImageSkew: "Instances of the provider would run different images.",
    WaitingForFirst:
      "The first instance of the provider has to have the version, and be ready, before the others are changed.",
    RbacNotPossible:
      "The account is to have its rights in spec.watch.namespaces alone, and that is not possible.",
    RecordNotTrusted: "The record of the provider was not written by the operator.",
  },
  ProviderFetched: {
    Fetched: "Components and metadata were fetched, rendered and recorded.",
    FetchConfigInvalid: "spec.fetchConfig cannot be used.",
    UnknownProvider: "No source is known for a provider of this kind and name.",
    VersionNotFound: "The source does not have the version, or not all files of it.",
    AmbiguousVersion: "Several ConfigMaps hold the version.",
    NoVersions: "The source has no version that could be the latest.",
    RateLimited: "The source asks to wait.",
    Unauthorized: "The source does not accept the credentials.",
    SourceUntrusted: "The certificate of the source is not signed by a known authority.",
    SourceUnavailable: "The source could not be reached, or did not answer as it should.",
    SourceRefused:
      "The answer of the source was rejected: too large, redirected or changed on its way.",
    SecretNotFound: "The Secret that spec.secretName or spec.fetchConfig names is not there.",
    SecretChanged:
      "The Secret that spec.secretName names has changed since the provider was installed.",
    ManifestsNotFound:
      "The ConfigMap that spec.additionalManifests names is not there, or has no manifests.",
    MissingVariables: "The components need variables that have no value.",
    InvalidSubstitution: "A variable of the components has a syntax error.",
    InvalidComponents: "The components file is not YAML of Kubernetes objects.",
    InvalidMetadata: "metadata.yaml cannot be read.",
    VersionNotInMetadata: "metadata.yaml does not have the contract of the version.",
    OutsideNamespace: "Components reach outside of their namespace.",
    UnsupportedKind:
      "Components hold an object of a kind that the API server does not serve or keep.",
    DuplicateObject: "Components hold the same object twice.",
    InvalidObject: "An object of the components is not valid.",
    AmbiguousContainer: "Several Deployments have the container that the spec names.",
    ContainerNotFound: "No Deployment has the container that the spec names.",
    DeploymentNotFound: "The components have no Deployment for a field of the spec.",
    UnknownFlag: "The manager does not know a flag that the spec sets, and would not start.",
    InvalidValue: "A field of the spec has an invalid value.",
    InvalidImage: "An image is not valid.",
    PatchRefused:
      "A patch of spec.patches cannot be read, fits no component, or would make another object of one.",
    ScopeNotPossible: "The components cannot be rendered for spec.watch.",
    SuffixNotPossible: "The components cannot be rendered for spec.apiGroupSuffix.",
    CertificateNotPossible:
      "Without cert-manager, a certificate that the components ask for cannot be issued.",
    CertificateSecretUnusable:
      "The Secret that a user made for a certificate of the components cannot be used.",
  },
  ProviderInstalled: {
    Installed: "All components of the version are in the cluster.",
    Installing: "Components are being put into the cluster.",
    ObjectOwnedByOther: "A component exists already and belongs to another provider, or to none.",
    StoredVersionDropped:
      "A CustomResourceDefinition no longer has a version that objects are stored in.",
    StoredVersionsNotMigrated:
      "Objects could not be rewritten in the storage version of their CustomResourceDefinition.",
    ApplyFailed: "The API server rejected a component.",
    Removing: "Components of the version before are being removed.",
  },
  ProviderUpgraded: {
    Upgraded: "The change of the spec is done.",
    Upgrading: "A change of the spec is being made.",
    RolledBack:
      "The change failed and was rolled back; it is not tried again until the spec changes.",
    RollingBack: "The change failed and is being rolled back.",
    RollBackNotPossible: "The change failed and cannot be rolled back.",
    Failed: "The change failed, and the policy says to stay.",
  },
  ProviderAvailable: {
    Available: "All Deployments of the provider are available.",
    WaitingForDeployments: "Deployments are not available yet.",
    DeploymentsUnavailable: "Deployments that were available are not any more.",
    PodsFailing: "Pods do not start, or crash repeatedly.",
    Paused: "The provider is paused, and scaled to 0.",
    WaitingForHandOver:
      "Namespaces that the spec claims are still watched by another instance; it goes on by itself.",
    NotInstalled: "No components are installed.",
  },
  Ready: {
    Ready: "The provider runs as its spec says.",
  },
  Deleting: {
    UsersUnknown: "The search for users of the provider failed.",
    InUse: "Workload clusters, or other providers, still use the provider.",
    HandingOver: "Another instance is taking over what all instances of the provider share.",
    RemovingComponents: "Components are being removed.",
    WaitingForFinalizers: "An object is being deleted and still exists.",
  },
  Warning: {
    NamespaceGap:
      "No instance watches a namespace that one claims, or in which there are objects of the provider.",
    NamespacesKept:
      "The instance still watches namespaces that another one claims, which cannot take them yet.",
    ReferencesLeaveScope: "Objects refer to namespaces that their instance does not watch.",
    ClusterRights:
      "The account has its rights in the whole cluster, and spec.watch.rbac does not say so.",
    NamespaceMissing:
      "A namespace that the instance is to have rights in is not there, or is being deleted.",
    SharedCredentials: "The instance reads Secrets of identities outside its own namespace.",
    FlagsAssumed:
      "A field of spec.manager is set by a flag of which nobody knows whether the manager has it.",
    MigrationIncomplete:
      "A setting of the installation by clusterctl is unknown, and would be lost with the next change.",
    SpecPartlyIgnored: "A field of the spec has no effect.",
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type ConditionType = keyof typeof reasons;

/** A reason of any condition; Ready has those of the condition that it follows. */
export type Reason = { [Type in ConditionType]: keyof (typeof reasons)[Type] }[ConditionType] &
  string;

export const conditionTypes = Object.keys(reasons) as readonly ConditionType[];

/** The conditions of phases, in their order. */
export const phaseConditions = [
  "PreflightCheckPassed",
  "ProviderFetched",
  "ProviderInstalled",
  "ProviderUpgraded",
  "ProviderAvailable",
] as const satisfies readonly ConditionType[];

/** Reasons that pass without a change of the spec, or that the spec requests. */
const progress: ReadonlySet<string> = new Set<Reason>([
  "WaitingForCoreProvider",
  "CoreProviderNotReady",
  "WaitingForDeployments",
  "Installing",
  "Removing",
  "Upgrading",
  "Paused",
  "NotInstalled",
  "WaitingForFirst",
  "WaitingForHandOver",
  "HandingOver",
]);

export function isProgress(reason: string): boolean {
  return progress.has(reason);
}
