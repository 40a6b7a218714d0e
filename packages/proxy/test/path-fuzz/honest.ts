import assert from "node:assert/strict";
import { realGroup } from "../widgets.ts";
import { createRandom, type Random } from "./random.ts";
import type { WireAnswer, WireRequest } from "./send.ts";
import { type FuzzWorld, knownName, mine } from "./world.ts";

const resources = [
  ["/api/v1", "secrets"],
  ["/api/v1", "configmaps"],
  ["/api/v1", "services"],
  ["/apis/coordination.k8s.io/v1", "leases"],
  ["/apis/rbac.authorization.k8s.io/v1", "roles"],
  [`/apis/${realGroup}/v1`, "widgets"],
] as const;

const accepts = [
  "application/json",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
] as const;

/** Compares what the proxy and the server itself answer to requests inside of the scope. */
export async function compareHonest(
  { proxies, direct }: FuzzWorld,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<void> {
  const random = createRandom(seed);
  for (let i = 0; i < count; i++) {
    const request = honestRequest(random);
    const [proxy] = proxies;
    const answers = await Promise.all([proxy.wire.send(request), direct.send(request)]);
    const [found, expected] = answers.map(comparable);
    assert.deepEqual(found, expected, `${request.method} ${request.target}`);
  }
}

function honestRequest(random: Random): WireRequest {
  const [version, resource] = random.pick<readonly [string, string]>(resources);
  const collection = `${version}/namespaces/${random.pick(mine)}/${resource}`;
  const transport = random.oneIn(5) ? "http2" : "http1";
  if (random.oneIn(4)) return create(`${collection}?dryRun=All`, version, transport);
  const name = random.pick(["", "", `/${knownName}`, "/second", "/none"]);
  const query = random.pick([
    "",
    "?limit=1",
    "?pretty=1",
    "?labelSelector=a%3Db",
    "?limit=x",
    "?fieldSelector=metadata.name%3Dsecond",
  ]);
  const path = written(random, collection + name);
  const method = random.pick(["GET", "GET", "GET", "HEAD"]);
  return { transport, method, target: path + query, headers: [["accept", random.pick(accepts)]] };
}

/** In one of the ways in which a client may write it. */
function written(random: Random, path: string): string {
  if (random.oneIn(5)) return `${path}/`;
  if (random.oneIn(5)) return path.replace(/s/g, "%73");
  return random.oneIn(8) ? path.replace("/namespaces/", "/namespaces%2F") : path;
}

function create(target: string, version: string, transport: WireRequest["transport"]): WireRequest {
  const body = JSON.stringify({
    apiVersion: version.replace(/^\/apis?\//, ""),
    metadata: { name: "new" },
  });
  const headers = [["content-type", "application/json"]] as const;
  return { transport, method: "POST", target, headers, body };
}

/** Without what is another each time: versions of lists go on with whatever the server writes, ages with time. */
function comparable({ status, body }: WireAnswer): object {
  const text = body
    .toString()
    .replace(/"(?:uid|creationTimestamp|time|continue)":\s*"[^"]*",?\s*/g, "")
    .replace(/"(?:\d+[smhd])+"(?=\s*\])/g, '"age"')
    .replace(/("metadata":\s*\{\s*"resourceVersion":\s*)"\d+"/, "$1");
  return { status, text };
}
