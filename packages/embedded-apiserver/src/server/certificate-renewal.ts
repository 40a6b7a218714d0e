import type { ClusterAuthenticationSource, Serving } from "@rookery/apiserver";
import type { LocalPki } from "./local-pki.ts";

export interface Renewal {
  readonly pki: LocalPki;
  readonly serving: Pick<Serving, "replaceCertificate">;
  readonly cluster: Pick<ClusterAuthenticationSource, "reload">;
  /** Called after each renewal: the administrator's certificate may be another one. */
  readonly publish: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  readonly intervalMs: number;
}

/** Those that others renew may be other ones at any time; its own are due once in months. */
export const renewalIntervals = { foreign: 10_000, own: 60 * 60 * 1000 };

/** Looks again and again whether a certificate is due or another one, until it is disposed of. */
export function renewCertificates(renewal: Renewal): Disposable {
  const { pki, serving, cluster, publish, onError, intervalMs } = renewal;
  const renew = async () => {
    if (!(await pki.renew())) return;
    // Before the certificate: whoever sees the new one may show certificates of the authority that came with it.
    await cluster.reload();
    serving.replaceCertificate(servingTls(pki));
    await publish();
  };
  const timer = setInterval(() => void renew().catch(onError), intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** What the API server shows who connects. */
export function servingTls({ leaves }: LocalPki): { readonly cert: string; readonly key: string } {
  return { cert: leaves.apiserver.certificate, key: leaves.apiserver.key };
}
