import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Context, type HttpRequest } from "@rookery/http";
import { AuthenticatorRegistry, examinedCheck } from "./registry.ts";

const { signal } = new AbortController();
const request: HttpRequest = {
  method: "GET",
  path: "/readyz",
  query: "",
  headers: {},
  signal,
  context: Context.empty,
};
const object = (name: string) => ({
  apiVersion: "authentication.concierge.pinniped.dev/v1alpha1",
  kind: "JWTAuthenticator",
  metadata: { name, uid: name, generation: 1 },
});

describe("the readiness of a concierge", () => {
  it("waits until every authenticator was examined, and stays from then on", () => {
    const registry = new AuthenticatorRegistry();
    const informer = { hasSynced: false, objects: [object("a")], list: () => informer.objects };
    const check = examinedCheck([{ informer, registry }]);
    assert.throws(() => check(request), /not known yet/);
    informer.hasSynced = true;
    assert.throws(() => check(request), /1 authenticators are being examined/);
    registry.put(object("a"), { statements: [] });
    check(request);
    informer.objects.push(object("b"));
    check(request);
  });

  it("needs no authenticator", () => {
    const informer = { hasSynced: true, list: () => [] };
    examinedCheck([{ informer, registry: new AuthenticatorRegistry() }])(request);
  });
});
