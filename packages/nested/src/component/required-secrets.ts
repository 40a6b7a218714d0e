import { controllerOf, type KubeObject } from "@rookery/kube";
import { ComponentError } from "../errors.ts";
import type { Companions } from "../manifests/pod-template.ts";
import { companionSecret, signingCertificate } from "../names.ts";
import type { ComponentScope } from "./scope.ts";

/** The content of a Secret, decoded. */
export type SecretContent = Readonly<Record<string, string>>;

export interface RequiredSecrets<Name extends string> {
  readonly content: Readonly<Record<Name, SecretContent>>;
  /** Of supplied Secrets that lack keys: where each key is. */
  readonly companions: Companions;
}

/**
 * Reads the Secrets that pods of a component need, each with the keys that must be in it or in its
 * companion. Throws a ComponentError while one is not there: the control plane makes it.
 */
export async function requiredSecrets<Name extends string>(
  { namespace }: { readonly namespace: string },
  needed: Readonly<Record<Name, readonly string[]>>,
  { getSecret }: Pick<ComponentScope, "getSecret">,
): Promise<RequiredSecrets<Name>> {
  const names = Object.keys(needed) as Name[];
  const found = await Promise.all(
    names.map(async (name) => {
      const secret = await getSecret({ namespace, name });
      const keys = needed[name];
      const added = secret ? await additionsTo({ name, secret, keys }, namespace, getSecret) : {};
      const content = contentOf(name, secret && { ...secret.data, ...added }, keys);
      const fromCompanion = keys.filter((key) => key in added);
      const own = keys.filter((key) => !(key in added));
      return { name, content, parts: { own, companion: fromCompanion } };
    }),
  );
  const partial = found.filter(({ parts }) => parts.companion.length > 0);
  return {
    content: Object.fromEntries(found.map(({ name, content }) => [name, content])) as Record<
      Name,
      SecretContent
    >,
    companions: Object.fromEntries(partial.map(({ name, parts }) => [name, parts])),
  };
}

/** The keys that control planes write to a companion; a key pair is never read from one. */
const companionKeys = ["ca.crt", "kubeconfig", signingCertificate];

interface Lookup {
  readonly name: string;
  readonly secret: KubeObject & { readonly data?: SecretContent };
  readonly keys: readonly string[];
}

/** The encoded keys of the companion that count: those that a supplied Secret lacks, or has outdated. */
async function additionsTo(
  { name, secret, keys }: Lookup,
  namespace: string,
  getSecret: ComponentScope["getSecret"],
): Promise<SecretContent> {
  const wanted = keys
    .filter((key) => companionKeys.includes(key))
    .filter((key) => !secret.data?.[key] || key === signingCertificate);
  if (wanted.length === 0 || controllerOf(secret)) return {};
  const companion = await getSecret({ namespace, name: companionSecret(name) });
  const entries = wanted.map((key) => [key, companion?.data?.[key]] as const);
  return Object.fromEntries(entries.flatMap(([key, value]) => (value ? [[key, value]] : [])));
}

function contentOf(
  name: string,
  data: SecretContent | undefined,
  keys: readonly string[],
): SecretContent {
  if (!data) throw waiting(`Secret ${name} is not there yet`);
  const missing = keys.filter((key) => !data[key]);
  if (missing.length > 0) throw waiting(`Secret ${name} has no ${missing.join(" and no ")}`);
  return Object.fromEntries(
    keys.map((key) => [key, Buffer.from(data[key] ?? "", "base64").toString()]),
  );
}

function waiting(why: string): ComponentError {
  return new ComponentError("WaitingForCertificates", why);
}
