import { isDeepStrictEqual } from "node:util";
import { type Client, getOptional } from "@rookery/client";
import { inspectVariables, type VariableLookup } from "@rookery/components";
import { builtInResources, type KubeObject } from "@rookery/kube";
import type { CommandTools } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import { missingValues, variablesSecret } from "../init/variables-secret.ts";
import { type Secret, secretText } from "../objects.ts";
import { formatProviderKey } from "../providers/declared-providers.ts";
import type { Release } from "../releases/release-source.ts";
import { shippedFetchConfig, shippedRelease } from "../releases/shipped-release.ts";
import type { JournalItem } from "./journal.ts";
import type { UpgradePlan } from "./plan-upgrade.ts";
import type { UpgradeInfo } from "./upgrade-info.ts";

export interface PrepareTools extends CommandTools {
  /** The variables of the operator's environment. */
  readonly operatorEnv: Readonly<Record<string, string>>;
}

/** An upgrade, with the objects that have to exist before it starts. */
export interface PreparedUpgrade {
  readonly items: readonly JournalItem[];
  /** Secrets of variables, and ConfigMaps of releases that the operator can't fetch. */
  readonly supplies: readonly KubeObject[];
}

/**
 * Fetches the releases of a plan and checks their variables, before any provider is paused. Throws
 * FetchError, and ProvidersError with all variables that are missing.
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

/** A new Secret if the present one lacks variables of the release. */
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
    return {
      problem: missingValues(`${formatProviderKey(key)} ${release.version}`, missing, config),
    };
  }
  const variable: VariableLookup = (name) => present(name) ?? config.variable(name);
  const secret = variablesSecret({ identity: key, release }, key.namespace, {
    ...config,
    variable,
  });
  return { ...(secret && { secret }) };
}

async function readSecret(
  client: Client,
  namespace: string,
  name: string | undefined,
): Promise<VariableLookup> {
  if (name === undefined) return () => undefined;
  const secrets = client.resource<Secret>(builtInResources.secrets);
  const secret = await getOptional(secrets, { namespace, name });
  return (key) => secret && secretText(secret, key);
}
