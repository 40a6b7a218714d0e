import { ComponentError } from "../errors.ts";
import type { ComponentDependencies } from "./dependencies.ts";

/** The content of a Secret, decoded. */
export type SecretContent = Readonly<Record<string, string>>;

/**
 * Reads the Secrets that pods of a component need, each with the keys that must be in it. Throws a
 * ComponentError while one is not there: the control plane makes it.
 */
export async function requiredSecrets<Name extends string>(
  { namespace }: { readonly namespace: string },
  needed: Readonly<Record<Name, readonly string[]>>,
  { getSecret }: Pick<ComponentDependencies<never>, "getSecret">,
): Promise<Readonly<Record<Name, SecretContent>>> {
  const names = Object.keys(needed) as Name[];
  const entries = await Promise.all(
    names.map(async (name) => {
      const secret = await getSecret({ namespace, name });
      return [name, contentOf(name, secret?.data, needed[name])] as const;
    }),
  );
  return Object.fromEntries(entries) as Record<Name, SecretContent>;
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
