import { type Client, isAllowed } from "@rookery/client";
import { formatGroupResource, type Resource, type Verb } from "@rookery/kube";

export interface NeededRight {
  readonly resource: Resource;
  readonly verbs: readonly Verb[];
  readonly namespace?: string;
}

/** The missing rights of a client, one sentence each; one request is enough for an administrator. */
export async function missingRights(
  client: Client,
  needed: readonly NeededRight[],
): Promise<readonly string[]> {
  if (await isAllowed(client, { group: "*", resource: "*", verb: "*" })) return [];
  const missing = new Map<string, Set<string>>();
  const asked = new Set<string>();
  const questions = needed.flatMap(({ resource, verbs, namespace }) =>
    verbs.map(async (verb) => {
      const { group, plural, namespaced } = resource;
      const place = namespaced && namespace ? { namespace } : {};
      const where = "namespace" in place ? ` in namespace ${namespace}` : "";
      const what = `${formatGroupResource({ group, resource: plural })}${where}`;
      if (asked.has(`${verb} ${what}`)) return;
      asked.add(`${verb} ${what}`);
      if (await isAllowed(client, { group, resource: plural, verb, ...place })) return;
      missing.set(what, (missing.get(what) ?? new Set()).add(verb));
    }),
  );
  await Promise.all(questions);
  return [...missing].map(
    ([what, verbs]) => `there is no right to ${[...verbs].join(", ")} ${what}`,
  );
}
