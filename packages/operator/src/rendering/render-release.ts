import type { Provider } from "@rookery/api";
import {
  type Component,
  contractOf,
  type ImageOverrides,
  isWorkload,
  ofExternalKinds,
  type ProviderFiles,
  parseComponents,
  parseMetadata,
  renderComponents,
  replaceVariables,
  type ScopeFlags,
  type ServedKind,
  type VariableLookup,
} from "@rookery/components";
import { identityOf, labelOf } from "../identity/identity.ts";
import type { Release } from "../state/install-state.ts";
import { intentOf, releaseId } from "../state/release.ts";
import { parseManifests } from "./additional-manifests.ts";
import type { FindKinds } from "./external-kinds.ts";
import { asPhase } from "./failures.ts";
import {
  isClusterApiGroup,
  ownGroup,
  type SuffixedComponents,
  withOwnGroups,
} from "./own-groups.ts";

/** On a Deployment of components: whether its manager takes --namespace repeatedly. */
const scopeFlagsAnnotation = "management.cluster.x-k8s.io/scope-flags";

export function readContract(
  source: Pick<ProviderFiles, "metadata">,
  version: string,
): Promise<string> {
  return asPhase(() => contractOf(parseMetadata(source.metadata), version));
}

export interface RenderReleaseInput {
  readonly version: string;
  readonly contract: string;
  readonly source: ProviderFiles;
  readonly variables: VariableLookup;
  readonly imageOverrides: ImageOverrides;
  /** The image of the `rookery` command, for instances with API groups of their own. */
  readonly image: string | undefined;
  /** Whether the core has the same suffix. */
  readonly sharesSuffix: boolean;
  readonly findKinds: FindKinds;
}

/** Renders the files of a version for the spec of a provider. Throws PhaseError. */
export function renderRelease(provider: Provider, input: RenderReleaseInput): Promise<Release> {
  return asPhase(async () => {
    const { version, contract, source, variables, imageOverrides } = input;
    const { namespace = "" } = provider.metadata;
    const read = parseComponents(replaceVariables(source.components, variables));
    const additional = parseManifests(replaceVariables(source.additional ?? "", variables));
    const external = ofExternalKinds([...read, ...additional]);
    const served = await input.findKinds(external, realGroups(provider, input));
    const rendering = renderComponents({
      provider: identityOf(provider),
      version,
      components: read,
      additional,
      served,
      namespace,
      spec: provider.spec ?? {},
      imageOverrides,
    });
    const messagesOf = (isAssumption: boolean) =>
      rendering.warnings
        .filter(({ reason }) => (reason === "AssumedFlag") === isAssumption)
        .map(({ message }) => message);
    const assumptions = messagesOf(true);
    const suffixed = await suffixedComponents(provider, rendering.components, { ...input, served });
    const { components } = suffixed;
    const warnings = [...messagesOf(false), ...suffixed.warnings];
    const intent = intentOf(provider);
    const scopeFlags = declaredScopeFlags(components);
    const { fetchRevision } = provider.spec ?? {};
    const reference = {
      id: releaseId({ reference: { version, contract, intent }, source, components }),
      version,
      contract,
      intent,
      ...(warnings.length > 0 && { warnings }),
      ...(assumptions.length > 0 && { assumptions }),
      ...(scopeFlags && { scopeFlags }),
      ...(fetchRevision !== undefined && { fetchRevision }),
    };
    return { reference, source, components };
  });
}

function declaredScopeFlags(components: readonly Component[]): ScopeFlags | undefined {
  const declared = components
    .filter(isWorkload)
    .map(({ metadata }) => metadata.annotations?.[scopeFlagsAnnotation]);
  return declared.find((value): value is ScopeFlags => value === "repeated" || value === "single");
}

async function suffixedComponents(
  provider: Provider,
  components: readonly Component[],
  { image, sharesSuffix, served }: RenderReleaseInput & { readonly served: readonly ServedKind[] },
): Promise<SuffixedComponents> {
  const suffix = provider.spec?.apiGroupSuffix;
  if (suffix === undefined) return { components, warnings: [] };
  const { namespace = "" } = provider.metadata;
  const own = { suffix, namespace, image, served, label: labelOf(provider) };
  return withOwnGroups(components, { ...own, withCore: sharesSuffix });
}

/** Maps the groups of Cluster API to those with the suffix of the provider's core. */
function realGroups(
  { spec }: Provider,
  { sharesSuffix }: Pick<RenderReleaseInput, "sharesSuffix">,
): (group: string) => string {
  const suffix = spec?.apiGroupSuffix;
  const isRenamed = (group: string) => sharesSuffix && isClusterApiGroup(group);
  return (group) => (suffix !== undefined && isRenamed(group) ? ownGroup(group, suffix) : group);
}
