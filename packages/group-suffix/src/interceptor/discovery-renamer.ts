import type { BodyRenamer } from "../body-renamer.ts";
import { renameName } from "../forms/rename-name.ts";
import { hideInGroupListProtobuf } from "../hide/hide-in-protobuf.ts";
import { hideInGroupList, type IsHidden, json, yaml } from "../hide/hide-in-text.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { WholeBody } from "../whole-body.ts";

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
    return names.some((name) => buffer.includes(name)) ? hide(buffer, mapping.isReal) : renamed;
  };
  return { rename, stream: () => new WholeBody(format, rename) };
}

const hiders = {
  JSON: (body: Uint8Array, isHidden: IsHidden) => hideInGroupList(body, isHidden, json),
  YAML: (body: Uint8Array, isHidden: IsHidden) => hideInGroupList(body, isHidden, yaml),
  Protobuf: hideInGroupListProtobuf,
} as const;

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
