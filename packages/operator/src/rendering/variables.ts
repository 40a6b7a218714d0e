import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import { contentHash, lookupIn, type VariableLookup } from "@rookery/components";
import { validateDns1123Subdomain } from "@rookery/kube";
import { PhaseError } from "../errors.ts";
import { secrets } from "../resources.ts";
import type { VariablesPin } from "../state/install-state.ts";
import { decodedData, type SecretObject } from "../state/state-secrets.ts";

interface Dependencies {
  readonly client: Pick<Client, "resource">;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Variables {
  readonly lookup: VariableLookup;
  readonly pin?: VariablesPin;
}

/** Reads the provider's Secret; then comes the operator's environment. Throws PhaseError. */
export async function readVariables(
  { metadata, spec }: Provider,
  { client, environment }: Dependencies,
): Promise<Variables> {
  const { namespace = "" } = metadata;
  const name = spec?.secretName;
  if (name === undefined) return { lookup: lookupIn(environment) };
  if (validateDns1123Subdomain(name).length > 0) {
    const why = "it must be the name of a Secret in the provider's own namespace";
    throw notFound(name, namespace, why);
  }
  const key = { namespace, name };
  const secret = await getOptional(client.resource<SecretObject>(secrets), key);
  if (!secret) {
    throw notFound(name, namespace, "it is not there; make it, and it goes on by itself");
  }
  const { data = {} } = secret;
  const pin = { secret: name, hash: contentHash(data) };
  return { lookup: lookupIn(decodedData(data), environment), pin };
}

/** Throws PhaseError if the Secret has changed: variables can become any part of components. */
export function checkPins(
  pin: VariablesPin | undefined,
  known: readonly (VariablesPin | undefined)[],
): void {
  if (!known.some((one) => one && one.secret === pin?.secret && one.hash !== pin.hash)) return;
  const message =
    `could not take variables from Secret ${JSON.stringify(pin?.secret)}: its content is not what the provider ` +
    "was installed with; make another Secret, and name it in spec.secretName";
  throw new PhaseError("ProviderFetched", "SecretChanged", { message });
}

function notFound(name: string, namespace: string, why: string): PhaseError {
  const secret = `Secret ${JSON.stringify(name)} in namespace ${namespace}`;
  const message = `could not read the variables from ${secret}: ${why}`;
  return new PhaseError("ProviderFetched", "SecretNotFound", { message });
}
