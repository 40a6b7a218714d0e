import type { Client } from "@rookery/client";
import {
  managerFlags,
  type ProviderIdentity,
  providerLabel,
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
import type { InstallState, InstanceLayout, ReleaseReference } from "../state/install-state.ts";
import { recordedScope } from "../state/install-state.ts";
import { claimedNamespaces } from "./claimed-namespaces.ts";
import { namespacesKeptForOthers } from "./claims.ts";
import { isDeleting } from "./core-of.ts";
import { credentialsFlag, credentialsNamespaceOf } from "./credentials-namespace.ts";
import { type Family, hasComponents, type Instance } from "./family.ts";
import { findHeldNamespaces, type HeldNamespaces } from "./held-namespaces.ts";
import { checkNarrowRights, type LayoutScope, rightsOf } from "./rights.ts";

type Reference = Pick<ReleaseReference, "version" | "scopeFlags">;

/** A layout that can be applied now. */
export interface DesiredLayout {
  readonly layout: InstanceLayout;
  /** Claimed namespaces that others still hold. */
  readonly waiting: readonly HeldNamespaces[];
}

/** The layout with all claimed namespaces that no other instance holds. Throws PhaseError. */
export async function desiredLayout(
  family: Family,
  reference: Reference,
  scope: LayoutScope,
): Promise<DesiredLayout> {
  const { self, others, first } = family;
  const { state } = scope.record;
  const rights = rightsOf(self.view);
  const claimed = narrowedBy(self.view.identity, self.claim, reference);
  if (rights === "Namespaced") await checkNarrowRights(family, claimed, scope);
  const recorded = recordedScope(state);
  const kept = namespacesKeptForOthers(family, recorded);
  const { watched, waiting } = await watchable(family, { recorded, kept }, scope.client);
  const accounts = [self, ...others]
    .filter((one) => hasClusterRights(one, state.layout?.accounts ?? []))
    .map(({ view }) => view.provider.metadata.namespace ?? "")
    .sort();
  // The first keeps the shared objects during its deletion until another one surely has them.
  const isHandingOver =
    isDeleting(self.view) && state.layout?.first === true && !first.view.isFirst;
  const isFirst = self === first || isHandingOver;
  const narrowed = narrowedBy(self.view.identity, union(self.claim, kept), reference);
  const isPossible = rights === "Cluster" || (narrowed === "flag" && !watched.isComplement);
  // Namespaces that are kept for others may require the previous rights.
  const before = state.layout ?? { scope: scopeOf(recorded), by: narrowed, rbac: "Cluster" };
  const layout: InstanceLayout = {
    scope: isPossible ? scopeOf(watched) : before.scope,
    by: isPossible ? narrowed : before.by,
    rbac: isPossible ? rights : before.rbac,
    first: isFirst,
    admits: scopeOf(admittedNow(family, state)),
    accounts: isFirst ? accounts : [],
    ...credentials(family, reference, state),
  };
  return { layout, waiting };
}

/** Without a trusted record, such as right after its seal was written, the rights stay as they are. */
function hasClusterRights(instance: Instance, before: readonly string[]): boolean {
  const { provider, rights } = instance.view;
  if (rightsOf(instance.view) === "Cluster") return true;
  const isUnknown = provider.spec?.watch?.rbac === undefined && rights === undefined;
  const { namespace = "" } = provider.metadata;
  return isUnknown && hasComponents(instance) && before.includes(namespace);
}

/** The recorded and kept namespaces, and claimed ones that no other instance holds any more. */
async function watchable(
  family: Family,
  { recorded, kept }: { readonly recorded: NamespaceSet; readonly kept: NamespaceSet },
  client: Client,
): Promise<{ readonly watched: NamespaceSet; readonly waiting: readonly HeldNamespaces[] }> {
  const claim = union(family.self.claim, kept);
  const wanted = minus(claim, recorded);
  if (isEmpty(wanted)) return { watched: claim, waiting: [] };
  const held = await findHeldNamespaces(family, client);
  const all = union(noNamespaces, ...held.map(({ namespaces }) => namespaces));
  const waiting = held
    .map(({ holder, namespaces }) => ({ holder, namespaces: intersection(wanted, namespaces) }))
    .filter(({ namespaces }) => !isEmpty(namespaces));
  return { watched: minus(claim, intersection(wanted, all)), waiting };
}

/** Namespaces are admitted until another instance surely admits them, so that no write is missed. */
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
  { scopeFlags, version }: Reference,
): InstanceLayout["by"] {
  const flags = scopeFlags ?? scopeFlagsOf(managerFlags(providerLabel(identity), version));
  if (flags === "repeated") return "flag";
  if (isComplement) return names.length === 0 ? "flag" : "proxy";
  return flags === "single" && names.length === 1 ? "flag" : "proxy";
}
