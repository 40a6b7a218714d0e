import type { Exchange, Scenario } from "@rookery/testing";
import { applyPatch } from "./subject.ts";

const numbers: readonly string[] = [
  ...["1.0", "1e3", "1.5", "-0", "1_000", "0x10", "010", "0o10", "0b11", "1:30", "1:30.5"],
  ...["9007199254740992", "9223372036854775808", "18446744073709551615", "18446744073709551616"],
  ...["1e21", "1e400", "-1e400", ".nan", ".inf", "-.inf", "0.1e1"],
];

const yaml = "application/yaml";
const maps = "/api/v1/namespaces/{ns}/configmaps";
const widgets = "/apis/conformance.rookery.dev/v1/namespaces/{ns}/widgets";
const widgetOf = (number: string) =>
  `{"apiVersion": "conformance.rookery.dev/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"size": 1, "free": {"a": ${number}}}}`;

const created = (what: string, path: string, body: string): Exchange => ({
  what,
  path: `${path}?dryRun=All`,
  method: "POST",
  contentType: yaml,
  body,
});
const applied = (what: string, path: string, body: string): Exchange => ({
  what,
  path: `${path}/a?dryRun=All&fieldManager=a`,
  method: "PATCH",
  contentType: applyPatch,
  body,
});

function exchangesOf(number: string): Exchange[] {
  const plain = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, generation: ${number}}\n`;
  const json = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","generation":${number}}}`;
  const widget = widgetOf(number);
  return [
    created(`${number} in a body`, maps, plain),
    created(`${number} in a body that is JSON`, maps, json),
    created(`${number} in a custom kind`, widgets, widget),
    applied(`${number} in an apply`, maps, plain),
    applied(`${number} in an apply that is JSON`, maps, json),
    applied(`${number} in an apply of a custom kind`, widgets, widget),
  ];
}

/** What is a number in YAML, and which. */
export const yamlNumbers: readonly Scenario[] = [
  { name: "numbers in YAML", exchanges: numbers.flatMap(exchangesOf) },
];
