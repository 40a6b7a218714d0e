import assert from "node:assert/strict";
import { test } from "node:test";
import { growing, pieces, testGrowth } from "@rookery/testing";
import { parseKubeconfig } from "./kubeconfig-file.ts";
import { parseConfig } from "./parse-config.ts";

const read = (build: (size: number) => string) =>
  growing({ build, run: (text) => parseKubeconfig(text, "a Secret") });

testGrowth({
  "a kubeconfig of many keys": read((n) => pieces(n, (i) => `k${i}: 1\n`)),
  "a kubeconfig of many keys in braces": read((n) => `{${pieces(n, (i) => `k${i}: 1, `)}}`),
  "a kubeconfig of many users": read(
    (n) => `users:\n${pieces(n, (i) => `- {name: u${i}, user: {token: a}}\n`)}`,
  ),
  "a kubeconfig of many anchors": read(
    (n) => `a: [${pieces(n, (i) => `&a${i} 1,`)}]\nb: [${pieces(n, (i) => `*a${i},`)}]\n`,
  ),
});

test("a kubeconfig from elsewhere that is larger than any is refused unread", async () => {
  const text = pieces(10_000, (i) => `k${i}: 1\n`);
  await assert.rejects(parseConfig(text, { source: "Secret team/a-kubeconfig" }), {
    code: "InvalidConfig",
    message: /it has more than 65536 bytes/,
  });
});
