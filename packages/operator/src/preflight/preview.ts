import type { Provider, ProviderManifest } from "@rookery/api";
import type { Client } from "@rookery/client";
import { PhaseError } from "../errors.ts";
import { identityOf } from "../identity/identity.ts";
import { recordedView } from "../state/recorded-view.ts";
import { checkBeforeFetch } from "./preflight.ts";
import type { Refusal } from "./refusal.ts";

/** Refusals that pass by themselves when another provider becomes ready. */
const passing: ReadonlySet<string> = new Set<Refusal>([
  "WaitingForCoreProvider",
  "CoreProviderNotReady",
  "WaitingForFirst",
]);

/**
 * What the operator would refuse about providers that are to be declared, beside those that are: one
 * message each. Nothing is changed. Rejects as the client does where Secrets may not be read.
 */
export async function previewRefusals(
  client: Client,
  manifests: readonly ProviderManifest[],
  present: readonly Provider[],
): Promise<readonly string[]> {
  const there = await Promise.all(present.map((provider) => recordedView(client, provider)));
  // Whoever comes later gives way.
  const creationTimestamp = new Date().toISOString();
  const planned = manifests.map(({ metadata, ...rest }) => {
    const provider = { ...rest, metadata: { ...metadata, creationTimestamp } } as Provider;
    return {
      provider,
      identity: identityOf(provider),
      isReady: false,
      isScaledDown: false,
    };
  });
  const views = [...there, ...planned];
  return planned.flatMap((self) => {
    const others = views.filter((view) => view !== self);
    return refusalOf(() => checkBeforeFetch({ self, others }));
  });
}

function refusalOf(check: () => void): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof PhaseError)) throw error;
    // Nothing was declared that could go on by itself.
    const message = error.message.replace(/, and (it|this) goes on by itself$/, "");
    return passing.has(error.reason) ? [] : [message];
  }
}
