import { parseYaml } from "@rookery/yaml";
import { stringify } from "yaml";
import type { BodyRenamer } from "../body-renamer.ts";
import { renameName } from "../forms/rename-name.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { hideRealGroups } from "../protobuf/hide-groups.ts";
import { WholeBody } from "../whole-body.ts";

/** What the lists of groups have in common: the legacy one, and the aggregated one. */
interface GroupList {
  readonly groups?: readonly { readonly name?: string }[];
  readonly items?: readonly { readonly metadata?: { readonly name?: string } }[];
}

/** How a list of groups is encoded. */
interface Encoded {
  readonly format: "JSON" | "YAML" | "Protobuf";
  /** Renames objects of that encoding. */
  readonly objects: BodyRenamer;
}

/**
 * Renames the list of all groups, and leaves out those by whose names nobody can ask here: a client
 * that looks for a kind would find it twice, and could choose the one that is refused.
 */
export function createDiscoveryRenamer(
  { format, objects }: Encoded,
  mapping: GroupMapping,
): BodyRenamer {
  const names = mapping.pairs.map(({ real }) => real);
  const hide = hiders[format];
  const rename = (body: Uint8Array): Uint8Array => {
    const renamed = objects.rename(body, undefined);
    const buffer = Buffer.from(renamed.buffer, renamed.byteOffset, renamed.byteLength);
    return names.some((name) => buffer.includes(name)) ? hide(buffer, mapping) : renamed;
  };
  return { rename, stream: () => new WholeBody(format, rename) };
}

type Hide = (body: Buffer, mapping: GroupMapping) => Uint8Array;

const hiders: Readonly<Record<Encoded["format"], Hide>> = {
  JSON: hideIn({ parse: JSON.parse, stringify: JSON.stringify }),
  YAML: hideIn({ parse: (text) => parseYaml(text), stringify: (list) => stringify(list) }),
  Protobuf: hideRealGroups,
};

/** How a format is read and written. */
interface Codec {
  parse(text: string): unknown;
  stringify(list: object): string;
}

function hideIn({ parse, stringify: write }: Codec): Hide {
  return (body, mapping) => {
    const list = parse(body.toString()) as GroupList;
    const groups = list.groups?.filter(({ name }) => !mapping.isReal(name ?? ""));
    const items = list.items?.filter(({ metadata }) => !mapping.isReal(metadata?.name ?? ""));
    const isSame = groups?.length === list.groups?.length && items?.length === list.items?.length;
    if (isSame) return body;
    return Buffer.from(write({ ...list, ...(groups && { groups }), ...(items && { items }) }));
  };
}

/** Renames the index at "/", which is the paths that there are, in JSON. */
export function createIndexRenamer(mapping: GroupMapping): BodyRenamer {
  const rename = (body: Uint8Array): Uint8Array => {
    const index = JSON.parse(Buffer.from(body).toString()) as {
      readonly paths?: readonly string[];
    };
    const paths = index.paths?.map((path) => renameName(path, "path", mapping));
    return Buffer.from(JSON.stringify({ ...index, ...(paths && { paths }) }));
  };
  return { rename, stream: () => new WholeBody("JSON", rename) };
}
