import type { Provider } from "@rookery/api";
import type { ProviderFiles, VariableLookup } from "@rookery/components";
import type { PhaseError } from "../../errors.ts";
import { coreOf, suffixOf } from "../../instances/core-of.ts";
import { checkContract } from "../../preflight/preflight.ts";
import { readContract, renderRelease } from "../../rendering/render-release.ts";
import { checkPins } from "../../rendering/variables.ts";
import type { Release, ReleaseReference, VariablesPin } from "../../state/install-state.ts";
import type { ProviderScope } from "../scope.ts";

/** What it takes to render. */
type RenderScope = Pick<
  ProviderScope,
  | "provider"
  | "views"
  | "store"
  | "readVariables"
  | "readManifests"
  | "openSource"
  | "prerendered"
  | "signal"
> &
  Pick<ProviderScope, "imageOverrides" | "image" | "findKinds"> & {
    readonly record: Pick<ProviderScope["record"], "state">;
  };

/** What a spec makes of a version, and what that depends on beside the spec. */
export interface Rendered {
  readonly release: Release;
  readonly sharesSuffix: boolean;
  /** All that was looked up. */
  readonly variables: ReadonlyMap<string, string | undefined>;
}

/**
 * Fetches where the version is new, and renders. What was rendered while the core was waited for is
 * taken where nothing has changed since. Errors: PhaseError.
 */
export async function renderWanted(scope: RenderScope, version: string): Promise<Release> {
  const { provider, prerendered } = scope;
  const draft = await prerendered.take(provider);
  const { lookup: variables, pin } = await scope.readVariables(provider);
  const { release: present, lastGood } = scope.record.state;
  checkPins(pin, [present?.variables, lastGood?.variables]);
  const source = await findSource(scope, { version, variables, draft });
  const contract = await readContract(source, version);
  checkContract({ ...scope.views(), target: { version, contract } });
  if (draft && isStill(draft, source, { variables, sharesSuffix: sharesSuffix(scope) })) {
    return withPin(draft.release, pin);
  }
  return withPin(await render(scope, { version, contract, source, variables }), pin);
}

function withPin(release: Release, variables: VariablesPin | undefined): Release {
  return variables ? { ...release, reference: { ...release.reference, variables } } : release;
}

/** Renders ahead where there is a core to come; what fails is tried again when it has come, and told then. */
export function renderAhead(scope: RenderScope, version: string, refused: PhaseError): void {
  if (refused.reason !== "CoreProviderNotReady") return;
  scope.prerendered.begin(scope.provider, async () => {
    const { lookup } = await scope.readVariables(scope.provider);
    const looked = new Map<string, string | undefined>();
    const variables = (name: string) => {
      const value = lookup(name);
      looked.set(name, value);
      return value;
    };
    const source = await findSource(scope, { version, variables });
    const contract = await readContract(source, version);
    const release = await render(scope, { version, contract, source, variables });
    return { release, sharesSuffix: sharesSuffix(scope), variables: looked };
  });
}

/** Whoever asks for it by another text wants what is published now. */
function isToFetchAgain(
  { spec }: Provider,
  { fetchRevision }: Pick<ReleaseReference, "fetchRevision">,
): boolean {
  return spec?.fetchRevision !== undefined && spec.fetchRevision !== fetchRevision;
}

interface Rendering {
  readonly version: string;
  readonly contract: string;
  readonly source: ProviderFiles;
  readonly variables: VariableLookup;
}

function render(scope: RenderScope, rendering: Rendering): Promise<Release> {
  const { provider, imageOverrides, image, findKinds } = scope;
  const surroundings = { imageOverrides, image, findKinds, sharesSuffix: sharesSuffix(scope) };
  return renderRelease(provider, { ...rendering, ...surroundings });
}

function sharesSuffix(scope: RenderScope): boolean {
  const { self, others } = scope.views();
  const core = coreOf(self, others);
  return core !== undefined && suffixOf(core) === suffixOf(self);
}

function isStill(
  { release, variables, sharesSuffix }: Rendered,
  { components, metadata, additional }: ProviderFiles,
  now: { readonly variables: VariableLookup; readonly sharesSuffix: boolean },
): boolean {
  if (release.source.components !== components || release.source.metadata !== metadata)
    return false;
  if (release.source.additional !== additional) return false;
  const isSame = Array.from(variables).every(([name, value]) => now.variables(name) === value);
  return isSame && sharesSuffix === now.sharesSuffix;
}

interface Wanted {
  readonly version: string;
  readonly variables: VariableLookup;
  readonly draft?: Rendered | undefined;
}

/** What is added to the components is read anew each time. */
async function findSource(scope: RenderScope, wanted: Wanted): Promise<ProviderFiles> {
  const { components, metadata } = await findRelease(scope, wanted);
  const additional = await scope.readManifests(scope.provider);
  return { components, metadata, ...(additional !== undefined && { additional }) };
}

/** A version that is known was kept: a source that is down stands in nobody's way. */
async function findRelease(
  scope: RenderScope,
  { version, variables, draft }: Wanted,
): Promise<ProviderFiles> {
  const { provider, record, store, signal } = scope;
  const { release, lastGood } = record.state;
  for (const known of [release, lastGood]) {
    if (known?.version !== version || known.adopted || isToFetchAgain(provider, known)) continue;
    const recorded = await store.getRelease(provider, known.id);
    if (recorded) return recorded.source;
  }
  // What is published somewhere stays as it is; what is in the cluster may just have been mended.
  if (draft && !provider.spec?.fetchConfig?.selector) return draft.release.source;
  return scope.openSource(provider, variables).fetch(version, signal);
}
