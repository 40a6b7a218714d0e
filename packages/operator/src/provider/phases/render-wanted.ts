import type { Provider } from "@rookery/api";
import type { ProviderFiles, VariableLookup } from "@rookery/components";
import type { PhaseError } from "../../errors.ts";
import { coreOf, suffixOf } from "../../instances/core-of.ts";
import { checkContract } from "../../preflight/contract-rules.ts";
import { readContract, renderRelease } from "../../rendering/render-release.ts";
import { checkPins } from "../../rendering/variables.ts";
import type { Release, ReleaseReference, VariablesPin } from "../../state/install-state.ts";
import type { ProviderScope } from "../scope.ts";

type RenderScope = Pick<
  ProviderScope,
  "provider" | "views" | "store" | "signal" | "imageOverrides" | "image" | "findKinds"
> &
  Pick<ProviderScope, "readVariables" | "readManifests" | "openSource" | "prerendered"> & {
    readonly record: Pick<ProviderScope["record"], "state">;
  };

/** A rendered release, with its inputs beside the spec. */
export interface Rendered {
  readonly release: Release;
  readonly sharesSuffix: boolean;
  readonly variables: ReadonlyMap<string, string | undefined>;
}

/** Fetches a new version, and renders it unless that was done ahead. Errors: PhaseError. */
export async function renderWanted(scope: RenderScope, version: string): Promise<Release> {
  const { provider, prerendered } = scope;
  const draft = await prerendered.take(provider);
  const { lookup: variables, pin } = await scope.readVariables(provider);
  const { release: present, lastGood } = scope.record.state;
  checkPins(pin, [present?.variables, lastGood?.variables]);
  const source = await findSource(scope, { version, variables, draft });
  const contract = await readContract(source, version);
  checkContract({ ...scope.views(), target: { version, contract } });
  if (draft && isCurrent(draft, source, { variables, sharesSuffix: sharesSuffix(scope) })) {
    return withPin(draft.release, pin);
  }
  return withPin(await render(scope, { version, contract, source, variables }), pin);
}

function withPin(release: Release, variables: VariablesPin | undefined): Release {
  return variables ? { ...release, reference: { ...release.reference, variables } } : release;
}

/** Renders ahead while a core is installed. Errors are ignored here: the phase that follows has them too. */
export function renderAhead(scope: RenderScope, version: string, failure: PhaseError): void {
  if (failure.reason !== "CoreProviderNotReady") return;
  scope.prerendered.start(scope.provider, async () => {
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

/** A new spec.fetchRevision requests the files that are published now. */
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

function isCurrent(
  { release, variables, sharesSuffix }: Rendered,
  { components, metadata, additional }: ProviderFiles,
  now: { readonly variables: VariableLookup; readonly sharesSuffix: boolean },
): boolean {
  return (
    release.source.components === components &&
    release.source.metadata === metadata &&
    release.source.additional === additional &&
    Array.from(variables).every(([name, value]) => now.variables(name) === value) &&
    sharesSuffix === now.sharesSuffix
  );
}

interface Wanted {
  readonly version: string;
  readonly variables: VariableLookup;
  readonly draft?: Rendered | undefined;
}

/** Additional manifests are read each time. */
async function findSource(scope: RenderScope, wanted: Wanted): Promise<ProviderFiles> {
  const { components, metadata } = await findRelease(scope, wanted);
  const additional = await scope.readManifests(scope.provider);
  return { components, metadata, ...(additional !== undefined && { additional }) };
}

/** A recorded version is not fetched again, so that the source may be down. */
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
  // Published releases do not change; ConfigMaps may have been corrected since.
  if (draft && !provider.spec?.fetchConfig?.selector) return draft.release.source;
  return scope.openSource(provider, variables).fetch(version, signal);
}
