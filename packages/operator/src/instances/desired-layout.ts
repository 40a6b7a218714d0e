import { managerFlags, providerLabel, type ScopeFlags, scopeFlagsOf } from "@rookery/components";
import { refusal } from "../preflight/refusal.ts";
import type { ProviderScope } from "../provider/scope.ts";
import type { InstallState, ReleaseReference } from "../state/install-state.ts";
import { credentialsFlag, credentialsNamespaceOf } from "./credentials-namespace.ts";
import { divisionOf } from "./division.ts";
import { describeInstance, type Family } from "./family.ts";
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
import { recordedScope } from "./recorded-scope.ts";

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
  const { rbac = "Cluster" } = self.view.provider.spec?.watch ?? {};
  const by = narrowedBy(family, reference);
  if (rbac === "Namespaced" && (by === "proxy" || self.claim.isComplement)) throw noRbac(family);
  const { watched, waiting } = await reachable(family, recordedScope(state), scope);
  const accounts = [self, ...others]
    .filter(({ view }) => view.provider.spec?.watch?.rbac !== "Namespaced")
    .map(({ view }) => view.provider.metadata.namespace ?? "")
    .sort();
  const isFirst = self === first;
  const admits = scopeOf(admittedNow(family, state));
  const layout = { scope: scopeOf(watched), by, first: isFirst, admits, rbac };
  const shared = { accounts: isFirst ? accounts : [], ...credentials(family, reference, state) };
  return { layout: { ...layout, ...shared }, waiting };
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
  return { credentials: credentialsNamespaceOf(family, layout?.credentials) };
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

function noRbac({ self }: Family) {
  const why = self.claim.isComplement
    ? "there are no rights in all namespaces but some; name them in spec.watch.namespaces"
    : "its manager lists the whole cluster, unless it is told one namespace; name one alone, or leave " +
      "spec.watch.rbac out";
  return refusal(
    "RbacNotPossible",
    `could not narrow the rights of ${describeInstance(self)}: ${why}`,
  );
}
