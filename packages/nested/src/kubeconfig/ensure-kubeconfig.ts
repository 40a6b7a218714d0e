import { ControlPlaneError } from "../errors.ts";
import type { PkiScope } from "../pki/scope.ts";
import {
  type AdoptingStore,
  isFor,
  isOurs,
  ownedSecret,
  type Secret,
  textOf,
} from "../pki/secret.ts";
import {
  goodUntil,
  issueKubeconfig,
  type KubeconfigSubject,
  readKubeconfig,
} from "./kubeconfig.ts";

type Scope = Pick<PkiScope, "cluster" | "owner" | "clock"> & { readonly store: AdoptingStore };

/**
 * Creates a kubeconfig of the tenant, adopts one without an owner that is for the Cluster, and replaces it when
 * it is half over, or the endpoint or authority has changed. Returns the time of the next check. Kubeconfigs of
 * other owners are not written. Errors: ControlPlaneError.
 */
export async function ensureKubeconfig(scope: Scope, subject: KubeconfigSubject): Promise<Date> {
  const name = subject.account.secret(scope.cluster);
  const found = await scope.store.get(name);
  if (!found) {
    const value = await issueKubeconfig(subject);
    return nextCheck(await scope.store.create(ownedSecret(name, scope, { value })), scope, subject);
  }
  const isOrphan = (found.metadata.ownerReferences ?? []).length === 0;
  const isMeant = isFor(found, scope) || until(found, scope, subject) !== undefined;
  const secret = isOrphan && isMeant ? await scope.store.adopt(found) : found;
  if (!isOurs(secret, scope) || until(secret, scope, subject)) {
    return nextCheck(secret, scope, subject);
  }
  const value = await issueKubeconfig(subject);
  return nextCheck(await scope.store.write(secret, { value }), scope, subject);
}

function nextCheck(secret: Secret, scope: Scope, subject: KubeconfigSubject): Date {
  const look = until(secret, scope, subject);
  if (look) return look;
  const { name } = secret.metadata;
  throw new ControlPlaneError(
    "KubeconfigInvalid",
    `could not use the Secret ${name}: it belongs to another owner, and is not a kubeconfig for ` +
      `${subject.server} with the authority of the cluster; its owner has to correct it, or delete it`,
  );
}

function until(secret: Secret, { clock }: Scope, subject: KubeconfigSubject): Date | undefined {
  return goodUntil(readKubeconfig(textOf(secret, "value") ?? ""), subject, clock());
}
