import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { lookupIn, type VariableLookup } from "@rookery/components";
import { isNotFound, validateDns1123Subdomain } from "@rookery/kube";
import { PhaseError } from "../errors.ts";
import { secrets } from "../resources.ts";
import type { SecretObject } from "../state/state-secrets.ts";

interface Dependencies {
  readonly client: Pick<Client, "resource">;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Where the variables of a provider come from: its Secret, then the operator's environment. Throws
 * PhaseError where the Secret is not there.
 */
export async function readVariables(
  { metadata, spec }: Provider,
  { client, environment }: Dependencies,
  signal: AbortSignal,
): Promise<VariableLookup> {
  const { namespace = "" } = metadata;
  const name = spec?.secretName;
  if (name === undefined) return lookupIn(environment);
  if (validateDns1123Subdomain(name).length > 0) {
    const why = "it must be the name of a Secret in the provider's own namespace";
    throw notFound(name, namespace, why);
  }
  try {
    const { data = {} } = await client
      .resource<SecretObject>(secrets)
      .get({ namespace, name }, { signal });
    return lookupIn(decoded(data), environment);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw notFound(name, namespace, "it is not there; make it, and it goes on by itself");
  }
}

function decoded(data: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(data);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
  );
}

function notFound(name: string, namespace: string, why: string): PhaseError {
  const message = `could not read the variables from Secret ${JSON.stringify(name)} in namespace ${namespace}: ${why}`;
  return new PhaseError("ProviderFetched", "SecretNotFound", { message });
}
