import { isDeepStrictEqual } from "node:util";
import { type Client, getOptional } from "@rookery/client";
import { inspectVariables, type VariableLookup } from "@rookery/components";
import { builtInResources, type KubeObject } from "@rookery/kube";
import type { CommandConfig } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import { variablesSecret } from "../init/variables-secret.ts";
import { formatProviderKey } from "../providers/declared-providers.ts";
import type { Release } from "../releases/release-source.ts";
import { shippedFetchConfig, shippedRelease } from "../releases/shipped-release.ts";
import type { JournalItem } from "./journal.ts";
import type { UpgradePlan } from "./plan-upgrade.ts";
import type { UpgradeInfo } from "./upgrade-info.ts";

export interface PrepareTools {
  readonly client: Client;
  readonly config: CommandConfig;
  /** What the operator itself has values for. */
  readonly operatorEnv: Readonly<Record<string, string>>;
}

/** An upgrade, with what has to be in the cluster before it begins. */
export interface PreparedUpgrade {
  readonly items: readonly JournalItem[];
  /** Secrets of variables, and ConfigMaps of releases that the operator can't fetch. */
  readonly supplies: readonly KubeObject[];
}

/**
 * Fetches all that the plan needs and looks for what would be in the way, before anything is paused.
 * Errors: FetchError, ProvidersError with all variables that are missing.
 */
export async function prepareUpgrade(
  { items }: UpgradePlan,
  family: readonly UpgradeInfo[],
  tools: PrepareTools,
): Promise<PreparedUpgrade> {
  const prepared: PreparedItem[] = [];
  for (const { key, to } of items) {
    const info = family.find((one) => one.key === key);
    if (info && to !== undefined) prepared.push(await prepareItem(info, to, tools));
  }
  const problems = prepared.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) throw new ProvidersError("upgrade", problems);
  return {
    items: prepared.map(({ item }) => item),
    supplies: prepared.flatMap(({ supplies }) => supplies),
  };
}

interface PreparedItem {
  readonly item: JournalItem;
  readonly supplies: readonly KubeObject[];
  readonly problem?: string;
}

async function prepareItem(
  info: UpgradeInfo,
  to: string,
  tools: PrepareTools,
): Promise<PreparedItem> {
  const { key, provider, source, current: from } = info;
  const release = await source.fetch(to);
  const wanted = release.isLocal ? shippedFetchConfig(key) : source.fetchConfig;
  const isOther = wanted !== undefined && !isDeepStrictEqual(wanted, provider.spec?.fetchConfig);
  const shipped = release.isLocal ? [shippedRelease(key, key.namespace, release)] : [];
  const { secret, problem } = await variablesFor(info, release, tools);
  const secretName = secret?.metadata.name;
  return {
    item: {
      key,
      from,
      to,
      ...(isOther && { fetchConfig: wanted }),
      ...(secretName && { secretName }),
    },
    supplies: [...shipped, ...(secret ? [secret] : [])],
    ...(problem && { problem }),
  };
}

/** Another Secret where the one that there is lacks something that can be had. */
async function variablesFor(
  { key, provider }: UpgradeInfo,
  release: Release,
  { client, config, operatorEnv }: PrepareTools,
): Promise<{ readonly secret?: KubeObject; readonly problem?: string }> {
  const present = await readSecret(client, key.namespace, provider.spec?.secretName);
  const lacking = inspectVariables(release.components)
    .filter((variable) => variable.default === undefined)
    .map(({ name }) => name)
    .filter((name) => present(name) === undefined && operatorEnv[name] === undefined);
  if (lacking.length === 0) return {};
  const missing = lacking.filter((name) => config.variable(name) === undefined);
  if (missing.length > 0) {
    const names = missing.join(", ");
    const place = config.file ?? "a configuration file (see --config)";
    return {
      problem: `${formatProviderKey(key)} ${release.version} needs values for ${names}; set them in the environment or in ${place}`,
    };
  }
  const variable: VariableLookup = (name) => present(name) ?? config.variable(name);
  const secret = variablesSecret({ identity: key, release }, key.namespace, {
    ...config,
    variable,
  });
  return { ...(secret && { secret }) };
}

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

async function readSecret(
  client: Client,
  namespace: string,
  name: string | undefined,
): Promise<VariableLookup> {
  if (name === undefined) return () => undefined;
  const secrets = client.resource<Secret>(builtInResources.secrets);
  const { data = {} } = (await getOptional(secrets, { namespace, name })) ?? {};
  return (key) => {
    const value = Object.hasOwn(data, key) ? data[key] : undefined;
    return value === undefined ? undefined : Buffer.from(value, "base64").toString();
  };
}
