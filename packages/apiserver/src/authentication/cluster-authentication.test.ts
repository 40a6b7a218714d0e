import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuthorities } from "../../test/peers.ts";
import {
  ClusterAuthenticationSource,
  parseClusterAuthentication,
} from "./cluster-authentication.ts";

async function configData() {
  const { users, proxies } = await createAuthorities();
  return {
    "client-ca-file": users.certificate,
    "requestheader-allowed-names": '["front-proxy-client"]',
    "requestheader-client-ca-file": proxies.certificate,
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-username-headers": '["X-Remote-User"]',
  };
}

test("what kube-apiserver writes is read", async () => {
  const data = await configData();
  const { clientCa, requestHeader } = parseClusterAuthentication(data);
  assert.equal(clientCa, data["client-ca-file"].trim());
  assert.deepEqual(
    { ...requestHeader, clientCa: "" },
    {
      clientCa: "",
      allowedNames: ["front-proxy-client"],
      usernameHeaders: ["X-Remote-User"],
      uidHeaders: [],
      groupHeaders: ["X-Remote-Group"],
      extraHeaderPrefixes: ["X-Remote-Extra-"],
    },
  );
});

test("a cluster without front proxies has none", () => {
  assert.deepEqual(parseClusterAuthentication({}), {});
});

const bad: Record<string, Record<string, string>> = {
  "no certificate": { "client-ca-file": "nonsense" },
  "no JSON": { "requestheader-username-headers": "X-Remote-User" },
  "no list": { "requestheader-username-headers": '{"a":1}' },
};
for (const [sentence, change] of Object.entries(bad)) {
  test(`a value that can't be read is named: ${sentence}`, async () => {
    const data = { ...(await configData()), ...change };
    assert.throws(() => parseClusterAuthentication(data), {
      code: "InvalidAuthenticationConfig",
      key: Object.keys(change)[0],
    });
  });
}

test("a reload tells of changes, and one that fails leaves what was known", async () => {
  let data: Record<string, string> | undefined = await configData();
  const source = new ClusterAuthenticationSource({ read: async () => data });
  assert.deepEqual(source.current, {});
  let changes = 0;
  const end = source.onChange(() => changes++);
  await source.reload();
  await source.reload();
  assert.equal(changes, 1);
  const known = source.current;
  data = { "client-ca-file": "nonsense" };
  await assert.rejects(source.reload(), { code: "InvalidAuthenticationConfig" });
  assert.equal(source.current, known);
  end();
  data = undefined;
  await source.reload();
  assert.deepEqual(source.current, {});
  assert.equal(changes, 1);
});
