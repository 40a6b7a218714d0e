import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Handler } from "@rookery/http";
import { isFault, RestRequestError, TagsError } from "../errors.ts";
import { attachTags, RestSession } from "./rest-session.ts";

const credentials = { username: "team", password: "secret" };

/** A REST API that knows one password, forgets sessions when it is told to, and answers one thing. */
function restApi(answer: { status: number; body: string }) {
  const requests: string[] = [];
  const sessions = new Set<string>();
  const reply = (status: number, body: string) => ({
    status,
    headers: {},
    body: Buffer.from(body),
  });
  const handler: Handler = async ({ method, path, headers }) => {
    requests.push(`${method} ${path}`);
    const basic = Buffer.from("team:secret").toString("base64");
    if (path.endsWith("/session") && method === "POST") {
      if (headers.authorization !== `Basic ${basic}`) return reply(401, "");
      sessions.add(`s${sessions.size}-${requests.length}`);
      return reply(200, JSON.stringify({ value: [...sessions].at(-1) }));
    }
    if (!sessions.has(String(headers["vmware-api-session-id"]))) return reply(401, "");
    if (method === "DELETE") sessions.delete(String(headers["vmware-api-session-id"]));
    return reply(answer.status, answer.body);
  };
  return { handler, requests, sessions };
}

const machine = { type: "VirtualMachine", value: "vm-1" };
const attached = { status: 200, body: '{"value":{"success":true}}' };

describe("the REST API of a vCenter", () => {
  it("is asked in one session, which is ended in the end", async () => {
    const { handler, requests, sessions } = restApi(attached);
    const rest = new RestSession(handler, credentials);
    await Promise.all([attachTags(rest, machine, ["a"]), attachTags(rest, machine, ["b"])]);
    assert.equal(requests.filter((one) => one.endsWith("/session")).length, 1);
    await rest.close();
    assert.equal(sessions.size, 0);
  });

  it("is asked in a new session where it has ended the old one", async () => {
    const { handler, sessions } = restApi(attached);
    const rest = new RestSession(handler, credentials);
    await attachTags(rest, machine, ["a"]);
    sessions.clear();
    await attachTags(rest, machine, ["a"]);
    assert.equal(sessions.size, 1);
  });

  it("ends no session where none was begun", async () => {
    const { handler, requests } = restApi(attached);
    await new RestSession(handler, credentials).close();
    assert.deepEqual(requests, []);
  });

  it("says that credentials are no longer taken as the SOAP API does", async () => {
    const { handler } = restApi(attached);
    const rest = new RestSession(handler, { ...credentials, password: "old" });
    await assert.rejects(attachTags(rest, machine, ["a"]), (error) =>
      isFault(error, "NotAuthenticated"),
    );
  });

  it("says which tags it does not have", async () => {
    const body = JSON.stringify({
      value: {
        success: false,
        error_messages: [{ default_message: "Tagging object a not found" }],
      },
    });
    const rest = new RestSession(restApi({ status: 200, body }).handler, credentials);
    await assert.rejects(attachTags(rest, machine, ["a"]), (error) => {
      assert.ok(error instanceof TagsError);
      assert.match(error.message, /Tagging object a not found/);
      return true;
    });
  });

  it("is refused what is no answer", async () => {
    for (const answer of [
      { status: 503, body: "" },
      { status: 200, body: "<html>" },
    ]) {
      const rest = new RestSession(restApi(answer).handler, credentials);
      await assert.rejects(attachTags(rest, machine, ["a"]), RestRequestError);
    }
  });
});
