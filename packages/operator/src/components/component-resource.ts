import { type Client, NoMatchError } from "@rookery/client";
import { type ComponentKey, componentKinds } from "@rookery/components";
import type { GroupVersionKind, Resource } from "@rookery/kube";

/** Undefined for a kind that the API server does not serve. */
export async function componentResource(
  key: Pick<ComponentKey, "group" | "version" | "kind">,
  { mapper }: Pick<Client, "mapper">,
): Promise<Resource | undefined> {
  const known = knownResource(key);
  if (known) return known;
  try {
    return await mapper.resourceForKind(key);
  } catch (error) {
    if (error instanceof NoMatchError) return undefined;
    throw error;
  }
}

/** Without discovery, for kinds that all components may have. */
function knownResource({ group, version, kind }: GroupVersionKind): Resource | undefined {
  const known = componentKinds.find((one) => one.group === group && one.kind === kind);
  if (known === undefined) return undefined;
  const { plural, namespaced } = known;
  return { group, version, kind, plural, singular: kind.toLowerCase(), namespaced };
}
