import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { collectBody, type Handler, type HttpRequest } from "@rookery/http";
import { isFault } from "../errors.ts";
import { SoapConnection } from "./soap.ts";
import { textOf } from "./xml-reader.ts";
import { value } from "./xml-writer.ts";

const self = { type: "SessionManager", value: "SessionManager" };

function connection(status: number, body: string, headers = {}) {
  const requests: HttpRequest[] = [];
  const handler: Handler = (request) => {
    requests.push(request);
    return { status, headers, body: Buffer.from(body) };
  };
  return { soap: new SoapConnection(handler, "test"), requests };
}

const envelope = (body: string): string =>
  `<?xml version="1.0"?><e:Envelope xmlns:e="urn:e"><e:Body>${body}</e:Body></e:Envelope>`;

describe("a call to a vCenter", () => {
  it("names the method, its object and its arguments", async () => {
    const answer = envelope(
      '<LoginResponse xmlns="urn:vim25"><returnval>x</returnval></LoginResponse>',
    );
    const { soap, requests } = connection(200, answer);
    const args = [value("userName", "a&b"), undefined];
    assert.equal(textOf(await soap.call({ method: "Login", self, args })), "x");
    const [request = assert.fail("there was no request")] = requests;
    const sent = Buffer.from(await collectBody(request.body, { limit: 4096 })).toString();
    assert.match(
      sent,
      /<Login xmlns="urn:vim25"><_this type="SessionManager">SessionManager<\/_this><userName>a&amp;b<\/userName><\/Login>/,
    );
  });

  it("may return nothing", async () => {
    const { soap } = connection(200, envelope("<LogoutResponse/>"));
    assert.equal(await soap.call({ method: "Logout", self }), undefined);
  });

  it("is made in the session that the vCenter began", async () => {
    const { soap, requests } = connection(200, envelope("<LoginResponse/>"), {
      "set-cookie": 'vmware_soap_session="abc"; Path=/; HttpOnly',
    });
    await soap.call({ method: "Login", self });
    await soap.call({ method: "Login", self });
    assert.deepEqual(
      requests.map(({ headers }) => headers.cookie),
      [undefined, 'vmware_soap_session="abc"'],
    );
  });

  it("fails with the fault that the vCenter names, by its type or by its element", async () => {
    const details = {
      '<NotAuthenticatedFault xmlns:xsi="urn:x" xsi:type="NotAuthenticated"/>': "NotAuthenticated",
      "<InvalidLoginFault/>": "InvalidLogin",
    };
    for (const [detail, fault] of Object.entries(details)) {
      const body = `<Fault><faultcode>Server</faultcode><faultstring>why</faultstring><detail>${detail}</detail></Fault>`;
      const { soap } = connection(500, envelope(body));
      await assert.rejects(soap.call({ method: "Login", self }), (error: Error) => {
        assert.ok(isFault(error, fault));
        return error.message === `could not call Login: why (${fault})`;
      });
    }
  });

  it("fails when all answers to the one who calls are too long together", async () => {
    const answer = envelope("<LogoutResponse/>");
    const { soap } = connection(200, answer);
    const budget = { bytes: 2 * answer.length };
    for (let time = 0; time < 2; time++) await soap.call({ method: "Logout", self, budget });
    await assert.rejects(soap.call({ method: "Logout", self, budget }), {
      code: "UnexpectedAnswer",
    });
  });

  it("shows what a fault says in part, and on one line", async () => {
    const text = `&#27;[2J\n${"x".repeat(100_000)}`;
    const body = `<Fault><faultstring>${text}</faultstring><detail><AFault/></detail></Fault>`;
    const { soap } = connection(500, envelope(body));
    await assert.rejects(soap.call({ method: "Login", self }), (error: Error) => {
      assert.ok(error.message.length < 400);
      assert.doesNotMatch(error.message, /[\p{Cc}]/u);
      return true;
    });
  });

  const unexpected: Record<string, [status: number, body: string]> = {
    "a page of a load balancer": [503, "<html><body>Service Unavailable</body></html>"],
    "no XML": [200, "nothing"],
    "half of it": [200, envelope("<LoginResponse/>").slice(0, -20)],
    "the answer to something else": [200, envelope("<LogoutResponse/>")],
    nothing: [200, ""],
  };
  for (const [what, [status, body]] of Object.entries(unexpected)) {
    it(`fails when the answer is ${what}`, async () => {
      const { soap } = connection(status, body);
      await assert.rejects(soap.call({ method: "Login", self }), { code: "UnexpectedAnswer" });
    });
  }
});
