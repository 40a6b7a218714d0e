import type { BodyRenamer } from "../body-renamer.ts";
import { createJsonRenamers } from "../json/json-renamer.ts";
import { createOpenApiRenamer } from "../protobuf/open-api-renamer.ts";
import { createProtobufRenamer } from "../protobuf/protobuf-renamer.ts";
import { createProtobufWatchRenamer } from "../protobuf/watch-renamer.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { createYamlRenamer } from "../yaml/yaml-renamer.ts";
import { createDiscoveryRenamer, createIndexRenamer } from "./discovery-renamer.ts";
import type { Encoding } from "./media-type.ts";
import type { BodyShape } from "./path-parts.ts";

/** Which renamer a body needs. */
interface BodyKind {
  readonly shape: BodyShape;
  readonly encoding: Encoding;
  readonly isWatch: boolean;
}

/** All renamers of a mapping. */
export interface Renamers {
  readonly review: BodyRenamer;
  /** Undefined for a body that nobody here can read. */
  forBody(kind: BodyKind): BodyRenamer | undefined;
}

export function createRenamers(
  options: RenamerOptions,
  markHash: (url: string) => string,
): Renamers {
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
