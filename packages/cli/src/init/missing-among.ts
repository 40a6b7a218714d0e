import { isDeepStrictEqual } from "node:util";
import { ProvidersError } from "../errors.ts";
import { formatProviderKey, type ProviderKey } from "../providers/declared-providers.ts";
import { flagOf, isSame, type NamedProvider } from "../providers/provider-flags.ts";
import type { Watch } from "./instance-flags.ts";
import type { WantedProvider } from "./plan-init.ts";
import type { PresentProvider } from "./present-providers.ts";

/** The instance that the flags name. */
export interface MeantInstance {
  /** Any namespace where absent. */
  readonly namespace?: string;
  /** Unchanged where absent. */
  readonly watch?: Watch;
}

/**
 * The wanted providers that are missing; a further instance has the version of the others. Throws
 * ProvidersError if an existing provider differs, or allows no further instance.
 */
export function missingAmong(
  wanted: readonly NamedProvider[],
  present: readonly PresentProvider[],
  meant: MeantInstance = {},
): readonly WantedProvider[] {
  const found = wanted.map((one) => {
    const instances = present.filter((other) => isSame(one, other) && !hasOwnGroups(other));
    const { namespace } = meant;
    const here = instances.find(
      (other) => namespace === undefined || namespace === other.namespace,
    );
    return { one, instances, here };
  });
  const problems = found.flatMap(({ one, instances, here }) => [
    ...versionProblems(one, instances),
    ...(here ? watchProblems(here, meant) : divisionProblems(one, instances, meant)),
  ]);
  if (problems.length > 0) throw new ProvidersError("initialize the cluster", problems);
  return found
    .filter(({ here }) => here === undefined)
    .map(({ one, instances: [kin] }) => {
      const version = one.version ?? kin?.version;
      const like = kin?.provider;
      return { ...one, ...(version && { version }), ...(like && { like }) };
    });
}

/** The existing providers that are wanted. */
export function presentAmong(
  wanted: readonly NamedProvider[],
  present: readonly PresentProvider[],
  { namespace }: MeantInstance = {},
): readonly PresentProvider[] {
  return present.filter(
    (one) =>
      !hasOwnGroups(one) &&
      wanted.some((other) => isSame(one, other)) &&
      (namespace === undefined || namespace === one.namespace),
  );
}

/** With API groups of its own it counts as another provider. */
function hasOwnGroups({ provider }: PresentProvider): boolean {
  return provider?.spec?.apiGroupSuffix !== undefined;
}

function versionProblems(
  one: NamedProvider,
  instances: readonly PresentProvider[],
): readonly string[] {
  const { version } = instances.find((other) => other.version !== undefined) ?? {};
  if (version === undefined || one.version === undefined || version === one.version) return [];
  return [
    `${one.kind} ${one.name} is there in ${version}; "rookery upgrade apply ${flagOf(one)}" changes it`,
  ];
}

/** The problem of an existing provider with another spec.watch, which init does not change. */
function watchProblems(here: PresentProvider, { watch }: MeantInstance): readonly string[] {
  const meant = { ...here.provider?.spec?.watch, ...watch };
  if (watch === undefined || isDeepStrictEqual(here.provider?.spec?.watch, meant)) return [];
  const change = patchOf(here, { watch: { namespaces: null, rest: null, ...watch } });
  return [`${formatProviderKey(here)} is there and watches something else; change it by ${change}`];
}

/** The problems of a further instance: all instances must name their namespaces. */
function divisionProblems(
  { kind, name }: NamedProvider,
  instances: readonly PresentProvider[],
  { namespace, watch }: MeantInstance,
): readonly string[] {
  const [other] = instances;
  if (other === undefined) return [];
  if (watch === undefined) {
    return [
      `${kind} ${name} is there, in namespace ${other.namespace}; for a further instance in ${namespace} say what ` +
        "it is to watch, by --watch-namespace or --watch-rest, or leave --target-namespace out",
    ];
  }
  const narrowed = watch.rest ? { namespaces: ["<its namespaces>"] } : { rest: true };
  return instances
    .filter(({ provider }) => provider?.spec?.watch === undefined)
    .map((one) => {
      const way = one.provider
        ? `narrow it first, such as by ${patchOf(one, { watch: narrowed })}`
        : "it is clusterctl's still: run this again when the operator has taken it over, and narrow it then";
      return `${formatProviderKey(one)} watches all namespaces, and leaves none to another instance; ${way}`;
    });
}

function patchOf({ kind, namespace, name }: ProviderKey, spec: object): string {
  const patch = JSON.stringify({ spec });
  return `kubectl patch -n ${namespace} ${kind.toLowerCase()}/${name} --type=merge -p '${patch}'`;
}
