import { createHash } from "node:crypto";
import { type Handler, type HttpRequest, type HttpResponse, headerValue } from "@rookery/http";
import type { GroupVersionKind } from "@rookery/kube";
import type { DelegatedGroup, DelegatedVersion } from "../delegation.ts";
import { ifNoneMatch, writeObject } from "../negotiation/encode.ts";
import { type AllowsConversion, negotiateOutput, type Output } from "../negotiation/output.ts";
import type { GroupRegistry } from "../resource/registry.ts";
import type { ServedGroup, ServedResource, ServedVersion } from "../resource/served-group.ts";
import {
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  discoveredVerbs,
  joinedByName,
  type NamedGroup,
  subresourceVerbs,
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

const versions = ["v2", "v2beta1"];

function isAggregatedDiscovery(convert: GroupVersionKind | undefined): boolean {
  return (
    convert?.group === "apidiscovery.k8s.io" &&
    versions.includes(convert.version) &&
    convert.kind === "APIGroupDiscoveryList"
  );
}

const allowsDiscovery: AllowsConversion = (convert) =>
  convert === undefined || isAggregatedDiscovery(convert);

/** The aggregated discovery and its ETag. */
interface DiscoveryDocument {
  readonly items: readonly object[];
  readonly etag: string;
}

/** The document of /api (the core group) or of /apis (the others). */
function discoveryDocument(
  groups: readonly ServedGroup[],
  delegated: readonly DelegatedGroup[] = [],
): DiscoveryDocument {
  const all = [
    ...groups.map(({ name, versions: served }) => ({
      name,
      versions: served.map((version): object => versionOf(name, version)),
    })),
    ...delegated.map((group) => ({ ...group, versions: group.versions.map(delegatedVersion) })),
  ];
  const items = joinedByName<object>(all).map(({ name, versions: listed }) => ({
    metadata: name === "" ? {} : { name },
    versions: listed,
  }));
  const hash = createHash("sha512").update(JSON.stringify(items)).digest("hex").toUpperCase();
  return { items, etag: `"${hash}"` };
}

/** In the requested version. */
function discoveryList({ items }: DiscoveryDocument, version: string): object {
  const apiVersion = `apidiscovery.k8s.io/${version}`;
  return { kind: "APIGroupDiscoveryList", apiVersion, metadata: {}, items };
}

function delegatedVersion({ name: version, resources, freshness }: DelegatedVersion) {
  return { version, resources, freshness };
}

function versionOf(group: string, { name, resources }: ServedVersion) {
  const at = { group, version: name };
  return {
    version: name,
    resources: resources.map((resource) => resourceOf(resource, at)),
    freshness: "Current",
  };
}

function resourceOf(resource: ServedResource, at: { group: string; version: string }) {
  const { plural, singular, kind, shortNames = [], categories = [] } = resource;
  const subresources = Object.entries(resource.subresources ?? {}).map(([subresource, part]) => ({
    subresource,
    responseKind: part.kind ?? { ...at, kind },
    verbs: subresourceVerbs(part),
  }));
  return {
    resource: plural,
    responseKind: { ...at, kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs: discoveredVerbs(resource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}
