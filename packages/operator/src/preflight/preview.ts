import type { Provider, ProviderManifest } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { PreflightReason } from "../errors.ts";
import { PhaseError } from "../errors.ts";
import { identityOf } from "../identity/identity.ts";
import { recordedView } from "../state/provider-view.ts";
import { checkBeforeFetch } from "./preflight.ts";

/** Reasons that pass when another provider becomes ready. */
const passing: ReadonlySet<string> = new Set<PreflightReason>([
  "WaitingForCoreProvider",
  "CoreProviderNotReady",
  "WaitingForFirst",
]);

/** The messages with which the operator would reject new providers beside existing ones. */
export async function previewRefusals(
  client: Client,
  manifests: readonly ProviderManifest[],
  present: readonly Provider[],
): Promise<readonly string[]> {
  const there = await Promise.all(present.map((provider) => recordedView(client, provider)));
  // The newer provider is the one that is rejected.
  const creationTimestamp = new Date().toISOString();
  const planned = manifests.map(({ metadata, ...rest }) => {
    const provider = { ...rest, metadata: { ...metadata, creationTimestamp } } as Provider;
    return { provider, identity: identityOf(provider), isReady: false, isScaledDown: false };
  });
  const views = [...there, ...planned];
  return planned.flatMap((self) => {
    const others = views.filter((view) => view !== self);
    return rejectionOf(() => checkBeforeFetch({ self, others }));
  });
}

function rejectionOf(check: () => void): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof PhaseError)) throw error;
    // The provider does not exist yet, so that nothing goes on by itself.
    const message = error.message.replace(/, and (it|this) goes on by itself$/, "");
    return passing.has(error.reason) ? [] : [message];
  }
}
