import type { DelegatedVersion } from "@rookery/apiserver";
import { type ApiService, pathOf } from "./api-service.ts";
import { fetchDocument, type ProbeContext } from "./check-availability.ts";

interface LegacyResource {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** Discovery of a remote version. Throws if the request fails. */
export async function remoteVersion(
  apiService: ApiService,
  context: ProbeContext,
): Promise<DelegatedVersion> {
  const { group = "", version = "" } = apiService.spec ?? {};
  const accept = "application/json";
  const list = (await fetchDocument(apiService, pathOf(apiService), { context, accept })) as
    | { resources?: readonly LegacyResource[] }
    | undefined;
  const resources = aggregated(list?.resources ?? [], { group, version });
  return { name: version, resources, freshness: "Current" };
}

/** The server's entry in its index of OpenAPI documents. */
export async function remoteOpenApi(
  apiService: ApiService,
  context: ProbeContext,
): Promise<object | undefined> {
  const accept = "application/json";
  const index = (await fetchDocument(apiService, "/openapi/v3", { context, accept })) as
    | { paths?: Readonly<Record<string, object>> }
    | undefined;
  return index?.paths?.[pathOf(apiService).slice(1)];
}

/** Converts an APIResourceList to aggregated discovery, where subresources are nested. */
function aggregated(
  resources: readonly LegacyResource[],
  at: { readonly group: string; readonly version: string },
): object[] {
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map((resource) => {
      const { name, shortNames, categories } = resource;
      const parts = resources.filter((each) => each.name.startsWith(`${name}/`));
      const subresources = parts.map((part) => ({
        subresource: part.name.slice(name.length + 1),
        responseKind: kindOf(part, at),
        verbs: part.verbs ?? [],
      }));
      return {
        resource: name,
        responseKind: kindOf(resource, at),
        scope: resource.namespaced ? "Namespaced" : "Cluster",
        singularResource: resource.singularName ?? "",
        verbs: resource.verbs ?? [],
        ...(shortNames && { shortNames }),
        ...(categories && { categories }),
        ...(subresources.length > 0 && { subresources }),
      };
    });
}

function kindOf(
  { group, version, kind }: LegacyResource,
  at: { readonly group: string; readonly version: string },
) {
  return { group: group || at.group, version: version || at.version, kind };
}
