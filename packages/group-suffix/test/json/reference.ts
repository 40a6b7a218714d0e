import type { Form } from "../../src/forms/form.ts";
import type { GroupMapping } from "../../src/mapping/group-mapping.ts";
import { builtInKinds, type FieldForm } from "../../src/rules/built-in-kinds.ts";
import { renameText } from "../object/rename-text.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Rule {
  readonly pattern: RegExp;
  readonly form: FieldForm | "name";
  readonly beside?: string;
}

const anyObject: Record<string, FieldForm> = {
  apiVersion: "apiVersion",
  "metadata.ownerReferences[].apiVersion": "apiVersion",
  "metadata.managedFields[].apiVersion": "apiVersion",
  "metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']": "lastApplied",
  "items[]": "object",
};
const namedAfterGroups = [
  "customresourcedefinitions",
  "apiservices",
  "CustomResourceDefinition",
  "APIService",
];

/** Parse, rename, stringify: the plain way, with a list of patterns for paths and no trie. */
export function renameByReference(text: string, mapping: GroupMapping): string {
  return JSON.stringify(renameObject(JSON.parse(text), { mapping, list: undefined }));
}

interface Around {
  readonly mapping: GroupMapping;
  /** The kind of the list that an object is in, as "group/kind". */
  readonly list: string | undefined;
}

function renameObject(value: Json, around: Around): Json {
  if (!isObject(value)) return value;
  const own =
    typeof value.kind === "string" ? `${groupOf(value.apiVersion)}/${value.kind}` : undefined;
  const ofList = /^(.*\/.+)List$/.exec(around.list ?? "")?.[1];
  return walk(value, [], { ...around, rules: rulesOf(own ?? ofList ?? "/"), own, beside: value });
}

interface Place extends Around {
  readonly rules: readonly Rule[];
  readonly own: string | undefined;
  readonly beside: Record<string, Json>;
}

function walk(value: Json, path: readonly string[], place: Place): Json {
  const rule = place.rules.find(({ pattern }) => pattern.test(path.join(".")));
  if (rule?.form === "object") {
    return renameObject(value, { ...place, list: path[0] === "items" ? place.own : undefined });
  }
  if (rule?.form === "status") {
    return isObject(value) ? walk(value, [], { ...place, rules: rulesOf("status") }) : value;
  }
  if (typeof value === "string") return rename(value, rule, place);
  if (Array.isArray(value)) return value.map((inner) => walk(inner, [...path, "[]"], place));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    const at = [...path, key];
    const keys = place.rules.find(({ pattern }) => pattern.test([...path, "{}"].join(".")));
    const renamed = keys ? renameText(key, keys.form as Form, place.mapping) : key;
    return [renamed, walk(inner, at, { ...place, beside: value })];
  });
  return Object.fromEntries(entries);
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function rename(text: string, rule: Rule | undefined, place: Place): string {
  if (rule === undefined) return text;
  if (rule.form !== "name") return renameText(text, rule.form as Form, place.mapping);
  const strings = JSON.stringify(place.beside[rule.beside ?? ""] ?? null);
  const isNamed = namedAfterGroups.some((name) => strings.includes(`"${name}"`));
  return isNamed ? renameText(text, "resourceName", place.mapping) : text;
}

function groupOf(apiVersion: Json | undefined): string {
  return typeof apiVersion === "string" && apiVersion.includes("/")
    ? (apiVersion.split("/")[0] ?? "")
    : "";
}

const known = new Map<string, readonly Rule[]>();

function rulesOf(key: string): readonly Rule[] {
  const rules = known.get(key) ?? compile(key);
  known.set(key, rules);
  return rules;
}

function compile(key: string): readonly Rule[] {
  const kind = builtInKinds.find(
    ({ group, kind }) => `${group}/${kind}` === key || (key === "status" && kind === "Status"),
  );
  const fields = { ...(key === "status" ? {} : anyObject), ...kind?.fields };
  const names = {
    ...(key === "status" ? {} : { "metadata.ownerReferences[].name": "kind" }),
    ...kind?.names,
  };
  return [
    ...Object.entries(fields).map(([path, form]) => ({ pattern: patternOf(path), form })),
    ...Object.entries(names).map(([path, beside]) => ({
      pattern: patternOf(path),
      form: "name" as const,
      beside,
    })),
  ];
}

/** "rules[].apiGroups[]" becomes a pattern for "rules.[].apiGroups.[]". */
function patternOf(path: string): RegExp {
  const dotted = path.replaceAll("[]", ".[]").replace(/\['(.+)'\]/, ".$1");
  return new RegExp(`^${dotted.replaceAll(/[[\]{}.*]/g, "\\$&")}$`);
}
