import type { CustomResourceDefinition } from "../binaries/cluster-api.ts";
import { waitFor } from "../process/wait-for.ts";
import type { Transport } from "./transport.ts";

interface Served {
  readonly group: string;
  readonly plural: string;
  readonly versions: readonly string[];
}

/** Applies a CRD and waits until every version is served and in discovery. */
export async function applyCrd(transport: Transport, crd: CustomResourceDefinition): Promise<void> {
  const { name } = crd.metadata;
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  const query = "?fieldManager=rookery-testing&force=true";
  const answer = await transport.request("PATCH", path + query, {
    body: crd,
    contentType: "application/apply-patch+yaml",
  });
  if (answer.status >= 300) {
    throw new Error(`could not apply CRD ${name}: ${answer.body.message}`);
  }
  const { group, plural, versions } = servedBy(crd);
  for (const version of versions) {
    const list = `/apis/${group}/${version}/${plural}?limit=1`;
    await waitFor(async () => (await transport.request("GET", list)).status === 200, {
      what: `${plural}.${group} to be served in ${version}`,
    });
  }
  await waitFor(async () => isDiscovered(await discover(transport), servedBy(crd)), {
    what: `${plural}.${group} to be discovered`,
  });
}

interface Discovery {
  readonly items?: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly { readonly resource: string }[];
    }[];
  }[];
}

/** The discovery documents, which follow the served kinds with a delay. */
async function discover(transport: Transport): Promise<Discovery> {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  return (await transport.request("GET", "/apis", { headers: { accept } })).body;
}

function isDiscovered({ items = [] }: Discovery, { group, plural, versions }: Served): boolean {
  const found = items.find(({ metadata }) => metadata.name === group)?.versions ?? [];
  return versions.every((version) =>
    found.some(
      (one) => one.version === version && one.resources.some(({ resource }) => resource === plural),
    ),
  );
}

function servedBy(crd: CustomResourceDefinition): Served {
  const spec = crd.spec as {
    group: string;
    names: { plural: string };
    versions: { name: string; served: boolean }[];
  };
  const versions = spec.versions.filter((version) => version.served).map(({ name }) => name);
  return { group: spec.group, plural: spec.names.plural, versions };
}
