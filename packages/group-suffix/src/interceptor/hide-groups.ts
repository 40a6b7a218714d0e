import {
  bodyLength,
  collectBody,
  discardBody,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  headerValue,
  type Interceptor,
} from "@rookery/http";
import { internalError, unknownPathError } from "@rookery/kube";
import { UnreadableBodyError } from "../errors.ts";
import { isGroupSuffixError } from "../group-suffix-error.ts";
import { hideInGroupListProtobuf, hideInOpenApiProtobuf } from "../hide/hide-in-protobuf.ts";
import {
  groupOfPath,
  hideInGroupList,
  hideInIndex,
  hideInOpenApi,
  type IsHidden,
  json,
  yaml,
} from "../hide/hide-in-text.ts";
import { type HideSettings, type ListedGroup, otherInstances } from "../hide/other-instances.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { encodingOf } from "./media-type.ts";
import { statusResponse } from "./status-response.ts";

/** The limit of documents that are renamed as a whole. */
const maxDocumentBytes = 256 * 1024 * 1024;

const acceptAggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

export interface HideOptions extends HideSettings {
  readonly mapping: GroupMapping;
}

/**
 * Hides the groups of other instances of the app in discovery and OpenAPI, so that clients do not
 * find their kinds by short names. Runs behind the renaming, with the names of the cluster.
 * Requests for objects pass, subject to RBAC.
 *
 * The groups come from discovery, requested as the client and cached by ETag.
 */
export function hideGroups(options: HideOptions): Interceptor {
  return (next) => {
    const hiddenFor = createHiddenGroups(options, next);
    return async (request) => {
      const document = request.method === "GET" ? documentOf(request.path) : undefined;
      if (document === undefined) return next(request);
      const hidden = await hiddenFor(request);
      if (hidden.size === 0) return next(request);
      if (document.type === "group") {
        return hidden.has(document.group) ? statusResponse(unknownPathError()) : next(request);
      }
      // An ETag of the server does not cover the hidden groups.
      const { "if-none-match": _, "if-modified-since": __, ...headers } = request.headers;
      const answer = await next({ ...request, headers });
      return answer.status === 200 ? hideIn(answer, document.type, hidden) : answer;
    };
  };
}

type Listing = "index" | "groups" | "openApiIndex" | "openApi";
type Document = { readonly type: Listing } | { readonly type: "group"; readonly group: string };

const listings: ReadonlyMap<string, Listing> = new Map<string, Listing>([
  ["/", "index"],
  ["/apis", "groups"],
  ["/openapi/v2", "openApi"],
  ["/openapi/v3", "openApiIndex"],
]);

/** The document at a path; undefined for other paths. */
function documentOf(path: string): Document | undefined {
  const type = listings.get(path === "/" ? path : path.replace(/\/$/, ""));
  if (type !== undefined) return { type };
  const isGroup = /^\/(?:openapi\/v3\/)?apis\/[^/]+(?:\/[^/]+)?\/?$/.test(path);
  return isGroup ? { type: "group", group: decodeURIComponent(groupOfPath(path)) } : undefined;
}

async function hideIn(
  answer: HttpResponse,
  type: Listing,
  hidden: ReadonlySet<string>,
): Promise<HttpResponse> {
  const { etag: _, "last-modified": __, ...headers } = answer.headers;
  const contentType = headerValue(headers, "content-type");
  const packed = headerValue(headers, "content-encoding") ?? "identity";
  const hide = packed === "identity" ? hiderOf(type, contentType) : undefined;
  try {
    if (hide === undefined) {
      await discardBody(answer.body);
      throw new UnreadableBodyError(contentType ?? "nameless", "its media type is not supported");
    }
    if (bodyLength(answer.body) === 0) return answer;
    const bytes = await collectBody(answer.body, { limit: maxDocumentBytes });
    const body = hide(bytes, (group) => hidden.has(group));
    return { ...answer, headers: { ...headers, "content-length": `${body.length}` }, body };
  } catch (error) {
    if (isGroupSuffixError(error)) return statusResponse(internalError(error));
    throw error;
  }
}

type Hide = (body: Uint8Array, isHidden: IsHidden) => Uint8Array;

function hiderOf(type: Listing, contentType: string | undefined): Hide | undefined {
  // API servers send the OpenAPI index, which is JSON, as text.
  if (type === "openApiIndex") return hideInOpenApi;
  const encoding = encodingOf(contentType);
  const isJson = encoding === "json";
  if (type === "index") return isJson ? hideInIndex : undefined;
  if (type === "openApi") {
    if (encoding === "openApiProtobuf") return hideInOpenApiProtobuf;
    return isJson ? hideInOpenApi : undefined;
  }
  if (encoding === "protobuf") return hideInGroupListProtobuf;
  if (isJson) return (body, isHidden) => hideInGroupList(body, isHidden, json);
  return encoding === "yaml"
    ? (body, isHidden) => hideInGroupList(body, isHidden, yaml)
    : undefined;
}

function createHiddenGroups(options: HideOptions, next: Handler) {
  let known: { readonly etag: string | undefined; readonly hidden: ReadonlySet<string> } = {
    etag: undefined,
    hidden: new Set(),
  };
  return async (request: HttpRequest): Promise<ReadonlySet<string>> => {
    const { etag } = known;
    const { "if-modified-since": _, "if-none-match": __, ...headers } = request.headers;
    const answer = await next({
      ...request,
      path: "/apis",
      query: "",
      headers: {
        ...headers,
        accept: acceptAggregated,
        ...(etag !== undefined && { "if-none-match": etag }),
      },
    });
    if (answer.status !== 200) {
      await discardBody(answer.body);
      return known.hidden;
    }
    const bytes = await collectBody(answer.body, { limit: maxDocumentBytes });
    const groups = groupsIn(Buffer.from(bytes).toString());
    if (groups === undefined) return known.hidden;
    const hidden = otherInstances(groups, options.mapping, options);
    known = { etag: headerValue(answer.headers, "etag"), hidden };
    return hidden;
  };
}

/** Without aggregated discovery only the names are known. */
interface GroupList {
  readonly groups?: readonly { readonly name?: string }[];
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly resources?: readonly {
        readonly resource?: string;
        readonly responseKind?: { readonly kind?: string } | null;
      }[];
    }[];
  }[];
}

/** Undefined for a text that is not JSON. */
function groupsIn(text: string): ListedGroup[] | undefined {
  const list = parsed(text);
  if (list === undefined) return undefined;
  const { groups = [], items = [] } = list;
  return [
    ...groups.map(({ name = "" }) => ({ name, kinds: new Set<string>() })),
    ...items.map(({ metadata, versions = [] }) => ({
      name: metadata?.name ?? "",
      kinds: new Set(
        versions.flatMap(({ resources = [] }) =>
          resources.map(({ resource, responseKind }) => `${resource}/${responseKind?.kind ?? ""}`),
        ),
      ),
    })),
  ];
}

function parsed(text: string): GroupList | undefined {
  try {
    return json.parse(text) as GroupList;
  } catch {
    return undefined;
  }
}
