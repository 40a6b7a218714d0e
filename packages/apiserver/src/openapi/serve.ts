import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Handler, type HttpRequest, type HttpResponse, headerValue } from "@rookery/http";
import { type Clock, parseQuery } from "@rookery/kube";
import { ifNoneMatch, writeBytes, writeText } from "../negotiation/encode.ts";
import { type AcceptClause, jsonMediaType, parseAccept } from "../negotiation/output.ts";
import { requestInfoOf } from "../request/request-context.ts";
import type { ServedGroup, ServedVersion } from "../resource/served-group.ts";
import { openApiV2 } from "./v2.ts";
import { encodeOpenApiV2 } from "./v2-protobuf.ts";
import { type DocumentSource, openApiV3 } from "./v3.ts";

interface Document {
  readonly body: Uint8Array;
  readonly mediaType: string;
  readonly hash: string;
}

export interface OpenApiOptions extends DocumentSource {
  readonly now: Clock;
}

const root = "/openapi/v3";

/**
 * /openapi/v2, and /openapi/v3 with its documents, for changing groups. Documents are generated
 * lazily; those of versions are cached while they are served.
 */
export function createOpenApi(options: OpenApiOptions) {
  const made = new WeakMap<ServedVersion, Document>();
  const documentOfVersion = (group: string, version: ServedVersion): Document => {
    const document = made.get(version) ?? documentOf(openApiV3(group, version, options));
    made.set(version, document);
    return document;
  };
  return (groups: readonly ServedGroup[], others: IndexEntries = {}) => {
    const documents = new Map(
      groups.flatMap(({ name, versions }) =>
        versions.map((version): [string, () => Document] => [
          name === "" ? `api/${version.name}` : `apis/${name}/${version.name}`,
          () => documentOfVersion(name, version),
        ]),
      ),
    );
    const v2 = lazy(() => documentOf(openApiV2(groups, options)));
    const v2Protobuf = lazy(() => protobufOf(openApiV2(groups, options)));
    return routesOf({ documents, others, v2, v2Protobuf }, options.now);
  };
}

type Documents = ReadonlyMap<string, () => Document>;

/** Index entries of other servers. */
type IndexEntries = Readonly<Record<string, object>>;

interface Contents {
  readonly documents: Documents;
  readonly others: IndexEntries;
  readonly v2: () => Document;
  readonly v2Protobuf: () => Document;
}

function routesOf({ documents, others, v2, v2Protobuf }: Contents, now: Clock) {
  const index = lazyIndex(documents, others);
  const paths: [string, Handler][] = [
    ["/openapi/v2", (request) => serve(request, prefersProtobuf(request) ? v2Protobuf() : v2())],
    [root, async (request) => serve(request, await index())],
  ];
  const below: Handler = (request) => serveVersion(request, documents, now);
  return { paths, prefix: [`${root}/`, below] as const };
}

function lazy(make: () => Document): () => Document {
  let document: Document | undefined;
  return () => {
    document ??= make();
    return document;
  };
}

/** The index contains every document's hash: yields between them. */
function lazyIndex(documents: Documents, others: IndexEntries): () => Promise<Document> {
  let index: Promise<Document> | undefined;
  const make = async () => {
    const paths: [string, object][] = [];
    for (const [name, document] of documents) {
      paths.push([name, { serverRelativeURL: urlOf(name, document().hash) }]);
      await setImmediate();
    }
    return documentOf({ paths: { ...Object.fromEntries(paths), ...others } });
  };
  return () => {
    index ??= make();
    return index;
  };
}

function documentOf(content: object): Document {
  return named(Buffer.from(JSON.stringify(content), "utf8"), jsonMediaType);
}

function protobufOf(content: object): Document {
  return named(encodeOpenApiV2(content), `application/${protobufSubtype}`);
}

function named(body: Uint8Array, mediaType: string): Document {
  const hash = createHash("sha512").update(body).digest("hex").toUpperCase();
  return { body, mediaType, hash };
}

function urlOf(name: string, hash: string): string {
  return `${root}/${name}?hash=${hash}`;
}

function serveVersion(
  request: HttpRequest,
  documents: Documents,
  now: Clock,
): HttpResponse | Promise<HttpResponse> {
  const name = requestInfoOf(request).path.slice(root.length + 1);
  const document = documents.get(name)?.();
  if (document === undefined) return writeText(404, "404 page not found\n");
  const requested = parseQuery(request.query).get("hash");
  if (!requested) return serve(request, document);
  if (requested !== document.hash) {
    return { status: 301, headers: { location: urlOf(name, document.hash), vary: "Accept" } };
  }
  // The hash identifies the content, which is therefore immutable.
  const expires = new Date(now());
  expires.setUTCFullYear(expires.getUTCFullYear() + 1);
  const headers = { "cache-control": "public, immutable", expires: expires.toUTCString() };
  return serve(request, document, headers);
}

async function serve(
  request: HttpRequest,
  { body, mediaType, hash }: Document,
  extra: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  if (mediaType === jsonMediaType && !takesJson(request)) {
    return { status: 406, headers: { vary: "Accept" } };
  }
  const etag = `"${hash}"`;
  const headers = { "content-type": mediaType, etag, vary: "Accept", ...extra };
  if (ifNoneMatch(request) === etag) return { status: 304, headers };
  return writeBytes(request, { status: 200, headers, body });
}

/** There is no Protobuf of OpenAPI v3: clients that prefer it accept JSON, too. */
function takesJson(request: HttpRequest): boolean {
  return acceptedBy(request).some(isJson);
}

const protobufSubtype = "com.github.proto-openapi.spec.v2.v1.0+protobuf";
/** The invalid media type of old clients. */
const formerSubtype = "com.github.proto-openapi.spec.v2@v1.0+protobuf";

function prefersProtobuf(request: HttpRequest): boolean {
  const isProtobuf = ({ subtype }: AcceptClause) =>
    subtype === protobufSubtype || subtype === formerSubtype;
  const first = acceptedBy(request).find((clause) => isProtobuf(clause) || isJson(clause));
  return first !== undefined && isProtobuf(first);
}

function acceptedBy({ headers }: HttpRequest): readonly AcceptClause[] {
  return parseAccept(headerValue(headers, "accept") || "*/*");
}

function isJson({ type, subtype }: AcceptClause): boolean {
  return (type === "application" || type === "*") && (subtype === "json" || subtype === "*");
}
