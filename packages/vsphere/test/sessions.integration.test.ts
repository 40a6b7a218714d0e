import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { FakeClock, waitFor } from "@rookery/testing";
import { InvalidCredentialsError } from "../src/errors.ts";
import type { Session, SessionTarget } from "../src/sessions/session.ts";
import { SessionManager } from "../src/sessions/session-manager.ts";
import { connectVCenter, type VCenter } from "../src/vim/connect.ts";
import { listObjects } from "../src/vim/inventory.ts";
import { currentSession, login } from "../src/vim/session.ts";
import { type Simulator, simulatorUnavailable, startSimulator } from "./vcsim.ts";
import { listSessions, terminateSessions } from "./vim-calls.ts";

const skip = await simulatorUnavailable();
const observer = { username: "observer", password: "observer" };

describe("sessions on a vCenter", { skip }, () => {
  let simulator: Simulator;
  let watcher: VCenter;
  before(async () => {
    simulator = await startSimulator();
  });
  after(() => simulator[Symbol.asyncDispose]());
  beforeEach(async () => {
    await simulator.setAccounts({ observer: "observer", team: "first", other: "other" });
    watcher = await connectVCenter({ server: simulator.server, ca: simulator.ca });
    await login(watcher, observer);
  });

  const target = (password = "first", username = "team"): SessionTarget => {
    const { server, thumbprint } = simulator;
    return { server, thumbprint, username, password };
  };
  /** Those of others, as the server counts them. */
  const open = async (username = "team") =>
    (await listSessions(watcher)).filter(({ userName }) => userName === username);
  const machines = ({ vcenter }: Session) =>
    listObjects(vcenter, { type: "VirtualMachine", paths: ["name"] });

  it("are one for a hundred clusters with one account, also when all begin at once", async () => {
    await using sessions = new SessionManager();
    const found = await Promise.all(
      Array.from({ length: 100 }, (_, index) => sessions.use(`${index}`, target(), machines)),
    );
    assert.equal(new Set(found.map(({ length }) => length)).size, 1);
    assert.equal((await open()).length, 1);
  });

  it("are logged out when the manager stops, all of them", async () => {
    {
      await using sessions = new SessionManager();
      await sessions.use("a", target(), machines);
      await sessions.use("b", target("other", "other"), machines);
      assert.equal((await open()).length + (await open("other")).length, 2);
    }
    assert.equal((await open()).length + (await open("other")).length, 0);
  });

  it("are not given out any more after that", async () => {
    const sessions = new SessionManager();
    await sessions[Symbol.asyncDispose]();
    await assert.rejects(sessions.use("a", target(), machines), { code: "SessionsClosed" });
  });

  it("end with the last cluster that uses them", async () => {
    await using sessions = new SessionManager();
    await sessions.use("a", target(), machines);
    await sessions.use("b", target(), machines);
    sessions.release("a");
    await sessions.use("b", target(), machines);
    assert.equal((await open()).length, 1);
    sessions.release("b");
    await waitFor(async () => (await open()).length === 0, { what: "the logout" });
  });

  it("are replaced when the password is changed, and the old ones logged out", async () => {
    await using sessions = new SessionManager();
    await sessions.use("a", target(), machines);
    const [old] = await open();
    await simulator.setAccounts({ observer: "observer", team: "second" });
    await sessions.use("a", target("second"), machines);
    const keys = async () => (await open()).map(({ key }) => key);
    await waitFor(async () => !(await keys()).includes(old?.key ?? ""), { what: "the logout" });
    assert.equal((await open()).length, 1);
  });

  it("go on with the old password as long as it is the one that is given", async () => {
    await using sessions = new SessionManager();
    await sessions.use("a", target(), machines);
    await simulator.setAccounts({ observer: "observer", team: "second" });
    await sessions.use("a", target(), machines);
    assert.equal((await open()).length, 1);
  });

  it("are opened anew when the vCenter has ended them, and the work is done", async () => {
    await using sessions = new SessionManager();
    const before = await sessions.use("a", target(), ({ vcenter }) => currentSession(vcenter));
    await terminateSessions(watcher, [before?.key ?? ""]);
    const found = await Promise.all(
      ["a", "b", "c"].map((one) => sessions.use(one, target(), machines)),
    );
    assert.ok(found.every(({ length }) => length > 0));
    const [session, ...more] = await open();
    assert.deepEqual(more, []);
    assert.notEqual(session?.key, before?.key);
  });

  it("are asked about once in a while, once for all", async () => {
    const clock = new FakeClock();
    await using sessions = new SessionManager({ clock, livenessMs: 60_000 });
    const vcenter = await sessions.use("a", target(), async (session) => session.vcenter);
    const before = await currentSession(vcenter);
    await terminateSessions(watcher, [before?.key ?? ""]);
    const nothing = async () => {};
    await sessions.use("a", target(), nothing);
    assert.equal((await open()).length, 0, "it was not asked about yet");
    await clock.advance(60_000);
    await Promise.all(["a", "b", "c"].map((one) => sessions.use(one, target(), nothing)));
    assert.equal((await open()).length, 1);
  });

  it("survive a restart of the vCenter", async () => {
    await using sessions = new SessionManager();
    await sessions.use("a", target(), machines);
    await simulator.restart();
    assert.ok((await sessions.use("a", target(), machines)).length > 0);
  });

  it("are not asked for again and again with a wrong password", async () => {
    const clock = new FakeClock();
    await using sessions = new SessionManager({ clock });
    /** Whether the vCenter was asked can be told by the cause. */
    const refused = (isAsked: boolean) => (error: unknown) =>
      error instanceof InvalidCredentialsError && (error.cause !== undefined) === isAsked;
    const attempt = () => sessions.use("a", target("wrong"), machines);
    await assert.rejects(attempt(), refused(true));
    await simulator.setAccounts({ observer: "observer", team: "wrong" });
    for (let time = 0; time < 3; time++) {
      await assert.rejects(attempt(), refused(false));
    }
    await clock.advance(30_000);
    assert.ok((await attempt()).length > 0);
  });

  it("wait longer after each refusal, and not at all with other credentials", async () => {
    const clock = new FakeClock();
    await using sessions = new SessionManager({ clock });
    const waits: number[] = [];
    for (let time = 0; time < 10; time++) {
      const error = await sessions.use("a", target("wrong"), machines).catch((caught) => caught);
      assert.ok(error instanceof InvalidCredentialsError);
      assert.doesNotMatch(error.message, /first/);
      waits.push(error.retryAfterMs / 1000);
      await clock.advance(error.retryAfterMs);
    }
    assert.deepEqual(waits, [30, 60, 120, 240, 480, 960, 1800, 1800, 1800, 1800]);
    assert.ok((await sessions.use("a", target(), machines)).length > 0);
  });

  it("are counted for each server", async () => {
    const heard: unknown[] = [];
    const metrics = {
      open: (server: string, count: number) => heard.push([server, count]),
      loggedIn: () => heard.push("in"),
      loginFailed: (error: unknown) => heard.push(error),
    };
    {
      await using sessions = new SessionManager({ metrics });
      await sessions.use("a", target(), machines);
      await sessions.use("b", target("other", "other"), machines);
    }
    const { server } = simulator;
    const opened = ["in", [server, 1], "in", [server, 2]];
    assert.deepEqual(heard, [...opened, [server, 1], [server, 0]]);
  });

  it("tell of logins that failed, and not of those that are put off", async () => {
    const failures: unknown[] = [];
    const ignore = () => {};
    const loginFailed = (error: unknown) => failures.push(error);
    const metrics = { open: ignore, loggedIn: ignore, loginFailed };
    await using sessions = new SessionManager({ metrics, clock: new FakeClock() });
    for (let time = 0; time < 3; time++) {
      await assert.rejects(sessions.use("a", target("wrong"), machines));
    }
    assert.equal(failures.length, 1);
    assert.ok(failures[0] instanceof InvalidCredentialsError);
  });
});
