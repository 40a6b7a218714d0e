import { contentHash } from "@rookery/components";
import { componentHash } from "../components/component-hash.ts";
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
