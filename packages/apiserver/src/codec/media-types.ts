import { type HttpRequest, headerValue } from "@rookery/http";
import { protobufMediaType, unsupportedMediaTypeError } from "@rookery/kube";
import { jsonMediaType, yamlMediaType } from "../negotiation/output.ts";
import { type Parsed, parseJson } from "./parse-json.ts";
import { parseYaml } from "./parse-yaml.ts";

/** Reads a body; with `strict`, also says what a strict reader would refuse. Throws a DecodeError. */
export type BodyDecoder = (body: Uint8Array, strict: boolean) => Parsed;

/**
 * Reads an object from Kubernetes' Protobuf. A server that knows the messages of its kinds registers
 * one; without it such bodies are refused with 415.
 */
export type ProtobufDecoder = (body: Uint8Array) => unknown;

/** What custom kinds can be read from. */
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

/** The decoder for a request's body, JSON where it does not say what it is. Throws a 415. */
export function negotiateInput(
  { headers }: HttpRequest,
  decoders: ReadonlyMap<string, BodyDecoder>,
): BodyDecoder {
  const decoder = decoders.get(mediaTypeOf(headerValue(headers, "content-type")) ?? jsonMediaType);
  if (decoder === undefined) throw unsupportedMediaTypeError([...decoders.keys()]);
  return decoder;
}

/** Without its parameters; undefined where there is none. */
export function mediaTypeOf(header: string | undefined): string | undefined {
  const mediaType = header?.split(";")[0]?.trim().toLowerCase();
  return mediaType === "" ? undefined : mediaType;
}
