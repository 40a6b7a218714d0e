import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import { dockerCredentials, fetchVariables, type VariableLookup } from "@rookery/components";
import { PhaseError } from "../errors.ts";
import { secrets } from "../resources.ts";
import type { SecretObject } from "../state/state-secrets.ts";

/**
 * What says who asks, and nothing that says whom to trust: the content of the Secret is not pinned, and
 * managers may often write the Secrets beside them.
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
 * The variables to fetch with: those of a provider, under the credentials of spec.fetchConfig.secretName.
 * Components are rendered without the latter. Throws PhaseError where the Secret is not there.
 */
export async function withCredentials(
  { metadata, spec }: Provider,
  variables: VariableLookup,
  { client, signal }: { readonly client: Pick<Client, "resource">; readonly signal: AbortSignal },
): Promise<VariableLookup> {
  const { secretName: name, url = "" } = spec?.fetchConfig ?? {};
  if (name === undefined) return variables;
  const { namespace = "" } = metadata;
  const key = { namespace, name };
  const secret = await getOptional(client.resource<SecretObject>(secrets), key, { signal });
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
  const message = `could not read the credentials of spec.fetchConfig from Secret ${JSON.stringify(name)} in namespace ${namespace}: it is not there; make it, and it goes on by itself`;
  return new PhaseError("ProviderFetched", "SecretNotFound", { message });
}
