import type { Provider } from "@rookery/api";
import {
  contentHash,
  contractOf,
  type ImageOverrides,
  type ProviderFiles,
  parseComponents,
  parseMetadata,
  renderComponents,
  replaceVariables,
  type VariableLookup,
} from "@rookery/components";
import { identityOf } from "../provider/identity.ts";
import type { Release } from "../state/install-state.ts";
import { intentOf } from "../state/intent.ts";
import { asPhase } from "./failures.ts";

/** The contract that a version abides by. Throws PhaseError. */
export function readContract(source: ProviderFiles, version: string): Promise<string> {
  return asPhase(() => contractOf(parseMetadata(source.metadata), version));
}

export interface RenderReleaseInput {
  readonly version: string;
  readonly contract: string;
  readonly source: ProviderFiles;
  readonly variables: VariableLookup;
  readonly imageOverrides: ImageOverrides;
}

/** What a provider's spec makes of the files of a version. Throws PhaseError. */
export function renderRelease(provider: Provider, input: RenderReleaseInput): Promise<Release> {
  return asPhase(() => {
    const { version, contract, source, variables, imageOverrides } = input;
    const { namespace = "" } = provider.metadata;
    const rendering = renderComponents({
      provider: identityOf(provider),
      version,
      components: parseComponents(replaceVariables(source.components, variables)),
      namespace,
      spec: provider.spec ?? {},
      imageOverrides,
    });
    const { components } = rendering;
    const warnings = rendering.warnings.map(({ message }) => message);
    const intent = intentOf(provider);
    const id = contentHash([version, contract, intent, source, components]);
    const noted = warnings.length > 0 && { warnings };
    return { reference: { id, version, contract, intent, ...noted }, source, components };
  });
}
