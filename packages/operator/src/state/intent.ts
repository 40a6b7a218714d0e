import type { Provider } from "@rookery/api";
import { contentHash } from "@rookery/components";

/** A hash of the fields of a spec that are rendered; a change of any other field starts no install. */
export function intentOf({ spec = {} }: Pick<Provider, "spec">): string {
  const { version, manager, deployment, secretName, apiGroupSuffix } = spec;
  const { patches, additionalManifests, fetchRevision } = spec;
  // Undefined fields are not hashed, so that new fields do not change the hash of older releases.
  const rest = { patches, additionalManifests, fetchRevision };
  return contentHash({ version, manager, deployment, secretName, apiGroupSuffix, ...rest });
}
