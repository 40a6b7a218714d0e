import type { Provider } from "@rookery/api";
import {
  contractOf,
  inspectVariables,
  isContractCompatible,
  latestVersion,
  type ProviderIdentity,
  parseMetadata,
} from "@rookery/components";
import type { CommandConfig } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import type { NamedProvider } from "../providers/provider-flags.ts";
import type { Release, ReleaseSource, ReleaseSources } from "../releases/release-source.ts";
import { missingValues } from "./variables-secret.ts";

/** A provider to declare, with its first release. */
export interface PlannedProvider {
  readonly identity: ProviderIdentity;
  readonly source: ReleaseSource;
  readonly release: Release;
  readonly contract: string;
  /** Whether its contract is older than the core's, which still serves it. */
  readonly isBehind: boolean;
}

/** A provider to declare. */
export interface WantedProvider extends NamedProvider {
  /** Another instance, whose releases it shares. */
  readonly like?: Provider;
}

export interface PlanOptions {
  readonly sources: ReleaseSources;
  readonly config: CommandConfig;
  /** The contract of the installed core. */
  readonly contract?: string;
  /** Whether variables may lack values. */
  readonly withoutValues?: boolean;
}

/**
 * Finds a release for each provider: of the contract of the core, which is the first of them or is
 * installed. Throws FetchError, and ProvidersError with all problems.
 */
export async function planInit(
  wanted: readonly WantedProvider[],
  options: PlanOptions,
): Promise<readonly PlannedProvider[]> {
  const planned: PlannedProvider[] = [];
  let { contract } = options;
  for (const provider of wanted) {
    const one = await planProvider(provider, { ...options, ...(contract && { contract }) });
    if (one.identity.kind === "CoreProvider") contract = one.contract;
    planned.push(one);
  }
  const problems = [...contractProblems(planned, contract), ...variableProblems(planned, options)];
  if (problems.length > 0) throw new ProvidersError("initialize the cluster", problems);
  return planned;
}

async function planProvider(
  { version: wanted, like, ...identity }: WantedProvider,
  { sources, contract }: PlanOptions,
): Promise<PlannedProvider> {
  const source = sources.open(identity, like);
  const isCore = identity.kind === "CoreProvider";
  const fitting = !isCore && contract ? { contract } : {};
  const version = wanted ?? (await latestVersion(source.repository, fitting));
  const release = await source.fetch(version);
  const own = contractOf(parseMetadata(release.metadata), version);
  const isBehind = !isCore && contract !== undefined && own !== contract;
  return { identity, source, release, contract: own, isBehind };
}

function contractProblems(
  planned: readonly PlannedProvider[],
  core: string | undefined,
): readonly string[] {
  const isMisfit = ({ identity, contract: provider }: PlannedProvider) =>
    core !== undefined &&
    identity.kind !== "CoreProvider" &&
    !isContractCompatible({ core, provider }, "Compatible");
  return planned
    .filter(isMisfit)
    .map(
      ({ identity, release, contract }) =>
        `${identity.kind} ${identity.name} ${release.version} abides by ${contract}, and the core by ${core}; ` +
        "name a version of the core's contract",
    );
}

function variableProblems(
  planned: readonly PlannedProvider[],
  { config, withoutValues }: PlanOptions,
): readonly string[] {
  if (withoutValues) return [];
  return planned.flatMap(({ identity, release }) => {
    const missing = inspectVariables(release.components)
      .filter((one) => one.default === undefined && config.variable(one.name) === undefined)
      .map(({ name }) => name);
    if (missing.length === 0) return [];
    return missingValues(`${identity.kind} ${identity.name} ${release.version}`, missing, config);
  });
}
