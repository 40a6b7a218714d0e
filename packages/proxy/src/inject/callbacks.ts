import { UnsafeManifestError } from "./errors.ts";
import { isCrd, isKind, isWebhookConfiguration } from "./kinds.ts";
import { describe, type Manifest, nameOf } from "./manifest.ts";
import { type Container, containersOf, podLabelsOf, podSpecOf, type VolumeMount } from "./pods.ts";
import { type Fields, isFields, valuesAt } from "./update-at.ts";

/** A path from the API server to an app's webhooks: a Service port, and the pods behind it. */
export interface Callback {
  /** The calling object, for messages. */
  readonly caller: Manifest;
  readonly service: Manifest;
  /** The Service port that will lead to the callback listener. */
  readonly servicePort: number;
  readonly workload: Manifest;
  /** The port of the app itself. */
  readonly appPort: number;
  /** The Secret with the serving certificate that matches the caller's caBundle. */
  readonly secret: string;
}

interface CallbackOptions {
  readonly namespace: string | undefined;
  readonly webhookSecret: string | undefined;
}

/**
 * Finds the pods that admission and conversion webhooks call. Errors: UnsafeManifestError if the
 * app would be called with the real group.
 */
export function findCallbacks(
  manifests: readonly Manifest[],
  options: CallbackOptions,
): readonly Callback[] {
  return manifests.flatMap((caller) =>
    clientConfigsOf(caller).flatMap(({ service }) =>
      isFields(service) ? callbacksOf(caller, service, { manifests, ...options }) : [],
    ),
  );
}

export function clientConfigsOf(manifest: Manifest): readonly Fields[] {
  const paths = [
    ...(isWebhookConfiguration(manifest) ? ["webhooks[].clientConfig"] : []),
    ...(isCrd(manifest) ? ["spec.conversion.webhook.clientConfig"] : []),
  ];
  return paths.flatMap((path) => valuesAt(manifest, path)).filter(isFields);
}

interface Surroundings extends CallbackOptions {
  readonly manifests: readonly Manifest[];
}

function callbacksOf(caller: Manifest, target: Fields, around: Surroundings): Callback[] {
  const service = findService(caller, target, around);
  const port = findPort(caller, service, Number(target.port ?? 443));
  const workloads = workloadsBehind(service, around.manifests);
  if (workloads.length === 0) {
    const why = `it calls ${describe(service)}, whose selector fits none of the app's pods`;
    throw new UnsafeManifestError(caller, `${why}; give all manifests of the app at once`);
  }
  return workloads.map((workload) => {
    const appPort = portNumber(caller, workload, port.targetPort ?? port.port);
    const secret = servingSecret({ caller, service, workload, appPort }, around);
    return { caller, service, servicePort: port.port, workload, appPort, secret };
  });
}

function findService(caller: Manifest, target: Fields, around: Surroundings): Manifest {
  const found = around.manifests.find(
    (manifest) =>
      isKind(manifest, "", "Service") &&
      nameOf(manifest) === target.name &&
      (manifest.metadata.namespace ?? around.namespace) === target.namespace,
  );
  if (found) return found;
  const why = `it calls Service ${target.namespace}/${target.name}, which is not among the manifests`;
  throw new UnsafeManifestError(caller, `${why}; give all manifests of the app at once`);
}

interface ServicePort extends Fields {
  readonly port: number;
  readonly targetPort?: number | string;
}

function servicePortsOf(service: Manifest): readonly ServicePort[] {
  return valuesAt(service, "spec.ports[]") as ServicePort[];
}

function findPort(caller: Manifest, service: Manifest, wanted: number): ServicePort {
  const found = servicePortsOf(service).find(({ port }) => port === wanted);
  if (found) return found;
  const why = `it calls port ${wanted} of ${describe(service)}, which has no such port`;
  throw new UnsafeManifestError(caller, `${why}; correct one of the two`);
}

function workloadsBehind(service: Manifest, manifests: readonly Manifest[]): Manifest[] {
  const [selector] = valuesAt(service, "spec.selector");
  const entries = isFields(selector) ? Object.entries(selector) : [];
  return manifests.filter((manifest) => {
    const labels = podLabelsOf(manifest);
    const fits = entries.length > 0 && entries.every(([name, value]) => labels[name] === value);
    return fits && podSpecOf(manifest) !== undefined;
  });
}

function portNumber(caller: Manifest, workload: Manifest, port: number | string): number {
  if (typeof port === "number") return port;
  const spec = podSpecOf(workload);
  const ports = spec ? containersOf(spec).flatMap((container) => container.ports ?? []) : [];
  const found = ports.find(({ name }) => name === port);
  if (found) return found.containerPort;
  const why = `it calls the port "${port}" of ${describe(workload)}, which no container has`;
  throw new UnsafeManifestError(caller, `${why}; name the port in its container`);
}

type Served = Omit<Callback, "servicePort" | "secret">;

/**
 * The Secret with the certificate of an app's webhooks: the configured one, that of the Service's
 * Certificate, or the only likely one among the mounted Secrets. Errors: UnsafeManifestError for
 * none or several.
 */
function servingSecret(served: Served, known: Surroundings): string {
  const found = known.webhookSecret ?? certificateSecret(served, known);
  if (found !== undefined) return found;
  const [only, ...others] = mountedSecrets(served);
  if (only !== undefined && others.length === 0) return only;
  const candidates = only === undefined ? "no Secret" : `${[only, ...others].join(" and ")}`;
  const why = `the pods of ${describe(served.workload)} mount ${candidates} for the certificate of its webhooks`;
  throw new UnsafeManifestError(served.caller, `${why}; name the Secret with --webhook-secret`);
}

function certificateSecret({ service }: Served, known: Surroundings): string | undefined {
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

/**
 * The Secrets that the container with the port mounts; of several, those that look like
 * certificates.
 */
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
