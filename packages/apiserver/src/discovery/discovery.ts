import type { Handler, HttpRequest, HttpResponse } from "@rookery/http";
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
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "./legacy.ts";

/** Says what is served: under /api, /apis, a group and a version of one. */
export function discoveryPaths(registry: GroupRegistry): ReadonlyMap<string, Handler> {
  const { groups } = registry;
  const core = registry.group("");
  const others = groups.filter(({ name }) => name !== "");
  return new Map([
    ["/api", rootHandler(apiVersions(core), core ? [core] : [])],
    ["/apis", rootHandler(apiGroupList(groups), others)],
    ...others.map((group): [string, Handler] => [`/apis/${group.name}`, serve(apiGroup(group))]),
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

function rootHandler(legacy: object, groups: readonly ServedGroup[]): Handler {
  const document = discoveryDocument(groups);
  return (request) => {
    const output = negotiateOutput(request, allowsDiscovery);
    if (isAggregatedDiscovery(output.convert)) return serveDocument(request, document, output);
    return writeObject(request, { status: 200, object: legacy, output });
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
