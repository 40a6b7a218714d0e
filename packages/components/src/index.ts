/**
 * Provider components, from the source to what is applied: fetched from where they are released,
 * their variables replaced, their YAML read, rendered for a provider's spec, ordered and counted.
 *
 * All of it is plain data in and out; only `repositories/` talks to a network. What is wrong is told
 * all at once, in typed problems that a controller turns into conditions and a command into lines.
 * The rules are clusterctl's wherever it has one.
 */
export {
  type ContractPolicy,
  isContractCompatible,
  type VersionChange,
  versionChange,
} from "./contracts/contracts.ts";
export { type Component, parseComponents } from "./documents/documents.ts";
export { formatDocuments } from "./documents/write-documents.ts";
export {
  DocumentError,
  FetchError,
  type FetchReason,
  ImageError,
  MetadataError,
  MissingVariablesError,
  RenderError,
  SubstitutionError,
  VersionError,
} from "./errors.ts";
export {
  contractOf,
  type Metadata,
  newestSeriesOf,
  parseMetadata,
  type ReleaseSeries,
} from "./metadata/metadata.ts";
export {
  type DefaultProvider,
  defaultProviders,
  defaultProviderUrl,
} from "./providers/default-providers.ts";
export {
  type ProviderIdentity,
  type ProviderKind,
  providerKinds,
  providerLabel,
} from "./providers/provider.ts";
export {
  inspectVariables,
  lookupIn,
  replaceVariables,
  type Variable,
  type VariableLookup,
} from "./variables/variables.ts";
export {
  compareVersions,
  formatVersion,
  parseProviderVersion,
  parseVersion,
  type SemanticVersion,
  tryParseVersion,
} from "./versions/semantic-version.ts";
