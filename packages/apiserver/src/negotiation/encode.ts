import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type HttpHeaders, type HttpRequest, type HttpResponse, headerValue } from "@rookery/http";
import { stringify } from "yaml";
import { jsonMediaType, type Output, yamlMediaType } from "./output.ts";

const gzipThreshold = 128 * 1024;
const chunkThreshold = 32 * 1024;
const lineBreak = Buffer.from("\n");
const compress = promisify(gzip);

/** The JSON of an object, without a line break, if it is known. */
export type EncodedJson = (object: object) => Uint8Array | undefined;

export interface Answer {
  readonly status: number;
  readonly object: object;
  /** Its JSON without a line break, if known. */
  readonly encoded?: Uint8Array | undefined;
  readonly output: Output;
  readonly headers?: HttpHeaders;
}

/**
 * Writes an object in the negotiated format, compressed if it is long and the client accepts gzip.
 */
export async function writeObject(request: HttpRequest, answer: Answer): Promise<HttpResponse> {
  const { status, object, output } = answer;
  const isReady = output.mediaType === jsonMediaType && !output.pretty;
  const { encoded = undefined } = isReady ? answer : {};
  const headers = { "content-type": output.mediaType, ...answer.headers };
  // Avoids a copy of a long body for one byte.
  if (encoded && encoded.byteLength > chunkThreshold && !takesGzip(request)) {
    return { status, headers, body: [encoded, lineBreak] };
  }
  const body = encoded ? withLineBreak(encoded) : Buffer.from(encode(object, output), "utf8");
  return writeBytes(request, { status, headers, body });
}

/** Sends bytes, compressed if they are long and the client accepts gzip. */
export async function writeBytes(
  request: HttpRequest,
  { status, headers, body }: { status: number; headers: HttpHeaders; body: Uint8Array },
): Promise<HttpResponse> {
  if (body.byteLength <= gzipThreshold || !takesGzip(request)) return { status, headers, body };
  const vary = [headers.vary ?? []].flat().concat("Accept-Encoding");
  return {
    status,
    headers: { ...headers, "content-encoding": "gzip", vary },
    body: await compress(body, { level: 1 }),
  };
}

/** Ends responses and watch events. */
export function withLineBreak(json: Uint8Array): Uint8Array {
  const line = Buffer.allocUnsafe(json.byteLength + 1);
  line.set(json);
  line[json.byteLength] = 0x0a;
  return line;
}

/** Plain text, as health endpoints send it. */
export function writeText(status: number, text: string, headers?: HttpHeaders): HttpResponse {
  const plain = {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  };
  return { status, headers: { ...plain, ...headers }, body: Buffer.from(text, "utf8") };
}

/** An error as Go's http.Error writes it. */
export function writeHttpError(status: number, text: string, headers?: HttpHeaders): HttpResponse {
  return writeText(status, `${text}\n`, headers);
}

function encode(object: object, { mediaType, pretty }: Output): string {
  if (mediaType === yamlMediaType) return encodeYaml(object);
  return pretty ? JSON.stringify(object, undefined, 2) : `${JSON.stringify(object)}\n`;
}

/** YAML as Kubernetes writes it: sorted keys, and YAML 1.1 keywords quoted. */
function encodeYaml(object: object): string {
  const plain: unknown = JSON.parse(JSON.stringify(object));
  return stringify(plain, { version: "1.1", sortMapEntries: true, lineWidth: 0, indentSeq: false });
}

function takesGzip({ headers }: HttpRequest): boolean {
  const accepted = [headers["accept-encoding"] ?? []].flat().join(",");
  return accepted.split(",").some((coding) => coding.trim() === "gzip");
}

/** The JSON of responses without negotiation. */
export function writeRawJson(status: number, object: object): HttpResponse {
  const body = Buffer.from(JSON.stringify(object, undefined, 2), "utf8");
  return { status, headers: { "content-type": jsonMediaType }, body };
}

export function ifNoneMatch({ headers }: HttpRequest): string | undefined {
  return headerValue(headers, "if-none-match");
}
