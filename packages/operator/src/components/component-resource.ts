import { type Client, NoMatchError } from "@rookery/client";
import { type ComponentKey, componentKinds } from "@rookery/components";
import type { GroupVersionKind, Resource } from "@rookery/kube";

/** The resource of a component; undefined where the server does not serve its kind. */
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

/** The resource of a kind that all components may hold; undefined for those of their own CRDs. */
function knownResource({ group, version, kind }: GroupVersionKind): Resource | undefined {
  const known = componentKinds.find((one) => one.group === group && one.kind === kind);
  if (known === undefined) return undefined;
  const { plural, namespaced } = known;
  return { group, version, kind, plural, singular: kind.toLowerCase(), namespaced };
}
