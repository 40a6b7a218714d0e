import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  compose,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
  writeBody,
} from "@rookery/http";
import { createTestSink, recording, request } from "../../test/handler.ts";
import { countRenamedBytes } from "./renamed-bytes.ts";

/** What was counted while a request went through an interceptor and its answer was read. */
async function counted(
  rename: Interceptor,
  parts: Partial<HttpRequest>,
  response: HttpResponse,
): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {};
  const metrics = {
    renamed: (direction: string, count: number) => {
      bytes[direction] = (bytes[direction] ?? 0) + count;
    },
  };
  const handler = compose(recording(response), ...countRenamedBytes(rename, metrics));
  const { body } = await handler(request(parts));
  await writeBody(body, createTestSink());
  return bytes;
}

const ok = (body: HttpResponse["body"]): HttpResponse => ({ status: 200, headers: {}, body });

/** Replaces bodies by others, as one that renames does. */
const replacing =
  (response: HttpResponse["body"]): Interceptor =>
  (next) =>
  async (asked) => ({
    ...(await next({ ...asked, ...(asked.body && { body: Buffer.from("1234567") }) })),
    body: response,
  });

describe("the bytes that went through renaming", () => {
  const stream: HttpResponse["body"] = (sink) => {
    sink.write(Buffer.from("123"));
    sink.write(Buffer.from("45"));
  };

  it("are those of whole bodies, both ways", async () => {
    const sent = { method: "POST", body: () => {} };
    const bytes = await counted(replacing(Buffer.from("abc")), sent, ok(Buffer.from("x")));
    assert.deepEqual(bytes, { request: 7, response: 3 });
  });

  it("are those of a stream, chunk by chunk", async () => {
    assert.deepEqual(await counted(replacing(stream), {}, ok(undefined)), { response: 5 });
  });

  it("are not those that pass as they are", async () => {
    const passing: Interceptor = (next) => next;
    assert.deepEqual(await counted(passing, { body: () => {} }, ok(stream)), {});
    assert.deepEqual(await counted(passing, {}, ok(Buffer.from("abc"))), {});
  });
});
