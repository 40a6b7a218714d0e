import { createHash } from "node:crypto";
import { formatObjectKey, type KubeObject, objectKeyOf } from "@rookery/kube";
import type { ComponentDependencies } from "./dependencies.ts";
import { requiredSecrets, type SecretContent } from "./required-secrets.ts";

/** What pods of a component need of Secrets. */
export interface SecretNeeds {
  /** The keys that have to be there, by the names of the Secrets. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** What of it programs read only when they start. */
  readonly inputs: (content: Readonly<Record<string, SecretContent>>) => readonly string[];
}

type Reader = Pick<ComponentDependencies<never>, "getSecret" | "memo">;

/**
 * A hash of what programs of a component read only when they start. Where no Secret has changed since
 * the last time, none is read. Throws a ComponentError while one is not there.
 */
export async function secretInputs(
  component: KubeObject,
  { keys, inputs }: SecretNeeds,
  { getSecret, memo }: Reader,
): Promise<string> {
  const key = formatObjectKey(objectKeyOf(component));
  const { namespace = "" } = component.metadata;
  const needed = JSON.stringify(keys);
  const known = memo.recall(key, namespace, needed);
  if (known !== undefined) return known;
  const versions = new Map<string, string>();
  const content = await requiredSecrets({ namespace }, keys, {
    getSecret: async (secret) => {
      const found = await getSecret(secret);
      versions.set(secret.name, found?.metadata.resourceVersion ?? "");
      return found;
    },
  });
  const found = hashOf(inputs(content));
  memo.remember(key, { inputs: needed, versions, found });
  return found;
}

function hashOf(inputs: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 16);
}
