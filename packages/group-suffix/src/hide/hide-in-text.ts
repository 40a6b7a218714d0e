import { parseYaml } from "@rookery/yaml";
import { stringify } from "yaml";

export type IsHidden = (group: string) => boolean;

export interface Codec {
  parse(text: string): unknown;
  stringify(document: object): string;
}

export const json: Codec = { parse: JSON.parse, stringify: JSON.stringify };
export const yaml: Codec = {
  parse: (text) => parseYaml(text),
  stringify: (document) => stringify(document),
};

/** The common fields of the legacy and the aggregated list. */
interface GroupList {
  readonly groups?: readonly { readonly name?: string }[];
  readonly items?: readonly { readonly metadata?: { readonly name?: string } }[];
}

/** Removes hidden groups; returns the same array where there are none. */
export function hideInGroupList(
  body: Uint8Array,
  isHidden: IsHidden,
  { parse, stringify: write }: Codec,
): Uint8Array {
  const list = parse(textOf(body)) as GroupList;
  const groups = list.groups?.filter(({ name }) => !isHidden(name ?? ""));
  const items = list.items?.filter(({ metadata }) => !isHidden(metadata?.name ?? ""));
  const isSame = groups?.length === list.groups?.length && items?.length === list.items?.length;
  if (isSame) return body;
  return Buffer.from(write({ ...list, ...(groups && { groups }), ...(items && { items }) }));
}

/** The index at "/", a list of paths, in JSON. */
export function hideInIndex(body: Uint8Array, isHidden: IsHidden): Uint8Array {
  const index = json.parse(textOf(body)) as { readonly paths?: readonly string[] };
  const paths = index.paths?.filter((path) => !isHidden(groupOfPath(path)));
  return Buffer.from(json.stringify({ ...index, ...(paths && { paths }) }));
}

interface OpenApi {
  readonly paths?: Readonly<Record<string, unknown>>;
  readonly definitions?: Readonly<Record<string, unknown>>;
}

/** OpenAPI version 2, or the index of version 3, in JSON. */
export function hideInOpenApi(body: Uint8Array, isHidden: IsHidden): Uint8Array {
  const { paths, definitions, ...others } = json.parse(textOf(body)) as OpenApi;
  return Buffer.from(
    json.stringify({
      ...others,
      ...(paths && { paths: without(paths, (path) => isHidden(groupOfPath(path))) }),
      ...(definitions && {
        definitions: without(definitions, (name) => isHidden(groupOfModel(name))),
      }),
    }),
  );
}

function without(map: Readonly<Record<string, unknown>>, isDropped: (key: string) => boolean) {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !isDropped(key)));
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

/** The group of a path with or without a leading slash, or "". */
export function groupOfPath(path: string): string {
  return /^\/?(?:openapi\/v3\/)?apis\/([^/?#*]+)/.exec(path)?.[1] ?? "";
}

/** The group of "com.example.stable.v1.CronTab"; "" for other names. */
export function groupOfModel(name: string): string {
  return name.split(".").slice(0, -2).reverse().join(".");
}
