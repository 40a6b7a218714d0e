import { growing, pieces, testGrowth } from "@rookery/testing";
import { exampleMapping, exampleRules } from "../test/rules/kinds.ts";
import { createJsonRenamer } from "./json/json-renamer.ts";
import { createYamlRenamer } from "./yaml/rename-yaml.ts";

const options = { mapping: exampleMapping, rules: exampleRules };
const renamers = { JSON: createJsonRenamer(options), YAML: createYamlRenamer(options) };
const target = { group: "a.example.com", version: "v1", resource: "crontabs" };
const head = '"apiVersion":"a.example.com/v1","kind":"CronTab"';

const bodies: Readonly<Record<string, (count: number) => string>> = {
  "many keys": (n) => `{${head},"spec":{${pieces(n, (i) => `"k${i}":1,`)}"z":1}}`,
  "many owners": (n) =>
    `{${head},"metadata":{"ownerReferences":[${pieces(n, () => `{${head}},`)}{}]}}`,
  "many items": (n) =>
    `{"apiVersion":"v1","kind":"List","items":[${pieces(n, () => `{${head}},`)}{}]}`,
  "many keys to rename": (n) =>
    `{"apiVersion":"v1","kind":"ResourceQuota","spec":{"hard":{${pieces(n, (i) => `"count/x${i}.a.example.com":1,`)}"pods":1}}}`,
  "many names in a text": (n) =>
    `{"apiVersion":"v1","kind":"Status","message":"${"a.example.com ".repeat(n)}"}`,
  "many values that wait for their kind": (n) =>
    `{${'"spec":{"a":1},'.repeat(n)}"apiVersion":"login.example.com/v1","kind":"TokenCredentialRequest"}`,
  "many items that wait for the kind of their list": (n) =>
    `{"items":[${'{"spec":{"a":1}},'.repeat(n)}{}],"apiVersion":"login.example.com/v1","kind":"TokenCredentialRequestList"}`,
  "many kinds": (n) => `{"spec":{"a":1},${'"kind":"A","apiVersion":"b",'.repeat(n)}${head}}`,
  "a long expression": (n) =>
    `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","spec":{"validations":[{"expression":"request.kind.group in [${pieces(n, () => "'a.example.com',")}'x'] || a.${"b.".repeat(n)}c == 'a.example.com' || (object, ${"'\\\\'".repeat(n)}"}]}}`,
  "deep lists": (n) => `{${head},"spec":${"[".repeat(n)}${"]".repeat(n)}}`,
  "many backslashes": (n) => `{${head},"spec":"${"\\\\".repeat(16 * n)}"}`,
  "a body that does not end": (n) => `{${head},"spec":"${"x".repeat(32 * n)}`,
};
const yamlBodies: Readonly<Record<string, (count: number) => string>> = {
  "many keys": (n) => `apiVersion: a.example.com/v1\n${pieces(n, (i) => `k${i}: 1\n`)}`,
  "many owners": (n) =>
    `apiVersion: a.example.com/v1\nmetadata:\n  ownerReferences:\n${pieces(n, () => "  - apiVersion: a.example.com/v1\n")}`,
  "many keys to rename": (n) =>
    `kind: ResourceQuota\napiVersion: v1\nspec:\n  hard:\n${pieces(n, (i) => `    count/x${i}.a.example.com: 1\n`)}`,
  "many documents": (n) => "---\napiVersion: a.example.com/v1\n".repeat(n),
  "many anchors and aliases": (n) =>
    `apiVersion: a.example.com/v1\na: [${pieces(n, (i) => `&a${i} 1,`)}]\nb: [${pieces(n, (i) => `*a${i},`)}]\n`,
};

const large: readonly string[] = [
  "many values that wait for their kind",
  "many items that wait for the kind of their list",
];

const rowsOf = (format: "JSON" | "YAML", texts: typeof bodies) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, build]) => [
      `${format} is renamed, with ${name}`,
      growing({
        build: (n) => Buffer.from(build(n)),
        run: (body) => renamers[format].rename(body, target),
        ...(large.includes(name) && { size: 8000 }),
      }),
    ]),
  );

testGrowth(rowsOf("JSON", bodies));
testGrowth(rowsOf("YAML", yamlBodies));
