import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestError } from "@rookery/http";
import { CircuitOpenError } from "@rookery/runtime";
import { FakeClock, freePort, startHostileServer } from "@rookery/testing";
import { VCenterTimeoutError } from "../errors.ts";
import type { SessionTarget } from "./session.ts";
import { SessionManager } from "./session-manager.ts";

const { signal } = new AbortController();
const nothing = async () => {};

function target(server: string, parts: Partial<SessionTarget> = {}): SessionTarget {
  return { server, username: "team", password: "p", thumbprint: "AB".repeat(20), ...parts };
}

async function closedServer(): Promise<string> {
  return `127.0.0.1:${await freePort("127.0.0.1")}`;
}

function setUp() {
  const clock = new FakeClock();
  const sessions = new SessionManager({ clock });
  const attempt = (tenant: string, where: SessionTarget) =>
    sessions.within({ tenant, signal }).use(`${tenant}/a`, where, nothing);
  return { clock, sessions, attempt };
}

describe("a vCenter that fails", () => {
  it("is left alone after three failures, until its pause is over", async () => {
    const { clock, sessions, attempt } = setUp();
    await using _ = sessions;
    const server = target(await closedServer());
    for (let time = 0; time < 3; time++) await assert.rejects(attempt("a", server), RequestError);
    await assert.rejects(attempt("a", server), CircuitOpenError);
    await clock.advance(15_000);
    await assert.rejects(attempt("a", server), RequestError);
    await assert.rejects(attempt("a", server), CircuitOpenError);
  });

  it("is left alone for a tenant with any account, and not for another tenant's account", async () => {
    const { sessions, attempt } = setUp();
    await using _ = sessions;
    const server = await closedServer();
    for (const username of ["x", "y", "z"]) {
      await assert.rejects(attempt("a", target(server, { username })), RequestError);
    }
    await assert.rejects(attempt("a", target(server)), CircuitOpenError);
    await assert.rejects(attempt("b", target(server)), RequestError);
  });

  it("is left alone for all who log in to it in the same way", async () => {
    const { sessions, attempt } = setUp();
    await using _ = sessions;
    const server = target(await closedServer());
    for (const tenant of ["a", "b", "c"]) {
      await assert.rejects(attempt(tenant, server), RequestError);
    }
    await assert.rejects(attempt("d", server), CircuitOpenError);
  });

  it("has not failed where a certificate is not the one that is trusted", async () => {
    const { sessions, attempt } = setUp();
    await using _ = sessions;
    await using server = await startHostileServer("never answers");
    for (let time = 0; time < 10; time++) {
      await assert.rejects(attempt("a", target(server.server)), { code: "TlsFailed" });
    }
  });
});

describe("work on a vCenter that never answers", () => {
  it("ends with the reconcile, also while it waits for a login of others", async () => {
    await using sessions = new SessionManager();
    await using server = await startHostileServer("never answers");
    const { thumbprint } = server;
    const stop = new AbortController();
    const where = target(server.server, { thumbprint });
    const waiting = sessions.within({ tenant: "a", signal: stop.signal }).use("a", where, nothing);
    stop.abort(new Error("the process ends"));
    await assert.rejects(waiting, /the process ends/);
  });

  it("ends when all its calls together took too long", async () => {
    await using sessions = new SessionManager({ workMs: 100 });
    await using server = await startHostileServer("never answers");
    const { thumbprint } = server;
    const where = target(server.server, { thumbprint });
    await assert.rejects(
      sessions.within({ tenant: "a", signal }).use("a", where, nothing),
      VCenterTimeoutError,
    );
  });
});
