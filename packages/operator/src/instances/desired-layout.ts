import { managerFlags, providerLabel, type ScopeFlags, scopeFlagsOf } from "@rookery/components";
import type { ProviderScope } from "../provider/scope.ts";
import type { InstallState, ReleaseReference } from "../state/install-state.ts";
import { credentialsFlag, credentialsNamespaceOf } from "./credentials-namespace.ts";
import { divisionOf } from "./division.ts";
import { type Family, type Instance, isThere } from "./family.ts";
import { type Holding, holdingsOf } from "./holdings.ts";
import type { InstanceLayout } from "./layout/instance-layout.ts";
import {
  everyNamespace,
  intersection,
  isEmpty,
  minus,
  type NamespaceSet,
  noNamespaces,
  scopeOf,
  setOf,
  union,
} from "./namespace-set.ts";
import { checkNarrowRights } from "./narrow-rights.ts";
import { recordedScope } from "./recorded-scope.ts";
import { rightsOf } from "./rights.ts";

type Reference = Pick<ReleaseReference, "version" | "scopeFlags">;
type Scope = Pick<ProviderScope, "client" | "signal"> & {
  readonly record: { readonly state: InstallState };
};

/** A layout that can be applied now, and what it still waits for. */
export interface DesiredLayout {
  readonly layout: InstanceLayout;
  /** What the spec claims and others still hold; empty where there is nothing to wait for. */
  readonly waiting: readonly Holding[];
}

/**
 * How an instance can be laid out now: with the namespaces that it claims, without those that others
 * still hold. Throws PhaseError where it can't be narrowed as the spec says.
 */
export async function desireLayout(
  family: Family,
  reference: Reference,
  scope: Scope,
): Promise<DesiredLayout> {
  const { self, others, first } = family;
  const { state } = scope.record;
  const rbac = rightsOf(self.view);
  const by = narrowedBy(family, reference);
  if (rbac === "Namespaced") await checkNarrowRights(family, by, scope);
  const { watched, waiting } = await reachable(family, recordedScope(state), scope);
  const accounts = [self, ...others]
    .filter((one) => isBound(one, state.layout?.accounts ?? []))
    .map(({ view }) => view.provider.metadata.namespace ?? "")
    .sort();
  const isFirst = self === first;
  const admits = scopeOf(admittedNow(family, state));
  const layout = { scope: scopeOf(watched), by, first: isFirst, admits, rbac };
  const shared = { accounts: isFirst ? accounts : [], ...credentials(family, reference, state) };
  return { layout: { ...layout, ...shared }, waiting };
}

/**
 * Whether an account has its rights in the whole cluster. Of an instance whose record cannot be vouched
 * for, as that of one whose record was just sealed and is not seen yet, it stays as it is.
 */
function isBound(instance: Instance, before: readonly string[]): boolean {
  const { provider, rights } = instance.view;
  if (rightsOf(instance.view) === "Cluster") return true;
  const isUnknown = provider.spec?.watch?.rbac === undefined && rights === undefined;
  return isUnknown && isThere(instance) && before.includes(provider.metadata.namespace ?? "");
}

/** What an instance has stays its own; what is new to it comes when nobody else has it any more. */
async function reachable(
  family: Family,
  recorded: NamespaceSet,
  scope: Scope,
): Promise<{ readonly watched: NamespaceSet; readonly waiting: readonly Holding[] }> {
  const { self } = family;
  const wanted = minus(self.claim, recorded);
  if (isEmpty(wanted)) return { watched: self.claim, waiting: [] };
  const holdings = await holdingsOf(family, scope);
  const held = union(noNamespaces, ...holdings.map(({ namespaces }) => namespaces));
  const watched = minus(self.claim, intersection(wanted, held));
  const waiting = holdings
    .map(({ who, namespaces }) => ({ who, namespaces: intersection(wanted, namespaces) }))
    .filter(({ namespaces }) => !isEmpty(namespaces));
  return { watched, waiting };
}

/** What was admitted is let go of when somebody else surely admits it: nothing slips through unseen. */
function admittedNow(family: Family, { layout, release }: InstallState): NamespaceSet {
  const { admitted } = divisionOf(family);
  const before = layout ? setOf(layout.admits) : release ? everyNamespace : noNamespaces;
  const elsewhere = family.others.flatMap(({ view }) => view.admits ?? []);
  return union(admitted, minus(before, admitted, ...elsewhere));
}

function credentials(
  family: Family,
  { version }: Reference,
  { layout }: InstallState,
): Pick<InstanceLayout, "credentials"> {
  const { names } = managerFlags(providerLabel(family.self.view.identity), version);
  if (!names.has(credentialsFlag)) return {};
  const namespace = credentialsNamespaceOf(family, layout?.credentials);
  return namespace === undefined ? {} : { credentials: namespace };
}

function narrowedBy({ self }: Family, reference: Reference): InstanceLayout["by"] {
  const flags = reference.scopeFlags ?? knownScopeFlags(self.view.identity, reference.version);
  if (flags === "repeated") return "flag";
  const { isComplement, names } = self.claim;
  if (isComplement) return names.length === 0 ? "flag" : "proxy";
  return flags === "single" && names.length === 1 ? "flag" : "proxy";
}

function knownScopeFlags(
  identity: Family["self"]["view"]["identity"],
  version: string,
): ScopeFlags {
  return scopeFlagsOf(managerFlags(providerLabel(identity), version));
}
