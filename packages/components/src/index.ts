/**
 * Provider components, from repositories to the objects to apply: they are fetched, their variables
 * replaced, their YAML read, and rendered for a provider's spec.
 *
 * Input and output are plain data; only `repositories/` uses a network. All problems are reported
 * together, as typed values for conditions and messages. The rules are clusterctl's.
 */
export {
  type CertificateNeed,
  certManagerNeeds,
  isCertManagerObject,
  withCaBundle,
} from "./cert-manager/certificates.ts";
export {
  isContractCompatible,
  versionChange,
} from "./contracts/contracts.ts";
export { type Component, parseComponents, parseDocuments } from "./documents/documents.ts";
export { formatGoDocuments } from "./documents/go-documents.ts";
export type { Problem, ProblemReason } from "./errors.ts";
export {
  DocumentError,
  FetchError,
  type FetchReason,
  ImageError,
  MetadataError,
  MissingVariablesError,
  RenderError,
  SettingsError,
  SubstitutionError,
  VersionError,
} from "./errors.ts";
export {
  type ManagerFlags,
  managerFlags,
  type ScopeFlags,
  scopeFlagsOf,
} from "./flags/manager-flags.ts";
export {
  type ComponentKey,
  componentKeyOf,
  contentHash,
  formatComponentKey,
  type Inventory,
  type InventoryEntry,
  inventoryOf,
} from "./inventory/inventory.ts";
export {
  type DeletionPolicy,
  diffInventories,
  planDeletion,
  planUpgrade,
  type UpgradePlan,
} from "./inventory/plan.ts";
export {
  contractOf,
  type Metadata,
  parseMetadata,
} from "./metadata/metadata.ts";
export {
  defaultProviders,
  defaultProviderUrl,
} from "./providers/default-providers.ts";
export {
  clusterctlProvider,
  componentLabels,
  defaultComponentsFile,
  type ProviderIdentity,
  type ProviderKind,
  providerKindNames,
  providerLabel,
} from "./providers/provider.ts";
export { applierRules, type PolicyRule } from "./rbac/applier-rules.ts";
export { patchProblem } from "./render/apply-patches.ts";
export { flagsOf, withRepeatedFlag } from "./render/arguments.ts";
export {
  type Binding,
  type Container,
  containersOf,
  isBinding,
  isCrd,
  isWebhookConfiguration,
  isWorkload,
  type Workload,
} from "./render/component-shapes.ts";
export {
  type Image,
  type ImageOverrides,
  imageOverridesFor,
  imagesOf,
  isImage,
  overrideImage,
  parseImage,
} from "./render/image.ts";
export {
  type ComponentKind,
  componentKinds,
  guessedKinds,
  installStages,
  isExternal,
  ofExternalKinds,
  type ServedKind,
  type Stage,
} from "./render/known-kinds.ts";
export { type RenderInput, type Rendering, renderComponents } from "./render/render.ts";
export {
  type ConfigMap,
  type ConfigMapSource,
  configMapOf,
  listConfigMaps,
} from "./repositories/config-map-repository.ts";
export { dockerCredentials } from "./repositories/docker-config.ts";
export { Downloader, type DownloaderOptions } from "./repositories/downloader.ts";
export { latestVersion } from "./repositories/latest-version.ts";
export {
  fetchVariables,
  openRepository,
} from "./repositories/open-repository.ts";
export { metadataFile, type ProviderFiles, type Repository } from "./repositories/repository.ts";
export {
  type ClusterctlSettings,
  type ConfiguredProvider,
  noSettings,
  parseClusterctlSettings,
} from "./settings/clusterctl-settings.ts";
export type {
  ContainerSpec,
  DeploymentSpec,
  FetchConfiguration,
  ManagerSpec,
  ProviderSpec,
} from "./spec/provider-spec.ts";
export {
  inspectVariables,
  lookupIn,
  replaceVariables,
  type Variable,
  type VariableLookup,
} from "./variables/variables.ts";
export {
  compareVersions,
  parseProviderVersion,
  parseVersion,
  tryParseVersion,
} from "./versions/semantic-version.ts";
