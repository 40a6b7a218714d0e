/** All conditions of a provider with their reasons; docs/controllers/provider.md has the same. */
export const reasons = {
  PreflightCheckPassed: {
    PreflightChecksPassed: "Nothing stands against what the spec asks for.",
    SecondInstance:
      "There is another object of this kind and name, and apiGroupSuffix does not tell them apart.",
    WaitingForCoreProvider: "There is no core provider yet; it goes on by itself when there is.",
    CoreProviderNotReady: "The core provider is not ready yet; it goes on by itself when it is.",
    ContractMismatch: "The version abides by another contract than the core provider.",
    ContractChangeBlocked:
      "The version changes the contract, and not all providers are paused and scaled down.",
    UnpauseBlocked: "A provider still abides by another contract than the core provider.",
    InvalidVersion: "spec.version is no version.",
    Downgrade: "spec.version is older than what is installed, by more than patch releases.",
    InvalidFetchConfig: "spec.fetchConfig says nothing that can be fetched from.",
    NotAllowed: "The roles of the operator do not allow what it has to do.",
    InvalidSecretName: "spec.secretName is no name of a Secret in the provider's own namespace.",
    TenantNamespace:
      "The provider is in a namespace that an instance watches, and would take what tenants write there.",
    NamespaceClash: "Another instance of the provider claims the same namespaces.",
    VersionSkew:
      "Instances of the provider name different versions; nothing is changed until they agree.",
    ImageSkew: "Instances of the provider would run different images.",
    WaitingForFirst:
      "The first instance of the provider has to have the version, and be well, before the others follow.",
    RbacNotPossible:
      "The account is to have its rights in spec.watch.namespaces alone, and that is not possible.",
    RecordNotTrusted: "What the operator remembers of the provider was written by somebody else.",
  },
  ProviderFetched: {
    Fetched: "Components and metadata were fetched, rendered and recorded.",
    FetchConfigInvalid: "spec.fetchConfig cannot be used.",
    UnknownProvider: "Nobody knows where a provider of this kind and name is released.",
    VersionNotFound: "The source does not have the version, or not all files of it.",
    AmbiguousVersion: "Several ConfigMaps hold the version.",
    NoVersions: "The source has no version that could be the latest.",
    RateLimited: "The source asks to wait.",
    Unauthorized: "The source does not accept the credentials.",
    SourceUntrusted: "The certificate of the source is not signed by a known authority.",
    SourceUnavailable: "The source could not be reached, or did not answer as it should.",
    SourceRefused:
      "What the source sent is not taken: too large, redirected or changed on its way.",
    SecretNotFound: "The Secret that spec.secretName or spec.fetchConfig names is not there.",
    SecretChanged:
      "The Secret that spec.secretName names is not what the provider was installed with.",
    ManifestsNotFound:
      "The ConfigMap that spec.additionalManifests names is not there, or has no manifests.",
    MissingVariables: "The components need variables that have no value.",
    InvalidSubstitution: "A variable of the components is written wrongly.",
    InvalidComponents: "The components file is no YAML of Kubernetes objects.",
    InvalidMetadata: "metadata.yaml cannot be read.",
    VersionNotInMetadata: "metadata.yaml does not say which contract the version abides by.",
    OutsideNamespace: "Components reach outside of their namespace.",
    UnsupportedKind:
      "Components hold an object of a kind that the API server does not serve or keep.",
    DuplicateObject: "Components hold the same object twice.",
    InvalidObject: "An object of the components is not as Kubernetes wants it.",
    AmbiguousContainer: "Several Deployments have the container that the spec names.",
    ContainerNotFound: "No Deployment has the container that the spec names.",
    DeploymentNotFound: "The components hold no Deployment for what the spec asks of it.",
    UnknownFlag: "The manager does not know a flag that the spec sets, and would not start.",
    InvalidValue: "A field of the spec has a value that cannot be.",
    InvalidImage: "An image is none.",
    PatchRefused:
      "A patch of spec.patches cannot be read, fits no component, or would make another object of one.",
    ScopeNotPossible: "The components cannot be rendered for spec.watch.",
    SuffixNotPossible: "The components cannot be rendered for spec.apiGroupSuffix.",
    CertificateNotPossible:
      "Without cert-manager, a certificate that the components ask for cannot be issued.",
    CertificateSecretUnusable:
      "The Secret that somebody else made for a certificate of the components cannot be used.",
  },
  ProviderInstalled: {
    Installed: "All components of the version are in the cluster.",
    Installing: "Components are being put into the cluster.",
    ObjectOwnedByOther: "A component exists already and belongs to somebody else.",
    StoredVersionDropped:
      "A CustomResourceDefinition no longer has a version that objects are stored in.",
    StoredVersionsNotMigrated:
      "Objects could not be rewritten in the storage version of their CustomResourceDefinition.",
    ApplyFailed: "The API server did not take a component.",
    Removing: "Components of the version before are being removed.",
  },
  ProviderUpgraded: {
    Upgraded: "The change of the spec is done.",
    Upgrading: "A change of the spec is being made.",
    RolledBack:
      "The change failed, and what ran before is back; it is not tried again until the spec changes.",
    RollingBack: "The change failed, and what ran before is coming back.",
    RollBackNotPossible: "The change failed, and what ran before cannot come back.",
    Failed: "The change failed, and the policy says to stay.",
  },
  ProviderAvailable: {
    Available: "All Deployments of the provider are available.",
    WaitingForDeployments: "Deployments are not available yet.",
    DeploymentsUnavailable: "Deployments that were available are not any more.",
    PodsFailing: "Pods do not start, or end again and again.",
    Paused: "The provider is paused, and scaled to 0.",
    WaitingForHandOver:
      "Namespaces that the spec claims are still watched by another instance; it goes on by itself.",
    NotInstalled: "There is nothing that could be available.",
  },
  Ready: {
    Ready: "The provider runs as its spec says.",
  },
  Deleting: {
    UsersUnknown: "It could not be found out whether somebody still uses the provider.",
    InUse: "Workload clusters, or other providers, still use the provider.",
    HandingOver: "Another instance is taking over what all instances of the provider share.",
    RemovingComponents: "Components are being removed.",
    WaitingForFinalizers: "An object was asked to go and is still there.",
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
      "Something that clusterctl installed the provider with is not known, and would be lost with the next change.",
    SpecPartlyIgnored: "Something that the spec asks for is not done; nothing is broken by that.",
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type ConditionType = keyof typeof reasons;

/** A reason of any condition; Ready has those of the condition that it follows. */
export type Reason = { [Type in ConditionType]: keyof (typeof reasons)[Type] }[ConditionType] &
  string;

export const conditionTypes = Object.keys(reasons) as readonly ConditionType[];

/** Reasons why something is not done yet that pass by themselves, or are somebody's wish. */
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
