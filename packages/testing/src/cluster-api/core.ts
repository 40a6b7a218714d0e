import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createCertificateAuthority } from "@rookery/pki";
import { clusterApiCrds, clusterApiManager } from "../binaries/cluster-api.ts";
import { ProcessEndedError } from "../errors.ts";
import { freePort } from "../kubernetes/ports.ts";
import { startHealthyChild } from "../kubernetes/readiness.ts";
import type { Kubernetes } from "../kubernetes.ts";
import type { Child } from "../process/child.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";

const attempts = 20;
const pause = 2_000;

/** The kinds of the core: what its manager watches. */
export async function applyCoreCrds(kubernetes: Kubernetes): Promise<void> {
  const crds = (await clusterApiCrds()).filter(
    ({ metadata }) => !/\.(bootstrap|controlplane)\.cluster\.x-k8s\.io$/.test(metadata.name),
  );
  await Promise.all(crds.map((crd) => kubernetes.applyCrd(crd)));
}

/**
 * Starts the unmodified core manager as a process, and waits until it is ready. It serves its
 * webhooks, which are registered nowhere.
 */
export async function startClusterApiCore(
  kubernetes: Kubernetes,
): Promise<AsyncDisposable & { readonly child: Child }> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("cluster-api-core"));
  await writeCertificate(folder.path);
  const child = stack.use(await startManager(kubernetes, folder.path));
  const owned = stack.move();
  return { child, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/**
 * A machine has few inotify instances, which all Kubernetes on it share: while there is none left,
 * the core does not start.
 */
async function startManager(kubernetes: Kubernetes, certificates: string): Promise<Child> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(kubernetes, certificates);
    } catch (error) {
      const isBusy =
        error instanceof ProcessEndedError &&
        /too many open files|address already in use/.test(error.log);
      if (!isBusy || attempt === attempts) throw error;
      await delay(pause);
    }
  }
}

async function startOnce(kubernetes: Kubernetes, certificates: string): Promise<Child> {
  const health = `127.0.0.1:${await freePort("127.0.0.1")}`;
  const child = {
    name: "cluster-api-core",
    command: await clusterApiManager(),
    args: [
      `--webhook-cert-dir=${certificates}`,
      `--webhook-port=${await freePort("127.0.0.1")}`,
      `--health-addr=${health}`,
      "--diagnostics-address=0",
      // Its controllers would look at each object once a second at most.
      "--feature-gates=ReconcilerRateLimiting=false",
      "--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields",
    ],
    env: { ...process.env, KUBECONFIG: kubernetes.kubeconfig },
    log: join(kubernetes.logs, "cluster-api-core.log"),
  };
  return startHealthyChild(child, { url: `http://${health}/readyz` });
}

async function writeCertificate(folder: string): Promise<void> {
  const authority = await createCertificateAuthority({ commonName: "cluster-api-core" });
  const issued = await authority.issue({
    commonName: "webhooks",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  await writeFile(join(folder, "tls.crt"), issued.certificate);
  await writeFile(join(folder, "tls.key"), issued.key, { mode: 0o600 });
}
