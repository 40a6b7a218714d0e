import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { type Component, componentKeyOf } from "@rookery/components";
import { collectBody, discardBody } from "@rookery/http";
import { type Condition, getCondition, groupVersionPath } from "@rookery/kube";
import { PhaseError } from "../../errors.ts";
import type { ProviderScope } from "../scope.ts";

const limitMs = 30_000;
const intervalMs = 20;
const limit = 10_000_000;

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
  const groupVersions = Map.groupBy(crds.flatMap(servedVersions), groupVersionPath);
  const end = performance.now() + limitMs;
  // One after the other, as the API server establishes them.
  for (const [path, members] of groupVersions)
    await waitForGroupVersion(path, members, { ...scope, end });
}

async function waitForGroupVersion(
  path: string,
  members: readonly ServedVersion[],
  scope: Scope & { readonly end: number },
): Promise<void> {
  for (;;) {
    const served = await servedAt(path, scope.client);
    const waiting = members.filter(({ plural }) => !served.has(plural));
    if (waiting.length === 0) return;
    if (performance.now() > scope.end) throw await notEstablished(waiting, scope);
    await delay(intervalMs, undefined, { signal: scope.signal });
  }
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

async function servedAt(path: string, client: Client): Promise<ReadonlySet<string>> {
  const { status, body } = await client.raw({ path });
  if (status !== 200) {
    await discardBody(body);
    return new Set();
  }
  const text = new TextDecoder().decode(await collectBody(body, { limit }));
  const { resources = [] } = JSON.parse(text) as { resources?: readonly { name: string }[] };
  return new Set(resources.map(({ name }) => name));
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
