import type { Client } from "@rookery/client";
import { metadataOnlyClient } from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import { minus, noNamespaces, only, setOf } from "../identity/namespace-set.ts";
import { namespaces } from "../resources.ts";
import type { InstallState, InstanceLayout, Rights } from "../state/install-state.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { describeInstance, type Family, type InstanceWarning } from "./family.ts";

/** From the spec, else the record, else the fewest, so that a lost record never adds rights. */
export function rightsOf({ provider, rights }: Pick<ProviderView, "provider" | "rights">): Rights {
  const { namespaces, rbac } = provider.spec?.watch ?? {};
  if (rbac !== undefined) return rbac;
  return namespaces === undefined ? "Cluster" : (rights ?? "Namespaced");
}

/** A warning if an instance that names its namespaces has rights in the whole cluster by default. */
export function rightsWarnings({ self: { view } }: Family): readonly InstanceWarning[] {
  const { namespaces, rbac } = view.provider.spec?.watch ?? {};
  if (namespaces === undefined || rbac !== undefined || rightsOf(view) !== "Cluster") return [];
  const message =
    "its account may read the Secrets of all namespaces, as before the default of spec.watch.rbac " +
    "changed; set it to Namespaced for rights in spec.watch.namespaces alone, or to Cluster to keep them";
  return [{ reason: "ClusterRights", message }];
}

/** A reconcile, in the parts that decide about a layout. */
export interface LayoutScope {
  readonly client: Client;
  readonly record: { readonly state: InstallState };
}

/** Namespaces are not watched. */
const retrySeconds = 10;
const wide =
  "set spec.watch.rbac to Cluster, with which its account reads the Secrets of all tenants";

/** Throws PhaseError if the rights of an instance cannot be limited to its namespaces. */
export async function checkNarrowRights(
  family: Family,
  by: InstanceLayout["by"],
  scope: LayoutScope,
): Promise<void> {
  const { claim } = family.self;
  if (claim.isComplement) {
    const why = "there are no rights in all namespaces but some";
    throw notPossible(family, `${why}; name them in spec.watch.namespaces, or ${wide}`);
  }
  if (by === "proxy") {
    const why = "its manager lists the whole cluster, unless it is told one namespace";
    throw notPossible(family, `${why}; name one namespace alone, or ${wide}`);
  }
  const missing = await missingNamespaces(claim.names, scope);
  if (missing.length === 0) return;
  const why = `rights can be given only in namespaces that are there, and ${missing.join(", ")} is not`;
  throw notPossible(
    family,
    `${why}; make it, and this goes on by itself, or ${wide}`,
    retrySeconds,
  );
}

/** Namespaces in which the instance already has rights are not read again. */
async function missingNamespaces(
  names: readonly string[],
  { client, record: { state } }: LayoutScope,
): Promise<readonly string[]> {
  const { layout } = state;
  const known = layout?.rbac === "Namespaced" ? setOf(layout.scope) : noNamespaces;
  const missing: string[] = [];
  for (const name of minus(only(names), known).names) {
    // A locked operator may list namespaces, but only get those of its providers.
    const fieldSelector = `metadata.name=${name}`;
    const { items } = await metadataOnlyClient(client.handler, namespaces).list({ fieldSelector });
    if (items.length === 0) missing.push(name);
  }
  return missing;
}

function notPossible(family: Family, why: string, retryAfterSeconds?: number): PhaseError {
  const who = describeInstance(family.self);
  const message = `could not narrow the rights of ${who} to its namespaces: ${why}`;
  const retry = retryAfterSeconds !== undefined && { retryAfterSeconds };
  return new PhaseError("PreflightCheckPassed", "RbacNotPossible", { message, ...retry });
}
