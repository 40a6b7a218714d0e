import { type BodyRenamer, wholeBodyRenamer } from "../body-renamer.ts";
import { renameName } from "../forms/text-edits.ts";
import { hideInGroupListProtobuf } from "../hide/hide-in-protobuf.ts";
import { hideInGroupList, type IsHidden, json, yaml } from "../hide/hide-in-text.ts";
import { createJsonRenamers } from "../json/json-renamer.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import {
  createOpenApiRenamer,
  createProtobufRenamer,
  createProtobufWatchRenamer,
} from "../protobuf/protobuf-renamer.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { createYamlRenamer } from "../yaml/rename-yaml.ts";
import { Fingerprint } from "./fingerprint.ts";
import type { Encoding } from "./media-type.ts";
import type { BodyShape } from "./request-target.ts";

/** The listener receives each text once, up to this many. */
const remembered = 1000;
/** The limit for one response. */
const atOnce = 5;

/**
 * Collects warnings of renamers. Renaming is synchronous, so each belongs to the current request.
 */
class Warnings {
  readonly #listener: ((text: string) => void) | undefined;
  readonly #heard = new Set<string>();
  #collected: Set<string> | undefined;

  constructor(listener: ((text: string) => void) | undefined) {
    this.#listener = listener;
  }

  add(text: string): void {
    this.#collected?.add(text);
    if (this.#heard.has(text) || this.#heard.size >= remembered) return;
    this.#heard.add(text);
    this.#listener?.(text);
  }

  /** The result of `rename`, and its warnings as values of the header Warning. */
  during<Result>(rename: () => Result): { result: Result; warnings: readonly string[] } {
    const collected = new Set<string>();
    this.#collected = collected;
    try {
      const result = rename();
      const warnings = [...collected].slice(0, atOnce).map((text) => `299 - ${quoted(text)}`);
      return { result, warnings };
    } finally {
      this.#collected = undefined;
    }
  }
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

export type RenameOptions = RenamerOptions;

/** The parts of renaming that requests and responses need. */
export interface Renaming {
  readonly mapping: GroupMapping;
  readonly renamers: Renamers;
  readonly fingerprint: Fingerprint;
  readonly warnings: Warnings;
}

/** Errors: InvalidRuleError. */
export function createRenaming(options: RenameOptions): Renaming {
  const fingerprint = new Fingerprint(options);
  const warnings = new Warnings(options.onWarning);
  const onWarning = (text: string) => warnings.add(text);
  const renamers = createRenamers({ ...options, onWarning }, (url) => fingerprint.markHash(url));
  return { mapping: options.mapping, renamers, fingerprint, warnings };
}

interface BodyKind {
  readonly shape: BodyShape;
  readonly encoding: Encoding;
  readonly isWatch: boolean;
}

interface Renamers {
  readonly review: BodyRenamer;
  /** Undefined for an unreadable body. */
  forBody(kind: BodyKind): BodyRenamer | undefined;
}

function createRenamers(options: RenamerOptions, markHash: (url: string) => string): Renamers {
  const json = createJsonRenamers(options, markHash);
  const protobuf = createProtobufRenamer(options);
  const yaml = createYamlRenamer(options);
  const { mapping } = options;
  const discovery: Readonly<Partial<Record<Encoding, BodyRenamer>>> = {
    json: createDiscoveryRenamer({ format: "JSON", objects: json.object }, mapping),
    yaml: createDiscoveryRenamer({ format: "YAML", objects: yaml }, mapping),
    protobuf: createDiscoveryRenamer({ format: "Protobuf", objects: protobuf }, mapping),
  };
  const byEncoding: Readonly<Record<Encoding, BodyRenamer | undefined>> = {
    json: json.object,
    jsonPatch: json.jsonPatch,
    yaml,
    protobuf,
    protobufWatch: createProtobufWatchRenamer(options),
    openApiProtobuf: createOpenApiRenamer(options),
    text: undefined,
    unknown: undefined,
  };
  const byShape: Readonly<Record<BodyShape, BodyRenamer | undefined>> = {
    object: json.object,
    discovery: undefined,
    openApi: json.openApi,
    openApiIndex: json.openApiIndex,
    index: createIndexRenamer(mapping),
    other: undefined,
  };
  return {
    review: json.review,
    forBody({ shape, encoding, isWatch }) {
      if (shape === "discovery") return discovery[encoding];
      if (encoding !== "json") return byEncoding[encoding];
      return isWatch ? json.watch : byShape[shape];
    },
  };
}

interface Encoded {
  readonly format: "JSON" | "YAML" | "Protobuf";
  readonly objects: BodyRenamer;
}

/**
 * Renames the list of all groups, and removes those whose paths are rejected here: a client that
 * searches a kind would find it twice.
 */
function createDiscoveryRenamer({ format, objects }: Encoded, mapping: GroupMapping): BodyRenamer {
  const names = mapping.pairs.map(({ real }) => real);
  const hide = hiders[format];
  return wholeBodyRenamer(format, (body) => {
    const renamed = objects.rename(body, undefined);
    const buffer = Buffer.from(renamed.buffer, renamed.byteOffset, renamed.byteLength);
    return names.some((name) => buffer.includes(name)) ? hide(buffer, mapping.isReal) : renamed;
  });
}

const hiders = {
  JSON: (body: Uint8Array, isHidden: IsHidden) => hideInGroupList(body, isHidden, json),
  YAML: (body: Uint8Array, isHidden: IsHidden) => hideInGroupList(body, isHidden, yaml),
  Protobuf: hideInGroupListProtobuf,
} as const;

/** Renames the index at "/", a list of paths, in JSON. */
function createIndexRenamer(mapping: GroupMapping): BodyRenamer {
  return wholeBodyRenamer("JSON", (body) => {
    const index = JSON.parse(Buffer.from(body).toString()) as {
      readonly paths?: readonly string[];
    };
    const paths = index.paths?.map((path) => renameName(path, "path", mapping));
    return Buffer.from(JSON.stringify({ ...index, ...(paths && { paths }) }));
  });
}
