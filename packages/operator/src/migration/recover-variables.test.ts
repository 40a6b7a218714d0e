import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Component, parseComponents } from "@rookery/components";
import { recoverVariables } from "./recover-variables.ts";

const deployment = (args: string, replicas = "1") => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: manager, namespace: a}
spec:
  replicas: ${replicas}
  template:
    spec:
      containers:
      - name: manager
        args: ${args}
`;

async function recovered(text: string, actual: string | readonly Component[]) {
  const running = typeof actual === "string" ? parseComponents(actual) : actual;
  const { values, unknown } = await recoverVariables({
    text,
    place: (components) => components,
    running: async ({ kind }) => running.find((one) => one.kind === kind),
  });
  return { values: Object.fromEntries(values), unknown };
}

describe("the values of variables, read from what runs", () => {
  test("are parts of texts, whatever flags others have added", async () => {
    const text = deployment(`["--gates=A=\${A:=true},B=\${B:=false}", "--v=\${V}"]`);
    const actual = deployment('["--added=1", "--gates=A=false,B=true", "--v=5"]');
    const { values, unknown } = await recovered(text, actual);
    assert.deepEqual(values, { A: "false", B: "true", V: "5" });
    assert.deepEqual(unknown, []);
  });

  test("are numbers and booleans, too", async () => {
    const { values } = await recovered(deployment("[]", `\${COUNT:=1}`), deployment("[]", "3"));
    assert.deepEqual(values, { COUNT: "3" });
  });

  test("are credentials of Secrets, as data and as stringData", async () => {
    const secret = (body: string) => `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n${body}\n`;
    const text = secret(`data: {a: \${A_B64}}\nstringData: {b: 'user=\${USER}'}`);
    const data = { a: "aHVzaA==", b: Buffer.from("user=jane@example.com").toString("base64") };
    const { values } = await recovered(text, secret(`data: ${JSON.stringify(data)}`));
    assert.deepEqual(values, { A_B64: "aHVzaA==", USER: "jane@example.com" });
  });

  for (const [sentence, text, actual] of [
    ["that what runs has in two ways", `["--a=\${A}", "--b=\${A}"]`, '["--a=1", "--b=2"]'],
    ["whose place is gone", `["--a=\${A}"]`, '["--b=1"]'],
    ["next to one another", `["--a=\${A}\${B}"]`, '["--a=12"]'],
    ["with a quote", `["--a=\${A}"]`, `['--a=x", "--evil=1']`],
    ["with a space", `["--a=\${A}"]`, '["--a=x: y"]'],
    ["with a line break", `["--a=\${A}"]`, '["--a=x\\n---\\nkind: ClusterRoleBinding"]'],
  ] as const) {
    test(`are not known of a variable ${sentence}`, async () => {
      const { values, unknown } = await recovered(deployment(text), deployment(actual));
      assert.deepEqual(values, {});
      assert.ok(unknown.includes("A"));
    });
  }

  test("are not known where nothing runs", async () => {
    assert.deepEqual(await recovered(deployment(`["\${A:=b}"]`), []), {
      values: {},
      unknown: ["A"],
    });
  });

  test("are read in time proportional to what runs", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `a\${V${index}}`);
    const text = deployment(JSON.stringify([names.join("")]));
    const actual = deployment(JSON.stringify([`${"a".repeat(200_000)}!`]));
    const begun = performance.now();
    await recovered(text, actual);
    assert.ok(performance.now() - begun < 2000);
  });
});
