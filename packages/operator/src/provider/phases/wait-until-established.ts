import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { type Component, componentKeyOf } from "@rookery/components";
import { type Condition, getCondition, groupVersionPath } from "@rookery/kube";
import { PhaseError } from "../../errors.ts";
import { readApiResources } from "../../storage-versions/definition.ts";
import type { ProviderScope } from "../scope.ts";

const limitMs = 30_000;
const intervalMs = 20;

type Scope = Pick<ProviderScope, "client" | "components" | "signal">;

interface ServedVersion {
  readonly crd: Component;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** Waits until kinds are served, by discovery, because CRDs are large. Errors: PhaseError. */
export async function waitUntilEstablished(
  crds: readonly Component[],
  scope: Scope,
): Promise<void> {
  const end = performance.now() + limitMs;
  // One after the other, as the API server establishes them.
  for (const members of Map.groupBy(crds.flatMap(servedVersions), groupVersionPath).values()) {
    for (;;) {
      const waiting = await notServed(members, scope.client);
      if (waiting.length === 0) break;
      if (performance.now() > end) throw await notEstablished(waiting, scope);
      await delay(intervalMs, undefined, { signal: scope.signal });
    }
  }
}

/** Those of some kinds of one group version that are not served. */
async function notServed(
  members: readonly ServedVersion[],
  client: Client,
): Promise<readonly ServedVersion[]> {
  const [groupVersion] = members;
  const served = groupVersion ? await readApiResources(client, groupVersion) : [];
  const names = new Set(served.map(({ name }) => name));
  return members.filter(({ plural }) => !names.has(plural));
}

function servedVersions(crd: Component): readonly ServedVersion[] {
  const {
    group = "",
    names,
    versions = [],
  } = Object(crd.spec) as {
    group?: string;
    names?: { plural?: string };
    versions?: readonly { name: string; served?: boolean }[];
  };
  return versions
    .filter(({ served }) => served)
    .map(({ name }) => ({ crd, group, version: name, plural: names?.plural ?? "" }));
}

async function notEstablished(
  waiting: readonly ServedVersion[],
  { components }: Scope,
): Promise<PhaseError> {
  const keys = [...new Set(waiting.map(({ crd }) => crd))].map(componentKeyOf);
  const found = await Promise.all(keys.map((key) => components.get(key)));
  return new PhaseError("ProviderInstalled", "ApplyFailed", {
    message: `could not establish all kinds: ${found.map(whyNotEstablished).join("; ")}`,
    retryAfterSeconds: 5,
  });
}

function whyNotEstablished(crd: Component | undefined): string {
  if (crd === undefined) return "a CustomResourceDefinition is not there any more";
  const { conditions } = Object(crd.status) as { conditions?: readonly Condition[] };
  const names = getCondition(conditions, "NamesAccepted");
  const why = names?.status === "False" ? names.message : "it is not served yet";
  return `${crd.metadata.name}: ${why}`;
}
