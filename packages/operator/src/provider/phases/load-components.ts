import type { Component } from "@rookery/components";
import { renderedComponents } from "../../instances/rendered.ts";
import type { OwnedEntry, Release } from "../../state/install-state.ts";
import { nextDriftCheckSeconds } from "../drift-checks.ts";
import type { ProviderScope } from "../scope.ts";
import { withoutReplicas } from "./pause.ts";

export interface LoadedComponents {
  readonly release: Release;
  readonly components: readonly Component[];
  readonly renewAfterSeconds?: number;
}

/** Renders the recorded release for its layout, with certificates. Errors: PhaseError. */
export async function loadComponents(
  scope: ProviderScope,
  paused = false,
): Promise<LoadedComponents | undefined> {
  const { record, provider, certificates, signal } = scope;
  const release = await loadRelease(scope);
  if (release === undefined) return undefined;
  const { layout, replicas } = record.state;
  const rendered = await renderedComponents(scope, release, layout);
  const { components, ...renewal } = await certificates.ensure(provider, rendered, signal);
  const applied = paused ? components.map((one) => withoutReplicas(one, replicas)) : components;
  return { release, components: applied, ...renewal };
}

/** The content of the recorded release. If it was deleted, the release is forgotten and rendered again. */
export async function loadRelease(scope: ProviderScope): Promise<Release | undefined> {
  const { record, provider, store } = scope;
  const { release: reference, ...rest } = record.state;
  if (reference === undefined) return undefined;
  const release = await store.getRelease(provider, reference.id);
  if (release === undefined) await record.save(rest);
  return release;
}

/** Records that all components of the release match what was applied. */
export function completeDriftCheck(
  scope: ProviderScope,
  owned: readonly OwnedEntry[],
  { release, renewAfterSeconds }: LoadedComponents,
): void {
  const again = nextDriftCheckSeconds(scope, owned, renewAfterSeconds);
  scope.driftChecks.done(scope.provider, release.reference.id, again);
}
