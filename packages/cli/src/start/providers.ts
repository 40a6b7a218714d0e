import { configMapOf, defaultComponentsFile } from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import {
  ownProviders,
  ownRelease,
  type PlacedProvider,
  type ReleaseFiles,
  releaseVersion,
} from "../own-providers.ts";
import { releaseText } from "../releases/own-release.ts";
import { managementGroup, namespace } from "./manifests.ts";
import { milestone, type Part } from "./part.ts";

const label = "provider-components";

/** The releases of Rookery's own providers by their names. */
export type OwnReleases = ReadonlyMap<string, ReleaseFiles>;

/** The objects of a provider, and the conditions of its readiness. */
type Installed = Pick<Part, "ready"> & { readonly objects: readonly KubeObject[] };

/** The differences between an instance of a provider and the release's default. */
export interface Instance {
  readonly namespace: string;
  /** Fields of its spec. */
  readonly spec: object;
  /** Objects that are applied before it. */
  readonly before?: readonly KubeObject[];
}

export async function loadReleases(image: string): Promise<OwnReleases> {
  const loaded = ownProviders.map(async ({ name, release }) => {
    const render = await release?.load();
    return [name, (await render?.({ image })) ?? new Map()] as const;
  });
  return new Map(await Promise.all(loaded));
}

/** Declares the providers of a release, each with the release in a ConfigMap, so that no network is needed. */
export function declareProviders(
  releases: OwnReleases,
  name: string,
  instance?: Instance,
): Installed {
  const files = releases.get(name) ?? new Map();
  const declared = ownRelease(name).providers.map((provider) =>
    declareProvider(files, { ...provider, ...instance }),
  );
  return {
    objects: declared.flatMap(({ objects }) => objects),
    ready: declared.flatMap(({ ready }) => ready),
  };
}

function declareProvider(
  release: ReleaseFiles,
  { kind, name, namespace: home, spec = {}, before = [] }: PlacedProvider & Partial<Instance>,
): Installed {
  const text = (file: string) => releaseText(release.get(file) ?? []);
  const labels = { [label]: name };
  const templates = [...release.keys()].filter((file) => file.startsWith("cluster-template"));
  const files = {
    components: text(defaultComponentsFile(kind)),
    metadata: text("metadata.yaml"),
    // Only templates of infrastructure providers are used.
    ...(kind === "InfrastructureProvider" && {
      templates: Object.fromEntries(templates.map((file) => [file, text(file)])),
    }),
    version: releaseVersion,
  };
  const provider: KubeObject = {
    apiVersion: `${managementGroup}/v1alpha1`,
    kind,
    metadata: { namespace: home, name },
    spec: { version: releaseVersion, fetchConfig: { selector: { matchLabels: labels } }, ...spec },
  };
  return {
    objects: [
      namespace(home),
      ...before,
      configMapOf({ namespace: home, name: `${name}-${releaseVersion}`, labels }, files),
      provider,
    ],
    ready: [milestone(provider, "Ready")],
  };
}
