import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A struct in the form of Kubernetes' errors: all fields, in order, by their internal names. */
export class GoStruct {
  readonly #fields: object;

  constructor(fields: object) {
    this.#fields = fields;
  }

  toJSON(): object {
    return this.#fields;
  }
}

/** The fields of structs by name, with their types. The name of an embedded struct is "". */
type Structs = Readonly<Record<string, readonly (readonly [name: string, type: string])[]>>;
type Values = Readonly<Record<string, unknown>>;

/** Fields whose JSON names differ from the Go names by more than the case. */
const renamed: Readonly<Record<string, string>> = {
  CephMonitors: "monitors",
  RBDImage: "image",
  RBDPool: "pool",
  RadosUser: "user",
  EndpointsName: "endpoints",
  DiscoveryCHAPAuth: "chapAuthDiscovery",
  SessionCHAPAuth: "chapAuthSession",
  DataDiskURI: "diskURI",
};

/** Fields of a PodSpec that kube-apiserver keeps in the security context. */
const hostFields = [
  "hostNetwork",
  "hostPID",
  "hostIPC",
  "shareProcessNamespace",
  "hostUsers",
] as const;

const zeros: Readonly<Record<string, unknown>> = {
  string: "",
  int: 0,
  bool: false,
  quantity: "0",
  intOrString: 0,
  time: null,
  json: {},
  any: null,
};

let loaded: Structs | undefined;

/** The file is read when the first error shows a struct. */
function structs(): Structs {
  const file = join(import.meta.dirname, "../../generated/internal-types.json");
  loaded ??= JSON.parse(readFileSync(file, "utf8")) as Structs;
  return loaded;
}

/** A struct in the form of kube-apiserver's errors. */
export function goStruct(name: string, value: object): GoStruct {
  return new GoStruct(shownStruct(name, { ...value }));
}

/** Structs whose fields are arranged differently in JSON. */
const arranged: Readonly<Record<string, (values: Values) => Values>> = {
  PodSpec: withHostFields,
  JSONSchemaProps: withSchemaFields,
};

/** The fields in that form. */
export function shownStruct(name: string, values: Values): object {
  const shown = arranged[name]?.(values) ?? values;
  const keepsEmptyLists = /^(JSONSchema|CustomResource)/.test(name);
  const byLowerCase = new Map(
    Object.entries(shown).map(([key, each]) => [key.toLowerCase(), each]),
  );
  const fields = (structs()[name] ?? []).flatMap(([field, type]) => {
    if (field === "") return Object.entries(embedded(type, shown));
    const value = byLowerCase.get((renamed[field] ?? field).toLowerCase());
    const isEmptyList = Array.isArray(value) && value.length === 0;
    return [[field, isEmptyList && keepsEmptyLists ? value : shownValue(type, value)] as const];
  });
  return Object.fromEntries(fields);
}

/** The fields of an embedded struct. */
function embedded(type: string, values: Values): object {
  if (type !== "json") return shownStruct(type, values);
  return shownJson(values.metadata ?? {});
}

function withHostFields(spec: Values): Values {
  const host = Object.fromEntries(hostFields.map((field) => [field, spec[field]]));
  return { ...spec, securityContext: { ...host, ...Object(spec.securityContext) } };
}

/** In Go the unions of a schema are structs, and its extensions have shorter names. */
function withSchemaFields(schema: Values): Values {
  const { items, dependencies, additionalProperties, additionalItems } = schema;
  const renamed = Object.entries(schema).map(([name, value]) => [
    name.replace("-kubernetes-", "").replaceAll(/[$-]/g, ""),
    value,
  ]);
  return {
    ...Object.fromEntries(renamed),
    items: schemaOr("jsonSchemas", items),
    dependencies: dependencies && mapEntries(dependencies, (each) => schemaOr("property", each)),
    additionalProperties: schemaOrBoolean(additionalProperties),
    additionalItems: schemaOrBoolean(additionalItems),
  };
}

function schemaOr(listField: string, value: unknown): Values | undefined {
  if (!value) return undefined;
  return Array.isArray(value) ? { [listField]: value } : { schema: value };
}

function schemaOrBoolean(value: unknown): Values | undefined {
  if (typeof value === "boolean") return { allows: value };
  return value ? { allows: true, schema: value } : undefined;
}

function shownValue(type: string, value: unknown): unknown {
  const [, prefix = "", element = ""] = /^(\*|\[\]|map )?(.+)$/.exec(type) ?? [];
  if (value === undefined || value === null) return prefix === "" ? zeroOf(element) : null;
  if (prefix === "[]") return shownList(element, value as readonly unknown[]);
  if (prefix === "map ") return mapEntries(sortedMap(value), (each) => shownValue(element, each));
  if (element === "json") return shownJson(value);
  return element in zeros ? value : shownStruct(element, value as Values);
}

/** Most empty lists are absent in Go. */
function shownList(element: string, items: readonly unknown[]): unknown {
  return items.length === 0 ? null : items.map((each) => shownValue(element, each));
}

function zeroOf(type: string): unknown {
  return type in zeros ? zeros[type] : shownStruct(type, {});
}

function mapEntries(map: object, convert: (value: unknown) => unknown): Values {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, convert(value)]));
}

/** Go formats maps in the order of their keys. */
function sortedMap(map: object): object {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const maps = new Set(["labels", "annotations", "matchLabels"]);

/** Metadata or a selector, which have the same form as in JSON. */
function shownJson(value: object): object {
  const entries = Object.entries(value).map(
    ([key, each]) => [key, maps.has(key) ? sortedMap(each as object) : each] as const,
  );
  return Object.fromEntries(entries);
}
