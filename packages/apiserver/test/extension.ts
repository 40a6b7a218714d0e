import { networkInterfaces } from "node:os";
import {
  ClusterAuthenticationSource,
  createApiServer,
  createDelegatingAuthenticator,
  createDelegatingAuthorizer,
  type ServedGroup,
  type Serving,
} from "@rookery/apiserver";
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
  const cluster = new ClusterAuthenticationSource({ read: () => readConfig(kubernetes) });
  const server = createApiServer({
    groups: [group],
    cluster,
    authenticate: createDelegatingAuthenticator({
      cluster,
      reviewToken: (spec) => review(kubernetes, "authentication.k8s.io", spec),
    }),
    authorize: createDelegatingAuthorizer({
      reviewSubjectAccess: (spec) => review(kubernetes, "authorization.k8s.io", spec),
    }),
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

async function readConfig(kubernetes: Kubernetes) {
  const path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  const { status, body } = await kubernetes.request("GET", path);
  return status === 404 ? undefined : body.data;
}

async function review(kubernetes: Kubernetes, group: string, spec: object) {
  const kind = group === "authentication.k8s.io" ? "TokenReview" : "SubjectAccessReview";
  const { status, body } = await kubernetes.request(
    "POST",
    `/apis/${group}/v1/${kind.toLowerCase()}s`,
    { body: { apiVersion: `${group}/v1`, kind, spec } },
  );
  if (status !== 201) throw new Error(`could not create a ${kind}: ${JSON.stringify(body)}`);
  return body.status;
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
}
