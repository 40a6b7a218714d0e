import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { LogValues } from "./logger.ts";
import { createLogger } from "./pino-logger.ts";

function setUp(verbosity?: number) {
  const lines: string[] = [];
  const output = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ output, ...(verbosity !== undefined && { verbosity }) });
  const read = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, read, text: () => lines.join("") };
}

describe("a line", () => {
  it("has a level, a time, the message and the values", () => {
    const { logger, read } = setUp();
    logger.info("Starting workers", { workerCount: 3 });
    const [{ ts, ...line } = {}] = read();
    assert.deepEqual(line, { level: "info", msg: "Starting workers", workerCount: 3 });
    assert.match(String(ts), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it("of an error has its message, code, causes and stack", () => {
    const { logger, read } = setUp();
    const cause = new TypeError("connection refused");
    const error = Object.assign(new Error("could not list pods", { cause }), { code: "List" });
    logger.error(error, "Reconciler error", { name: "a" });
    const [{ ts: _, stacktrace, ...line } = {}] = read();
    assert.deepEqual(line, {
      level: "error",
      msg: "Reconciler error",
      name: "a",
      error: "could not list pods",
      errorCode: "List",
      errorCauses: ["TypeError: connection refused"],
    });
    assert.match(String(stacktrace), /pino-logger\.test\.ts/);
  });

  it("of an aggregate tells its parts, and of what is no error what it is", () => {
    const { logger, read } = setUp();
    logger.error(new AggregateError([new Error("one"), new Error("two")], "both"), "Failed");
    logger.error("thrown", "Failed");
    assert.deepEqual(read()[0]?.errorCauses, ["Error: one", "Error: two"]);
    assert.equal(read()[1]?.error, "thrown");
  });

  it("has the values and the names of its logger, the last value standing", () => {
    const { logger, read } = setUp();
    const child = logger.withName("manager").withValues({ controller: "a", name: "x" });
    child.withName("controller").withValues({ name: "y" }).info("Reconciling", { attempt: 1 });
    logger.info("Other");
    const [{ ts: _, ...line } = {}, other] = read();
    assert.deepEqual(line, {
      level: "info",
      logger: "manager.controller",
      controller: "a",
      name: "y",
      attempt: 1,
      msg: "Reconciling",
    });
    assert.equal(other?.controller, undefined);
  });
});

describe("the verbosity", () => {
  const rows: Record<number, string[]> = { 0: ["Info"], 3: ["Info"], 4: ["Debug", "Info"] };
  for (const [verbosity, messages] of Object.entries(rows)) {
    it(`${verbosity} shows ${messages.join(" and ")}`, () => {
      const { logger, read } = setUp(Number(verbosity));
      logger.debug("Debug");
      logger.info("Info");
      assert.deepEqual(
        read().map(({ msg }) => msg),
        messages,
      );
    });
  }
});

describe("secrets", () => {
  const secret = "c2VjcmV0LXZhbHVl";
  const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl";
  const pem = `-----BEGIN EC PRIVATE KEY-----\n${secret}\n-----END EC PRIVATE KEY-----`;
  const rows: Record<string, LogValues> = {
    "a password by its key": { password: secret },
    "a token by the end of its key, at any depth": { user: [{ bearerToken: secret }] },
    "a header": { headers: { Authorization: `Bearer ${secret}` } },
    "a client key": { "client-key": secret, clientKey: secret, private_key: secret },
    "a bearer token in text": { message: `sent Bearer ${secret} to the server` },
    "a private key in text": { message: `read ${pem}` },
    "the beginning of a private key": { message: `-----BEGIN PRIVATE KEY-----\n${secret}` },
    "a password in an address": { address: `https://admin:${secret}@vcenter.example.com/sdk` },
    "the data of a Secret": {
      object: { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: { x: secret } },
    },
    "the bytes of a buffer": { body: Buffer.from(secret) },
  };
  for (const [name, values] of Object.entries(rows)) {
    it(`are left out: ${name}`, () => {
      const { logger, text } = setUp();
      logger.info("Message", values);
      logger.withValues(values).error(new Error("failed"), "Message");
      assert.ok(!text().includes(secret), text());
      assert.ok(text().includes("Message"));
    });
  }

  it("are left out of the message, the stack and the causes of an error", () => {
    const { logger, text } = setUp();
    const cause = new Error(`Basic ${secret}`);
    const error = Object.assign(new Error(`refused ${jwt}`, { cause }), { response: { jwt } });
    logger.error(error, "Failed");
    logger.info("Failed", { error });
    assert.ok(!text().includes(secret) && !text().includes(jwt), text());
  });

  it("are not what merely names one", () => {
    const { logger, read } = setUp();
    const values = {
      secretName: "a",
      tokenFile: "/run/token",
      address: "https://example.com:6443/x@y",
    };
    logger.info("Message", values);
    const [{ ts: _, level: __, msg: ___, ...line } = {}] = read();
    assert.deepEqual(line, values);
  });
});

describe("values of any kind", () => {
  it("a Kubernetes object is its kind and name", () => {
    const { logger, read } = setUp();
    const metadata = { namespace: "ns", name: "a", labels: { x: "y" } };
    logger.info("Message", { pod: { apiVersion: "v1", kind: "Pod", metadata, spec: {} } });
    const [line] = read();
    assert.deepEqual(line?.pod, { apiVersion: "v1", kind: "Pod", namespace: "ns", name: "a" });
  });

  it("a circle, a big number, a date and an address can be written", () => {
    const { logger, read } = setUp();
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const date = new Date(0);
    logger.info("Message", { circle, big: 1n, date, url: new URL("https://example.com") });
    const [line] = read();
    assert.equal(line?.big, "1");
    assert.equal(line?.date, "1970-01-01T00:00:00.000Z");
    assert.equal(line?.url, "https://example.com/");
  });
});
