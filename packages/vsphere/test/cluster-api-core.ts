import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createCertificateAuthority } from "@rookery/pki";
import {
  type Child,
  clusterApiCrds,
  clusterApiManager,
  createTemporaryFolder,
  type Kubernetes,
  startChild,
} from "@rookery/testing";

/** The kinds of the core: what its manager watches. */
export async function applyCoreCrds(kubernetes: Kubernetes): Promise<void> {
  const crds = (await clusterApiCrds()).filter(
    ({ metadata }) => !/\.(bootstrap|controlplane)\.cluster\.x-k8s\.io$/.test(metadata.name),
  );
  await Promise.all(crds.map((crd) => kubernetes.applyCrd(crd)));
}

/** Starts the unmodified core manager as a process. It serves its webhooks, which no API server is told of. */
export async function startClusterApiCore(
  kubernetes: Kubernetes,
): Promise<AsyncDisposable & { readonly child: Child }> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("cluster-api-core"));
  const authority = await createCertificateAuthority({ commonName: "cluster-api-core" });
  const issued = await authority.issue({
    commonName: "webhooks",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  await writeFile(join(folder.path, "tls.crt"), issued.certificate);
  await writeFile(join(folder.path, "tls.key"), issued.key, { mode: 0o600 });
  const child = stack.use(
    await startChild({
      name: "cluster-api-core",
      command: await clusterApiManager(),
      args: [
        `--webhook-cert-dir=${folder.path}`,
        `--webhook-port=${await freePort()}`,
        "--health-addr=127.0.0.1:0",
        "--diagnostics-address=0",
        // Its controllers would look at each object once a second at most.
        "--feature-gates=ReconcilerRateLimiting=false",
        "--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields",
      ],
      env: { ...process.env, KUBECONFIG: kubernetes.kubeconfig },
      log: join(kubernetes.logs, "cluster-api-core.log"),
    }),
  );
  const owned = stack.move();
  return { child, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
