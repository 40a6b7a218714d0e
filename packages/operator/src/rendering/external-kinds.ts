import type { Client } from "@rookery/client";
import type { Component, ServedKind } from "@rookery/components";
import { parseApiVersion, type Resource } from "@rookery/kube";
import { componentResource } from "../components/component-client.ts";
import { PhaseError } from "../errors.ts";

/** Finds served kinds; `realGroup` maps a group to its name in the cluster. Throws PhaseError. */
export type FindKinds = (
  components: readonly Component[],
  realGroup: (group: string) => string,
) => Promise<readonly ServedKind[]>;

/** The verbs for applying, comparing and removing components. */
const needed = ["get", "list", "patch", "create", "delete"] as const;

export function createFindKinds(client: Pick<Client, "mapper">): FindKinds {
  return async (components, realGroup) => {
    const served: ServedKind[] = [];
    for (const { apiVersion, kind } of components) {
      const { group, version } = parseApiVersion(apiVersion);
      const key = { group: realGroup(group), version, kind };
      const resource = await componentResource(key, client);
      if (resource === undefined) continue;
      checkStored(resource);
      served.push({ group, kind, plural: resource.plural, namespaced: resource.namespaced });
    }
    return served;
  };
}

/** Objects such as access reviews are not stored. */
function checkStored({ group, version, kind, verbs }: Resource): void {
  const missing = verbs === undefined ? [] : needed.filter((verb) => !verbs.includes(verb));
  if (missing.length === 0) return;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  throw new PhaseError("ProviderFetched", "UnsupportedKind", {
    message: `could not render components: objects of kind ${kind} (${apiVersion}) cannot be installed and removed: the API server has no ${missing.join(", ")} for them; leave them out`,
  });
}
