import type { Provider } from "@rookery/api";
import { contentHash } from "@rookery/components";

/**
 * A hash of what a spec asks to be rendered. Where components come from, whether the provider is
 * paused and the policies are no part of it: a change of those alone installs nothing anew. Namespaces
 * are divided anew over what runs.
 */
export function intentOf({ spec = {} }: Pick<Provider, "spec">): string {
  const { version, manager, deployment, secretName, apiGroupSuffix } = spec;
  const { patches, additionalManifests, fetchRevision } = spec;
  // What is not set is no part of the hash: releases from before a field was known keep theirs.
  const rest = { patches, additionalManifests, fetchRevision };
  return contentHash({ version, manager, deployment, secretName, apiGroupSuffix, ...rest });
}
