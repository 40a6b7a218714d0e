import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { json, request } from "../../test/fake-server.ts";
import { FakeTime } from "../../test/fake-time.ts";
import { type Attempt, traceRequests } from "./tracing.ts";

describe("tracing", () => {
  it("tells how each attempt ended and how long it took", async () => {
    const time = new FakeTime();
    const attempts: Attempt[] = [];
    const failed = new Error("failed");
    const answers = [() => json({}, { status: 201 }), () => Promise.reject(failed)];
    for (const answer of answers) {
      const handler = traceRequests(
        (attempt) => attempts.push(attempt),
        time,
      )(async () => {
        await time.pass(5);
        return answer();
      });
      await Promise.resolve(handler(request())).catch(() => {});
    }
    assert.deepEqual(
      attempts.map(({ request: { path }, ...rest }) => ({ path, ...rest })),
      [
        { path: "/api/v1/pods", status: 201, milliseconds: 5 },
        { path: "/api/v1/pods", error: failed, milliseconds: 5 },
      ],
    );
  });
});
