import type { Client } from "@rookery/client";
import { metadataOf } from "../components/metadata-of.ts";
import { PhaseError } from "../errors.ts";
import { minus, noNamespaces, only, setOf } from "../identity/namespace-set.ts";
import { namespaces } from "../resources.ts";
import type { InstallState } from "../state/install-state.ts";
import type { InstanceLayout } from "../state/instance-layout.ts";
import { describeInstance, type Family } from "./family.ts";

interface Scope {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly record: { readonly state: InstallState };
}

/** Namespaces are not watched by name. */
const retrySeconds = 10;
const wide =
  "set spec.watch.rbac to Cluster, with which its account reads the Secrets of all tenants";

/**
 * Whether an account can work with rights in some namespaces alone. It is never given more than
 * that instead. Throws PhaseError, with both ways out.
 */
export async function checkNarrowRights(
  family: Family,
  by: InstanceLayout["by"],
  scope: Scope,
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

/** Those that an instance has rights in already are not asked for again. */
async function missingNamespaces(
  names: readonly string[],
  { client, signal, record: { state } }: Scope,
): Promise<readonly string[]> {
  const { layout } = state;
  const known = layout?.rbac === "Namespaced" ? setOf(layout.scope) : noNamespaces;
  const missing: string[] = [];
  for (const name of minus(only(names), known).names) {
    // A locked operator may list them, and get only those of its providers.
    const selected = { fieldSelector: `metadata.name=${name}`, signal };
    const { items } = await metadataOf(client, namespaces).list(selected);
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
