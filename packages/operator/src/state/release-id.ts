import type { Provider } from "@rookery/api";
import { contentHash } from "@rookery/components";
import { componentHash } from "../components/managed-fields.ts";
import type { Release, ReleaseReference } from "./install-state.ts";

type Named = Pick<Release, "source" | "components"> & {
  readonly reference: Pick<ReleaseReference, "version" | "contract" | "intent">;
};

/** A hash of the content of a release. */
export function releaseId({ reference, source, components }: Named): string {
  const { version, contract, intent } = reference;
  // Component by component, because a hash copies its whole input to sort the keys.
  const contents = [contentHash(source), ...components.map(componentHash)];
  return contentHash([version, contract, intent, contents]);
}

/** A hash of the fields of a spec that are rendered; a change of any other field starts no install. */
export function intentOf({ spec = {} }: Pick<Provider, "spec">): string {
  const { version, manager, deployment, secretName, apiGroupSuffix } = spec;
  const { patches, additionalManifests, fetchRevision } = spec;
  // Undefined fields are not hashed, so that new fields do not change the hash of older releases.
  const rest = { patches, additionalManifests, fetchRevision };
  return contentHash({ version, manager, deployment, secretName, apiGroupSuffix, ...rest });
}
