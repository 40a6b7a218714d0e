import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";
import {
  createProtobufRenamer,
  createProtobufWatchRenamer,
  renameGroups,
} from "@rookery/group-suffix";
import { Context, collectBody } from "@rookery/http";
import { ensureGoProgram, whyUnavailable } from "@rookery/testing";
import { openApiDocument } from "./open-api-document.ts";
import { goModule, keepObjects, keptBytes, mapping, readObjects } from "./protobuf-objects.ts";

/** ROOKERY_CONFORMANCE=record writes the kept objects anew. */
const recording = process.env.ROOKERY_CONFORMANCE === "record";
const keptSeed = 1;

const skip = await whyUnavailable(() => ensureGoProgram(goModule));

describe("objects that Go makes and renames by its types", { skip }, () => {
  let program: string;

  before(async () => {
    program = await ensureGoProgram(goModule);
  });

  const makeObjects = async (seed: number, variants: number): Promise<Uint8Array> => {
    const settings = { encoding: "buffer", maxBuffer: 2 ** 28 } as const;
    const args = ["fixtures", String(seed), String(variants)];
    return (await promisify(execFile)(program, args, settings)).stdout;
  };

  it("are those that are kept for runs without Go", async () => {
    const made = await makeObjects(keptSeed, 1);
    if (recording) keepObjects(made);
    assert.ok(Buffer.from(made).equals(keptBytes()), "run with ROOKERY_CONFORMANCE=record");
  });

  it("become the same here, whatever is in them", async (t) => {
    const seed = Number(process.env.ROOKERY_SEED ?? Math.floor(Math.random() * 1e6));
    t.diagnostic(`ROOKERY_SEED=${seed}`);
    const renamer = createProtobufRenamer({ mapping });
    const watchRenamer = createProtobufWatchRenamer({ mapping });
    const objects = readObjects(await makeObjects(seed, 6));
    assert.ok(objects.length > 2000);
    for (const { name, variant, protobuf, renamedProtobuf } of objects) {
      const { rename } = name === "watch" ? watchRenamer : renamer;
      const what = `${name}, variant ${variant} of seed ${seed}`;
      const renamed = rename(protobuf, undefined);
      assert.ok(Buffer.from(renamed).equals(renamedProtobuf), what);
      assert.ok(Buffer.from(rename(renamed, undefined)).equals(protobuf), what);
    }
  });

  it("are as OpenAPI in Protobuf what they are in JSON", async () => {
    const encode = (json: object) =>
      execFileSync(program, ["openapi"], { input: JSON.stringify(json), maxBuffer: 2 ** 28 });
    const virtual = openApiDocument("nests.pinniped.dev");
    const real = openApiDocument("nests.team1.example.com");
    const openApi = async (body: Uint8Array) => {
      const type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
      const handler = renameGroups({ mapping })?.(() => ({
        status: 200,
        headers: { "content-type": type },
        body,
      }));
      const answer = await handler?.({
        method: "GET",
        path: "/openapi/v2",
        query: "",
        context: Context.empty,
        headers: { accept: type.replace("v2.v1", "v2@v1") },
        signal: new AbortController().signal,
      });
      return Buffer.from(await collectBody(answer?.body, { limit: 2 ** 28 }));
    };
    assert.ok((await openApi(encode(virtual))).equals(encode(real)));
    assert.ok((await openApi(encode(real))).equals(encode(virtual)));
  });
});
