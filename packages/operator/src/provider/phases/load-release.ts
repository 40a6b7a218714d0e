import type { Release } from "../../state/install-state.ts";
import type { ProviderScope } from "../scope.ts";

/**
 * The content of the recorded release. Where somebody has deleted it, the release is forgotten, so
 * that it is rendered anew; what is in the cluster is still known.
 */
export async function loadRelease(scope: ProviderScope): Promise<Release | undefined> {
  const { record, provider, store } = scope;
  const { release: reference, ...rest } = record.state;
  if (reference === undefined) return undefined;
  const release = await store.getRelease(provider, reference.id);
  if (release === undefined) await record.save(rest);
  return release;
}
