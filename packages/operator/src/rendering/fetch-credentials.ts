import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import { dockerCredentials, fetchVariables, type VariableLookup } from "@rookery/components";
import { PhaseError } from "../errors.ts";
import { secrets } from "../resources.ts";
import type { SecretObject } from "../state/state-secrets.ts";

/**
 * Only credentials, and no authorities or addresses: the content of the Secret is not pinned, and managers
 * can often write the Secrets of their namespace.
 */
const credentialNames: ReadonlySet<string> = new Set([
  fetchVariables.githubToken,
  fetchVariables.gitlabToken,
  fetchVariables.token,
  fetchVariables.ociUsername,
  fetchVariables.ociPassword,
  fetchVariables.ociAccessToken,
]);
const dockerConfigKey = ".dockerconfigjson";

/**
 * The variables for fetching: those of the provider, overridden by the credentials of
 * spec.fetchConfig.secretName. Throws PhaseError if the Secret does not exist.
 */
export async function withCredentials(
  { metadata, spec }: Provider,
  variables: VariableLookup,
  client: Pick<Client, "resource">,
): Promise<VariableLookup> {
  const { secretName: name, url = "" } = spec?.fetchConfig ?? {};
  if (name === undefined) return variables;
  const { namespace = "" } = metadata;
  const secret = await getOptional(client.resource<SecretObject>(secrets), { namespace, name });
  if (secret === undefined) throw notFound(name, namespace);
  const read = (key: string) => {
    const value = secret.data?.[key];
    return value === undefined ? undefined : Buffer.from(value, "base64").toString();
  };
  const docker = dockerCredentials(read(dockerConfigKey) ?? "", url) ?? {};
  const known: Readonly<Record<string, string | undefined>> = {
    [fetchVariables.ociUsername]: docker.username,
    [fetchVariables.ociPassword]: docker.password,
    [fetchVariables.ociAccessToken]: docker.accessToken,
  };
  return (variable) =>
    (credentialNames.has(variable) ? (known[variable] ?? read(variable)) : undefined) ??
    variables(variable);
}

function notFound(name: string, namespace: string): PhaseError {
  const message =
    `could not read the credentials of spec.fetchConfig from Secret ${JSON.stringify(name)} in namespace ` +
    `${namespace}: it is not there; make it, and it goes on by itself`;
  return new PhaseError("ProviderFetched", "SecretNotFound", { message });
}
