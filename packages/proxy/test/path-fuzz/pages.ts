import assert from "node:assert/strict";
import { protobufTexts } from "@rookery/group-suffix";
import { protobufMediaType } from "@rookery/kube";
import { leakOf } from "./run.ts";
import type { FuzzedProxy, FuzzWorld } from "./world.ts";

const asMetadata = "as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const accepts = [
  "application/json",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  `application/json;${asMetadata}`,
  protobufMediaType,
  `${protobufMediaType};${asMetadata}`,
];

/** Asks for Secrets one by one, each page by the token of the one before, and looks at all that comes. */
export async function walkPages({ proxies }: FuzzWorld): Promise<void> {
  for (const proxy of proxies.filter(({ narrows }) => narrows)) {
    for (const accept of accepts) await walk(proxy, accept);
  }
}

async function walk(proxy: FuzzedProxy, accept: string): Promise<void> {
  const what = `${proxy.name}, ${accept}`;
  const pages: Buffer[] = [];
  let token = "";
  do {
    const target = `/api/v1/secrets?limit=1&continue=${token}`;
    const headers = [["accept", accept]] as const;
    const answer = await proxy.wire.send({ transport: "http1", method: "GET", target, headers });
    assert.equal(answer.status, 200, what);
    assert.equal(leakOf(answer, proxy), undefined, what);
    pages.push(answer.body);
    token = tokenOf(answer.body, accept);
    assert.doesNotMatch(Buffer.from(token, "base64url").toString("latin1"), /theirs|default/, what);
  } while (token !== "" && pages.length < 30);
  assert.equal(token, "", what);
  // Of the scope, each came in its turn.
  assert.ok(pages.length >= 2, what);
  assert.match(Buffer.concat(pages).toString("latin1"), /second/, what);
}

function tokenOf(body: Buffer, accept: string): string {
  if (accept.startsWith(protobufMediaType)) return protobufTexts(body, [1, 3]).at(-1) ?? "";
  return JSON.parse(body.toString()).metadata.continue ?? "";
}
