/**
 * Writes src/generated/column-descriptions.json: what a real kube-apiserver says of the columns of
 * each kind that is served, by its group and kind, in their order. Each text is there once.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startKubernetes } from "@rookery/testing";
import { servedKinds } from "./served-kinds.ts";

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
const kinds = new Set(Object.values(servedKinds).flat());

await using kubernetes = await startKubernetes({ controllerManager: false });
const { body: groups } = await kubernetes.request("GET", "/apis");
const versions: string[] = groups.groups.map(
  (group: { preferredVersion: { groupVersion: string } }) => group.preferredVersion.groupVersion,
);

const texts: string[] = [];
const columns: Record<string, number[]> = {};
await describe("/api/v1", "");
for (const version of versions) await describe(`/apis/${version}`, version.split("/")[0] ?? "");
const file = join(import.meta.dirname, "../src/generated/column-descriptions.json");
writeFileSync(file, `${JSON.stringify({ texts, columns })}\n`);

async function describe(path: string, group: string): Promise<void> {
  const { body } = await kubernetes.request("GET", path);
  const resources: readonly ApiResource[] = body.resources;
  for (const { name, kind, verbs } of resources) {
    if (name.includes("/") || !verbs.includes("list") || !kinds.has(kind)) continue;
    const { body: table } = await kubernetes.request("GET", `${path}/${name}`, {
      headers: { accept },
    });
    const definitions: readonly { description: string }[] = table.columnDefinitions;
    columns[`${group}/${kind}`] = definitions.map(({ description }) => placeOf(description));
  }
}

function placeOf(text: string): number {
  if (!texts.includes(text)) texts.push(text);
  return texts.indexOf(text);
}
