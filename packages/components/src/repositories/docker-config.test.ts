import assert from "node:assert/strict";
import { test } from "node:test";
import { dockerCredentials } from "./docker-config.ts";

const pair = { username: "u", password: "p:w" };
const auth = Buffer.from("u:p:w").toString("base64");
const url = "oci://registry.example:5000/team/aws:v1.0.0";
const config = (auths: object) => JSON.stringify({ auths });

const found: Readonly<Record<string, readonly [object, object | undefined]>> = {
  "an entry for the host": [{ "registry.example:5000": pair }, pair],
  "an entry as kubectl writes it, with user and password in one": [
    { "https://registry.example:5000/v1/": { auth } },
    pair,
  ],
  "the entry with the longest path": [
    { "registry.example:5000": { auth: "" }, "registry.example:5000/team": pair },
    pair,
  ],
  "a token of the registry": [
    { "registry.example:5000": { registrytoken: "t" } },
    { accessToken: "t" },
  ],
  "no entry for another port": [{ "registry.example": pair }, undefined],
  "no entry for a host that begins alike": [{ "registry.example:50": pair }, undefined],
  "no entry for a path that begins alike": [{ "registry.example:5000/te": pair }, undefined],
  "no entry without a name": [{ "": pair }, undefined],
};

for (const [what, [auths, expected]] of Object.entries(found)) {
  test(`credentials of a docker configuration: ${what}`, () => {
    assert.deepEqual(dockerCredentials(config(auths), url), expected);
  });
}

test("credentials of a docker configuration: none in what is no such thing", () => {
  for (const text of [
    "",
    "[",
    "null",
    "1",
    '{"auths": 1}',
    '{"auths": {"registry.example:5000": 1}}',
  ]) {
    assert.ok(!dockerCredentials(text, url)?.password, text);
  }
});
