import { contentHash } from "@rookery/components";
import { componentHash } from "../components/component-hash.ts";
import type { Release, ReleaseReference } from "./install-state.ts";

type Named = Pick<Release, "source" | "components"> & {
  readonly reference: Pick<ReleaseReference, "version" | "contract" | "intent">;
};

/** What a release is named by: a hash of all that it consists of. */
export function releaseId({ reference, source, components }: Named): string {
  const { version, contract, intent } = reference;
  // One by one: together they are long, and would all be copied to be put into order.
  const contents = [contentHash(source), ...components.map(componentHash)];
  return contentHash([version, contract, intent, contents]);
}
