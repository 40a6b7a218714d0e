import type { Client } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import type { StoreReader } from "@rookery/kube";
import type { ServedKinds, StoredKind } from "../context/served-kinds.ts";
import type { Findings } from "./conditions.ts";

export interface ContentOptions {
  readonly store: StoreReader;
  readonly client: Client;
  readonly kinds: ServedKinds;
  readonly signal: AbortSignal;
}

/**
 * Asks for the deletion of all that lies in a namespace, pods first: the rest stays until they have
 * ended, because they may need it. Tells what is left, and what went wrong.
 */
export async function deleteContent(
  namespace: string,
  options: ContentOptions,
): Promise<Findings & { readonly hasPods: boolean }> {
  const namespaced = [...options.kinds.all()].filter(({ resource }) => resource.namespaced);
  const pods = namespaced.filter(({ stored }) => stored === "pods");
  const failures = await deleteAll(pods, namespace, options);
  if (countOf("pods", namespace, options) > 0) {
    // kube-controller-manager says nothing of what remains as long as there are pods.
    return { failures, remaining: new Map(), finalizers: new Map(), hasPods: true };
  }
  const others = namespaced.filter(({ stored }) => stored !== "pods");
  failures.push(...(await deleteAll(others, namespace, options)));
  return { failures, ...remains(namespaced, namespace, options), hasPods: false };
}

function countOf(stored: string, namespace: string, { store }: ContentOptions): number {
  return store.list(stored, { namespace }).entries.length;
}

async function deleteAll(
  kinds: readonly StoredKind[],
  namespace: string,
  options: ContentOptions,
): Promise<string[]> {
  const { client, signal } = options;
  const failures: string[] = [];
  for (const { resource, stored } of kinds) {
    if (countOf(stored, namespace, options) === 0) continue;
    try {
      const deletion = { namespace, propagationPolicy: "Background" as const, signal };
      await client.resource(resource).deleteCollection(deletion);
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  return failures;
}

function remains(kinds: readonly StoredKind[], namespace: string, { store }: ContentOptions) {
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const { resource, stored } of kinds) {
    const { entries } = store.list(stored, { namespace });
    if (entries.length > 0) remaining.set(`${resource.plural}.${resource.group}`, entries.length);
    for (const { object } of entries) {
      for (const each of object.metadata.finalizers ?? []) {
        finalizers.set(each, (finalizers.get(each) ?? 0) + 1);
      }
    }
  }
  return { remaining, finalizers };
}
