import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HttpRequest } from "@rookery/http";
import { type Answer, FakeServer, failure, json, request } from "../../test/fake-server.ts";
import type { Credential, CredentialSource } from "../credentials/credential.ts";
import { authenticate } from "./authentication.ts";

const refused = failure(401, "Unauthorized");
const ok = json({});

/** Gives one credential after another; a renewal goes on to the next. */
class FakeSource implements CredentialSource {
  readonly #credentials: (Credential | Error)[];

  constructor(...credentials: (Credential | Error)[]) {
    this.#credentials = credentials;
  }

  async get(): Promise<Credential> {
    const [first = {}] = this.#credentials;
    if (first instanceof Error) throw first;
    return first;
  }

  async renew(): Promise<Credential | undefined> {
    this.#credentials.shift();
    return this.#credentials.length > 0 ? this.get() : undefined;
  }

  close(): void {}
}

function setUp(source: CredentialSource, ...answers: Answer[]) {
  const server = new FakeServer(...answers);
  const certificates: string[] = [];
  const onCertificate = ({ cert }: { cert: string }) => certificates.push(cert);
  const handler = authenticate({ source, onCertificate })(server.handler);
  const send = async (parts: Partial<HttpRequest> = {}) => handler(request(parts));
  const shown = () => server.seen.map(({ headers }) => headers.authorization);
  return { send, shown, certificates };
}

const token = (name: string): Credential => ({ authorization: `Bearer ${name}` });

describe("authentication", () => {
  it("shows the credential", async () => {
    const { send, shown } = setUp(new FakeSource(token("a")), ok);
    assert.equal(await send(), ok);
    assert.deepEqual(shown(), ["Bearer a"]);
  });

  it("leaves a request alone that shows one itself", async () => {
    const { send, shown } = setUp(new FakeSource(new Error("not asked")), refused);
    assert.equal(await send({ headers: { authorization: "own" } }), refused);
    assert.deepEqual(shown(), ["own"]);
  });

  it("sends the request once more with another credential after 401", async () => {
    const { send, shown } = setUp(new FakeSource(token("a"), token("b")), refused, ok);
    assert.equal(await send({ method: "POST", body: Buffer.from("{}") }), ok);
    assert.deepEqual(shown(), ["Bearer a", "Bearer b"]);
  });

  it("does so only once", async () => {
    const source = new FakeSource(token("a"), token("b"), token("c"));
    const { send, shown } = setUp(source, refused);
    assert.equal(await send(), refused);
    assert.deepEqual(shown(), ["Bearer a", "Bearer b"]);
  });

  it("returns the 401 where no other credential is to be had", async () => {
    const { send, shown } = setUp(new FakeSource(token("a")), refused);
    assert.equal(await send(), refused);
    assert.equal(shown().length, 1);
  });

  it("returns the 401 of a request whose body cannot be sent again", async () => {
    const { send, shown } = setUp(new FakeSource(token("a"), token("b")), refused);
    const body: HttpRequest["body"] = (sink) => void sink.write(Buffer.from("{}"));
    assert.equal(await send({ method: "POST", body }), refused);
    assert.equal(shown().length, 1);
  });

  it("fails where there is no credential, at first or after 401", async () => {
    const none = new Error("no credential");
    await assert.rejects(setUp(new FakeSource(none), ok).send(), none);
    await assert.rejects(setUp(new FakeSource(token("a"), none), refused).send(), none);
  });

  it("changes the certificate of the connection when another one is shown", async () => {
    const certificate = (cert: string) => ({ certificate: { cert, key: "k" } });
    const source = new FakeSource(certificate("a"), certificate("b"));
    const { send, shown, certificates } = setUp(source, ok, refused, ok);
    await send();
    await send();
    assert.deepEqual(certificates, ["a", "b"]);
    assert.deepEqual(shown(), [undefined, undefined, undefined]);
  });

  it("does not wait for a credential when the request is given up", async () => {
    const never = { get: () => new Promise<never>(() => {}), renew: async () => ({}), close() {} };
    const controller = new AbortController();
    const sent = setUp(never, ok).send({ signal: controller.signal });
    controller.abort(new Error("given up"));
    await assert.rejects(sent, /given up/);
  });
});
