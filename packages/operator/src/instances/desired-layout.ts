import type { Client } from "@rookery/client";
import {
  managerFlags,
  type ProviderIdentity,
  providerLabel,
  type ScopeFlags,
  scopeFlagsOf,
} from "@rookery/components";
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
} from "../identity/namespace-set.ts";
import type { InstallState, ReleaseReference } from "../state/install-state.ts";
import type { InstanceLayout } from "../state/instance-layout.ts";
import { recordedScope } from "../state/recorded-scope.ts";
import { claimedNamespaces } from "./claimed-namespaces.ts";
import { namespacesKeptForOthers } from "./claims.ts";
import { credentialsFlag, credentialsNamespaceOf } from "./credentials-namespace.ts";
import { type Family, type Instance, isGoing, isThere } from "./family.ts";
import { findHeldNamespaces, type HeldNamespaces } from "./held-namespaces.ts";
import { checkNarrowRights } from "./narrow-rights.ts";
import { rightsOf } from "./rights.ts";

type Reference = Pick<ReleaseReference, "version" | "scopeFlags">;
interface Scope {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly record: { readonly state: InstallState };
}

/** A layout that can be applied now, and what it still waits for. */
export interface DesiredLayout {
  readonly layout: InstanceLayout;
  /** What the spec claims and others still hold; empty where there is nothing to wait for. */
  readonly waiting: readonly HeldNamespaces[];
}

/**
 * How an instance can be laid out now: with the namespaces that it claims, without those that others
 * still hold. Throws PhaseError where it can't be narrowed as the spec says.
 */
export async function desiredLayout(
  family: Family,
  reference: Reference,
  scope: Scope,
): Promise<DesiredLayout> {
  const { self, others, first } = family;
  const { state } = scope.record;
  const rights = rightsOf(self.view);
  const claimed = narrowedBy(self.view.identity, self.claim, reference);
  if (rights === "Namespaced") await checkNarrowRights(family, claimed, scope);
  const recorded = recordedScope(state);
  const kept = namespacesKeptForOthers(family, recorded);
  const { watched, waiting } = await reachable(family, { recorded, kept }, scope);
  const accounts = [self, ...others]
    .filter((one) => isBound(one, state.layout?.accounts ?? []))
    .map(({ view }) => view.provider.metadata.namespace ?? "")
    .sort();
  // One that goes has what all share until another one surely has it.
  const isHandingOver = isGoing(self) && state.layout?.first === true && !first.view.isFirst;
  const isFirst = self === first || isHandingOver;
  const admits = scopeOf(admittedNow(family, state));
  const narrowed = narrowedBy(self.view.identity, union(self.claim, kept), reference);
  const isPossible = rights === "Cluster" || (narrowed === "flag" && !watched.isComplement);
  // With what it keeps for others for a while, it may need what it had.
  const had = state.layout ?? { scope: scopeOf(recorded), by: narrowed, rbac: "Cluster" as const };
  const own = isPossible
    ? { scope: scopeOf(watched), by: narrowed, rbac: rights }
    : { scope: had.scope, by: had.by, rbac: had.rbac };
  const layout = { ...own, first: isFirst, admits };
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

/** What an instance has stays its own, or is kept for another; what is new to it comes when nobody else has it any more. */
async function reachable(
  family: Family,
  { recorded, kept }: { readonly recorded: NamespaceSet; readonly kept: NamespaceSet },
  scope: Scope,
): Promise<{ readonly watched: NamespaceSet; readonly waiting: readonly HeldNamespaces[] }> {
  const { self } = family;
  const claim = union(self.claim, kept);
  const wanted = minus(claim, recorded);
  if (isEmpty(wanted)) return { watched: claim, waiting: [] };
  const holdings = await findHeldNamespaces(family, scope);
  const held = union(noNamespaces, ...holdings.map(({ namespaces }) => namespaces));
  const watched = minus(claim, intersection(wanted, held));
  const waiting = holdings
    .map(({ who, namespaces }) => ({ who, namespaces: intersection(wanted, namespaces) }))
    .filter(({ namespaces }) => !isEmpty(namespaces));
  return { watched, waiting };
}

/** What was admitted is let go of when somebody else surely admits it: nothing slips through unseen. */
function admittedNow(family: Family, { layout, release }: InstallState): NamespaceSet {
  const { admitted } = claimedNamespaces(family);
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

function narrowedBy(
  identity: ProviderIdentity,
  { isComplement, names }: NamespaceSet,
  reference: Reference,
): InstanceLayout["by"] {
  const flags = reference.scopeFlags ?? knownScopeFlags(identity, reference.version);
  if (flags === "repeated") return "flag";
  if (isComplement) return names.length === 0 ? "flag" : "proxy";
  return flags === "single" && names.length === 1 ? "flag" : "proxy";
}

function knownScopeFlags(identity: ProviderIdentity, version: string): ScopeFlags {
  return scopeFlagsOf(managerFlags(providerLabel(identity), version));
}
