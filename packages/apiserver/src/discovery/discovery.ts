import { type Handler, type HttpRequest, type HttpResponse, headerValue } from "@rookery/http";
import type { DelegatedGroup } from "../delegation.ts";
import { ifNoneMatch, writeObject } from "../negotiation/encode.ts";
import { negotiateOutput, type Output } from "../negotiation/output.ts";
import type { GroupRegistry } from "../resource/registry.ts";
import type { ServedGroup } from "../resource/served-group.ts";
import {
  allowsDiscovery,
  type DiscoveryDocument,
  discoveryDocument,
  discoveryList,
  isAggregatedDiscovery,
} from "./aggregated.ts";
import {
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  joinedByName,
  type NamedGroup,
} from "./legacy.ts";

/** The discovery paths: /api, /apis, groups and versions. */
export function discoveryPaths(
  registry: GroupRegistry,
  delegated: readonly DelegatedGroup[] = [],
): ReadonlyMap<string, Handler> {
  const { groups } = registry;
  const core = registry.group("");
  const others = groups.filter(({ name }) => name !== "");
  const all = joinedByName<NamedGroup["versions"][number]>([...others, ...delegated]);
  const groupList = apiGroupList(all);
  return new Map([
    [
      "/api",
      rootHandler(
        (request) => apiVersions(core, addressOf(request)),
        () => discoveryDocument(core ? [core] : []),
      ),
    ],
    [
      "/apis",
      rootHandler(
        () => groupList,
        () => discoveryDocument(others, delegated),
      ),
    ],
    ...all.map((group): [string, Handler] => [`/apis/${group.name}`, serve(apiGroup(group))]),
    ...groups.flatMap(versionPaths),
  ]);
}

function versionPaths({ name: group, versions }: ServedGroup): [string, Handler][] {
  const prefix = group === "" ? "/api" : `/apis/${group}`;
  return versions.map((version) => [
    `${prefix}/${version.name}`,
    serve(apiResourceList(group, version)),
  ]);
}

function serve(object: object): Handler {
  return (request) => {
    const output = negotiateOutput(request);
    return writeObject(request, { status: 200, object, output });
  };
}

/** The address that the client used. */
function addressOf({ headers }: HttpRequest): string {
  return headerValue(headers, "host") ?? headerValue(headers, ":authority") ?? "";
}

function rootHandler(
  legacy: (request: HttpRequest) => object,
  make: () => DiscoveryDocument,
): Handler {
  let document: DiscoveryDocument | undefined;
  return (request) => {
    const output = negotiateOutput(request, allowsDiscovery);
    if (isAggregatedDiscovery(output.convert)) {
      document ??= make();
      return serveDocument(request, document, output);
    }
    return writeObject(request, { status: 200, object: legacy(request), output });
  };
}

async function serveDocument(
  request: HttpRequest,
  document: DiscoveryDocument,
  output: Output,
): Promise<HttpResponse> {
  const { group = "", version = "", kind = "" } = output.convert ?? {};
  const headers = { etag: document.etag, vary: "Accept", "cache-control": "public" };
  if (ifNoneMatch(request) === document.etag) return { status: 304, headers };
  const mediaType = `${output.mediaType};g=${group};v=${version};as=${kind}`;
  const object = discoveryList(document, version);
  const answer = {
    status: 200,
    object,
    output,
    headers: { ...headers, "content-type": mediaType },
  };
  return writeObject(request, answer);
}
