import type { ClusterAuthenticationSource, Serving } from "@rookery/apiserver";
import type { LocalPki } from "./local-pki.ts";

export interface Renewal {
  readonly pki: LocalPki;
  readonly serving: Pick<Serving, "replaceCertificate">;
  readonly cluster: Pick<ClusterAuthenticationSource, "reload">;
  /** Called after each renewal, since the administrator's certificate may have changed. */
  readonly publish: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  readonly intervalMs: number;
}

/** External certificates may change at any time; own ones are due after months. */
export const renewalIntervals = { foreign: 10_000, own: 60 * 60 * 1000 };

/** Renews or reloads certificates periodically, until it is disposed of. */
export function renewCertificates(renewal: Renewal): Disposable {
  const { pki, serving, cluster, publish, onError, intervalMs } = renewal;
  const renew = async () => {
    if (!(await pki.renew())) return;
    // Before the serving certificate: clients that see it may use certificates of the new
    // authority.
    await cluster.reload();
    serving.replaceCertificate(servingTls(pki));
    await publish();
  };
  const timer = setInterval(() => void renew().catch(onError), intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export function servingTls({ leaves }: LocalPki): { readonly cert: string; readonly key: string } {
  return { cert: leaves.apiserver.certificate, key: leaves.apiserver.key };
}
