import { networkInterfaces } from "node:os";
import {
  ClusterAuthenticationSource,
  createApiServer,
  createDelegatingAuthenticator,
  createDelegatingAuthorizer,
  type ReviewToken,
  type ServedGroup,
  type Serving,
  type SubjectAccessReviewSpec,
  type SubjectAccessReviewStatus,
  type TokenReviewStatus,
} from "@rookery/apiserver";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";
import { type CertificateAuthority, createCertificateAuthority } from "@rookery/pki";
import { type Kubernetes, type TestNamespace, waitFor } from "@rookery/testing";

/** An API server that extends a Kubernetes under API aggregation. */
export interface Extension extends AsyncDisposable {
  readonly serving: Serving;
  /** Where it listens, past the aggregator. */
  readonly url: string;
  readonly authority: CertificateAuthority;
  readonly errors: unknown[];
}

export interface ExtensionOptions {
  readonly kubernetes: Kubernetes;
  readonly namespace: TestNamespace;
  readonly group: ServedGroup;
}

const service = "extension";

/** Serves a group, registers it, and waits until the cluster finds it available. */
export async function startExtension(options: ExtensionOptions): Promise<Extension> {
  const { kubernetes, namespace, group } = options;
  await using stack = new AsyncDisposableStack();
  const authority = await createCertificateAuthority({ commonName: "extension" });
  const errors: unknown[] = [];
  const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
  const { read, reviewToken, reviewSubjectAccess } = questionsTo(client);
  const cluster = new ClusterAuthenticationSource({ read });
  const server = createApiServer({
    groups: [group],
    cluster,
    authenticate: createDelegatingAuthenticator({ cluster, reviewToken }),
    authorize: createDelegatingAuthorizer({ reviewSubjectAccess }),
    onError: (error) => errors.push(error),
  });
  const host = hostAddress();
  const tls = await servingCertificate(authority, { namespace: namespace.name, host });
  const serving = stack.use(await server.serve({ host, port: 0, tls }));
  stack.defer(await register({ ...options, host, port: serving.port, ca: authority.certificate }));
  await waitForApi(kubernetes, group);
  const owned = stack.move();
  const url = `https://${host}:${serving.port}`;
  return { serving, url, authority, errors, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** An address of this machine that endpoints may have: loopback is refused in them. */
function hostAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  if (!found) throw new Error("could not find an address of this machine beside loopback");
  return found.address;
}

export async function servingCertificate(
  authority: CertificateAuthority,
  { namespace, host }: { readonly namespace: string; readonly host: string },
) {
  const { certificate, key } = await authority.issue({
    commonName: service,
    dnsNames: [`${service}.${namespace}.svc`],
    ipAddresses: [host],
    usages: ["server"],
  });
  return { cert: certificate, key };
}

/** Asks the cluster what an extension has to ask, with the client that a real one would use. */
function questionsTo(client: Client) {
  const resourceOf = (kind: string, names: Pick<Resource, "group" | "namespaced">): Resource => {
    const singular = kind.toLowerCase();
    return { ...names, version: "v1", kind, singular, plural: `${singular}s` };
  };
  const configMaps = client.resource<ConfigMap>(
    resourceOf("ConfigMap", { group: "", namespaced: true }),
  );
  const review = <Spec, Status>(group: string, kind: string) => {
    const reviews = client.resource<KubeObject<Spec, Status>>(
      resourceOf(kind, { group, namespaced: false }),
    );
    return async (spec: Spec): Promise<Status> => {
      const object = { apiVersion: `${group}/v1`, kind, metadata: {}, spec };
      const { status } = await reviews.create(object);
      if (status === undefined) throw new Error(`could not review: the ${kind} has no status`);
      return status;
    };
  };
  const key = { namespace: "kube-system", name: "extension-apiserver-authentication" };
  return {
    read: async () => (await configMaps.get(key)).data,
    reviewToken: review<TokenReviewSpec, TokenReviewStatus>("authentication.k8s.io", "TokenReview"),
    reviewSubjectAccess: review<SubjectAccessReviewSpec, SubjectAccessReviewStatus>(
      "authorization.k8s.io",
      "SubjectAccessReview",
    ),
  };
}

type TokenReviewSpec = Parameters<ReviewToken>[0];

interface ConfigMap extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

interface Registration extends ExtensionOptions {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
}

/** Gives back what takes the registration away. */
async function register(options: Registration): Promise<() => Promise<void>> {
  const { kubernetes, namespace, group, host, port } = options;
  const inNamespace = `/api/v1/namespaces/${namespace.name}`;
  const metadata = { name: service, namespace: namespace.name };
  await create(kubernetes, `${inNamespace}/services`, {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { ports: [{ name: "https", port: 443, targetPort: port, protocol: "TCP" }] },
  });
  await create(
    kubernetes,
    `/apis/discovery.k8s.io/v1/namespaces/${namespace.name}/endpointslices`,
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { ...metadata, labels: { "kubernetes.io/service-name": service } },
      addressType: "IPv4",
      ports: [{ name: "https", port, protocol: "TCP" }],
      endpoints: [{ addresses: [host], conditions: { ready: true } }],
    },
  );
  const version = group.versions[0]?.name ?? "";
  const name = `${version}.${group.name}`;
  await create(
    kubernetes,
    "/apis/apiregistration.k8s.io/v1/apiservices",
    apiService(name, options),
  );
  return async () => {
    await kubernetes.request("DELETE", `/apis/apiregistration.k8s.io/v1/apiservices/${name}`);
  };
}

function apiService(name: string, { namespace, group, ca }: Registration): object {
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name },
    spec: {
      group: group.name,
      version: group.versions[0]?.name,
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      caBundle: Buffer.from(ca).toString("base64"),
      service: { namespace: namespace.name, name: service, port: 443 },
    },
  };
}

async function create(kubernetes: Kubernetes, path: string, body: object): Promise<void> {
  const answer = await kubernetes.request("POST", path, { body });
  if (answer.status !== 201) throw new Error(`could not create: ${JSON.stringify(answer.body)}`);
}

async function waitForApi(kubernetes: Kubernetes, group: ServedGroup): Promise<void> {
  const version = group.versions[0]?.name ?? "";
  const path = `/apis/apiregistration.k8s.io/v1/apiservices/${version}.${group.name}`;
  let last = "";
  await waitFor(
    async () => {
      const { body } = await kubernetes.request("GET", path);
      const conditions: { type: string; status: string }[] = body.status?.conditions ?? [];
      last = JSON.stringify(conditions);
      return conditions.some(({ type, status }) => type === "Available" && status === "True");
    },
    { what: "the APIService to be available", detail: () => last },
  );
  // The proxy hears of it some time later, and answers 503 until then.
  const served = `/apis/${group.name}/${version}`;
  await waitFor(async () => (await kubernetes.request("GET", served)).status === 200, {
    what: `the aggregator to serve ${served}`,
  });
}
