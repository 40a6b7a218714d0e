import { type HttpRequest, headerValue } from "@rookery/http";
import { protobufMediaType, unsupportedMediaTypeError } from "@rookery/kube";
import { jsonMediaType, yamlMediaType } from "../negotiation/output.ts";
import { type Parsed, parseJson } from "./parse-json.ts";
import { parseYaml } from "./parse-yaml.ts";

/** Parses a body; with `strict` also reports strict problems. Throws a DecodeError. */
export type BodyDecoder = (body: Uint8Array, strict: boolean) => Parsed;

/** Decodes Kubernetes' Protobuf. Without a decoder such bodies are rejected with 415. */
export type ProtobufDecoder = (body: Uint8Array) => unknown;

/** Custom kinds accept only these. */
export const textMediaTypes: readonly string[] = [jsonMediaType, yamlMediaType];

export function bodyDecoders(protobuf?: ProtobufDecoder): ReadonlyMap<string, BodyDecoder> {
  const text: [string, BodyDecoder][] = [
    [jsonMediaType, parseJson],
    [yamlMediaType, parseYaml],
  ];
  if (!protobuf) return new Map(text);
  const decode: BodyDecoder = (body) => ({
    value: protobuf(body),
    strictProblems: [],
    isProtobuf: true,
  });
  return new Map([...text, [protobufMediaType, decode]]);
}

/** The decoder of a request's body; JSON without a content type. Throws a 415. */
export function negotiateInput(
  { headers }: HttpRequest,
  decoders: ReadonlyMap<string, BodyDecoder>,
): BodyDecoder {
  const decoder = decoders.get(mediaTypeOf(headerValue(headers, "content-type")) ?? jsonMediaType);
  if (decoder === undefined) throw unsupportedMediaTypeError([...decoders.keys()]);
  return decoder;
}

/** Without parameters; undefined for an empty header. */
export function mediaTypeOf(header: string | undefined): string | undefined {
  const mediaType = header?.split(";")[0]?.trim().toLowerCase();
  return mediaType === "" ? undefined : mediaType;
}
