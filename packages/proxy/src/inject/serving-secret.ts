import { UnsafeManifestError } from "./errors.ts";
import { isKind } from "./kinds.ts";
import { describe, type Manifest, nameOf } from "./manifest.ts";
import { type Container, containersOf, podSpecOf, type VolumeMount } from "./pods.ts";
import { valuesAt } from "./update-at.ts";

interface Served {
  readonly caller: Manifest;
  readonly service: Manifest;
  readonly workload: Manifest;
  readonly appPort: number;
}

interface Known {
  readonly manifests: readonly Manifest[];
  readonly namespace: string | undefined;
  readonly webhookSecret: string | undefined;
}

/**
 * The Secret that holds the certificate of an app's webhooks: the one that was named; that of the
 * Certificate for the Service; or the only one that looks like it among those that the app mounts.
 * Errors: UnsafeManifestError where it is none or could be several.
 */
export function servingSecret(served: Served, known: Known): string {
  const found = known.webhookSecret ?? certificateSecret(served, known);
  if (found !== undefined) return found;
  const [only, ...others] = mountedSecrets(served);
  if (only !== undefined && others.length === 0) return only;
  const candidates = only === undefined ? "no Secret" : `${[only, ...others].join(" and ")}`;
  const why = `the pods of ${describe(served.workload)} mount ${candidates} for the certificate of its webhooks`;
  throw new UnsafeManifestError(
    describe(served.caller),
    `${why}; name the Secret with --webhook-secret`,
  );
}

function certificateSecret({ service }: Served, known: Known): string | undefined {
  const namespace = service.metadata.namespace ?? known.namespace;
  const host = `${nameOf(service)}.${namespace}.svc`;
  const certificate = known.manifests.find(
    (manifest) =>
      isKind(manifest, "cert-manager.io", "Certificate") &&
      valuesAt(manifest, "spec.dnsNames[]").includes(host),
  );
  const [secret] = certificate ? valuesAt(certificate, "spec.secretName") : [];
  return typeof secret === "string" ? secret : undefined;
}

/** The Secrets that the container with the port mounts; where they are several, as certificates. */
function mountedSecrets({ workload, appPort }: Served): readonly string[] {
  const spec = podSpecOf(workload);
  if (!spec) return [];
  const containers = containersOf(spec);
  const serving = containers.filter((container) => listensAt(container, appPort));
  const mounts = (serving.length > 0 ? serving : containers).flatMap(
    ({ volumeMounts }) => volumeMounts ?? [],
  );
  const secretOf = ({ name }: VolumeMount) =>
    spec.volumes?.find((volume) => volume.name === name)?.secret?.secretName ?? [];
  const all = unique(mounts.flatMap(secretOf));
  if (all.length < 2) return all;
  const looksLikeIt = ({ name, mountPath }: VolumeMount) => /cert|tls/i.test(`${name}${mountPath}`);
  return unique(mounts.filter(looksLikeIt).flatMap(secretOf));
}

function listensAt({ ports }: Container, port: number): boolean {
  return ports?.some(({ containerPort }) => containerPort === port) ?? false;
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
