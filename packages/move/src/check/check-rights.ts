import type { Client } from "@rookery/client";
import {
  builtInResources,
  formatGroupResource,
  type KubeObject,
  type Resource,
  type Verb,
} from "@rookery/kube";

/** A kind of request that a move will make. */
export interface NeededRight {
  readonly resource: Resource;
  readonly verbs: readonly Verb[];
  readonly namespace?: string;
}

interface AccessReview extends KubeObject {
  readonly status?: { readonly allowed?: boolean };
}

/** What the user of a client may not do, each in a sentence; who may do everything is asked once. */
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

async function isAllowed(
  client: Client,
  resourceAttributes: Readonly<Record<string, string>>,
): Promise<boolean> {
  const review: AccessReview = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    metadata: {},
    spec: { resourceAttributes },
  };
  const { status } = await client
    .resource<AccessReview>(builtInResources.selfSubjectAccessReviews)
    .create(review);
  return status?.allowed === true;
}
