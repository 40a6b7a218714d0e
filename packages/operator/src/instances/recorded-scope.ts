import {
  everyNamespace,
  type NamespaceSet,
  noNamespaces,
  setOf,
} from "../identity/namespace-set.ts";
import type { InstallState } from "../state/install-state.ts";

/** What a state says may be watched on its behalf: all, where it was installed as the only instance. */
export function recordedScope({ layout, release, owned }: InstallState): NamespaceSet {
  if (layout) return setOf(layout.scope);
  return release || owned.length > 0 ? everyNamespace : noNamespaces;
}
