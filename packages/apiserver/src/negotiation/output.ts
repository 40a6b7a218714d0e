import { type HttpRequest, headerValue } from "@rookery/http";
import { type GroupVersionKind, notAcceptableError, parseQuery, statusError } from "@rookery/kube";
import { RecentValues } from "../recent-values.ts";

/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** Without "q". */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Recent headers: a client sends the same one with each request. */
const known = new RecentValues<readonly AcceptClause[]>(64);

/** The clauses of an Accept header, best first. Skips invalid media ranges. */
export function parseAccept(header: string): readonly AcceptClause[] {
  return known.get(header, () => {
    const clauses = header.split(",").flatMap((part) => parseClause(part) ?? []);
    return clauses.toSorted(compareClauses);
  });
}

function parseClause(part: string): AcceptClause | undefined {
  const [range = "", ...rest] = part.split(";");
  const [type = "", subtype, ...more] = range.split("/").map((text) => text.trim());
  if (more.length > 0 || (subtype ?? "") === "" ? type !== "*" : false) return undefined;
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = "", value = "", ...others] = parameter.split("=").map((text) => text.trim());
    if (value !== "" && others.length === 0) parameters.set(name, value);
  }
  const quality = parameters.has("q") ? Number(parameters.get("q")) || 0 : 1;
  parameters.delete("q");
  return { type, subtype: subtype || "*", quality, parameters };
}

/** By quality, then specificity; otherwise in the header's order. */
function compareClauses(a: AcceptClause, b: AcceptClause): number {
  return b.quality - a.quality || wildcards(a) - wildcards(b);
}

function wildcards({ type, subtype }: AcceptClause): number {
  return Number(type === "*") + Number(subtype === "*");
}

export const jsonMediaType = "application/json";
export const yamlMediaType = "application/yaml";

/** Output formats. Protobuf is never written. */
const outputMediaTypes = [jsonMediaType, yamlMediaType] as const;
type OutputMediaType = (typeof outputMediaTypes)[number];

/** The negotiated format of a response. */
export interface Output {
  readonly mediaType: OutputMediaType;
  readonly pretty: boolean;
  /** The requested conversion, such as a Table. */
  readonly convert?: GroupVersionKind;
  /** "watch" if the client requested a stream explicitly. */
  readonly stream?: string;
}

/** Whether an endpoint supports a conversion; `undefined` is none. */
export type AllowsConversion = (convert: GroupVersionKind | undefined) => boolean;

/** For endpoints without conversions. */
export const noConversion: AllowsConversion = (convert) => convert === undefined;

/** Negotiates by the Accept header. Throws NotAcceptable. */
export function negotiateOutput(
  request: HttpRequest,
  allows: AllowsConversion = noConversion,
): Output {
  const output = tryNegotiateOutput(request, allows);
  if (output === undefined) throw notAcceptableError(outputMediaTypes);
  return output;
}

/** Like `negotiateOutput`; undefined instead of an error. */
export function tryNegotiateOutput(
  request: HttpRequest,
  allows: AllowsConversion,
): Output | undefined {
  const pretty = wantsPretty(request);
  const header = headerValue(request.headers, "accept") ?? "";
  if (header === "") return { mediaType: jsonMediaType, pretty };
  for (const clause of parseAccept(header)) {
    for (const mediaType of outputMediaTypes) {
      const output = matches(clause, mediaType) && outputOf(clause, mediaType, allows);
      if (output) return { ...output, pretty: pretty || output.pretty };
    }
  }
  return undefined;
}

/**
 * Throws if a client accepts no media type of a built-in resource. kube-apiserver checks this in
 * its routes, with another message.
 */
export function assertRepresentable({ headers }: HttpRequest, isCollection: boolean): void {
  const accept = headerValue(headers, "accept") ?? "*/*";
  if (representable.get(accept, () => isRepresentable(accept))) return;
  const streams = isCollection ? [`${jsonMediaType};stream=watch`] : [];
  const available = [...outputMediaTypes, ...streams].join(", ");
  const message = `406: Not Acceptable\n\nAvailable representations: ${available}`;
  throw statusError({ code: 406, reason: "NotAcceptable", message, details: {} });
}

const representable = new RecentValues<boolean>(64);

function isRepresentable(accept: string): boolean {
  const types = accept.split(",").map((range) => (range.split(";")[0] ?? "").trim());
  const written: readonly string[] = outputMediaTypes;
  return types.some((type) => type === "" || type === "*/*" || written.includes(type));
}

function matches({ type, subtype }: AcceptClause, mediaType: OutputMediaType): boolean {
  const [ownType, ownSubtype] = mediaType.split("/");
  if (type === "*") return subtype === "*";
  return type === ownType && (subtype === ownSubtype || subtype === "*");
}

function outputOf(
  { parameters }: AcceptClause,
  mediaType: OutputMediaType,
  allows: AllowsConversion,
): Output | undefined {
  const stream = parameters.get("stream") ?? "";
  // There are no YAML streams.
  if (stream !== "" && (stream !== "watch" || mediaType === yamlMediaType)) return undefined;
  const convert = conversionOf(parameters);
  if (!allows(convert)) return undefined;
  const pretty = parameters.get("pretty") === "1";
  return { mediaType, pretty, ...(convert && { convert }), ...(stream !== "" && { stream }) };
}

function conversionOf(parameters: AcceptClause["parameters"]): GroupVersionKind | undefined {
  const [group, version, kind] = ["g", "v", "as"].map((name) => parameters.get(name));
  if (group === undefined && version === undefined && kind === undefined) return undefined;
  return { group: group ?? "", version: version ?? "", kind: kind ?? "" };
}

const trueTexts: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const humanClients = ["curl", "Wget", "Mozilla/5.0"];

/** By the query, else for clients that people read. */
function wantsPretty({ query, headers }: HttpRequest): boolean {
  const requested = query.includes("pretty") ? parseQuery(query).get("pretty") : null;
  if (requested) return trueTexts.has(requested);
  const userAgent = headerValue(headers, "user-agent") ?? "";
  return humanClients.some((client) => userAgent.startsWith(client));
}
