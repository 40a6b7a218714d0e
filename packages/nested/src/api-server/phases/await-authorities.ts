import type { NestedAPIServer } from "@rookery/api";
import { deepEqual, isFalse } from "@rookery/kube";
import type { Parent } from "../../component/parent.ts";
import { type Report, withAuthorities } from "../../component/report.ts";
import type { SecretInputs, ServingCertificate } from "../../component/secret-inputs.ts";
import type { Pod } from "../../manifests/kinds.ts";
import { selectorLabels } from "../../names.ts";
import { pods } from "../../resources.ts";
import type { ApiServerScope } from "../scope.ts";

/** By then kubelets and programs have read a change. Certificates are backdated by five minutes. */
const readAfterMs = (5 + 3) * 60 * 1000;
const askAgainSeconds = 2;

type Options = Pick<ApiServerScope, "list" | "certificateOf" | "clock"> & {
  readonly parent: Parent;
  readonly secrets: SecretInputs;
};

/**
 * If the authorities have changed, waits until each pod has read them. One write of the Secret changes the
 * authorities and the serving certificate together: a pod that serves the new certificate has read the new
 * authorities.
 */
export async function awaitAuthorities(
  apiServer: NestedAPIServer,
  report: Report,
  { parent, secrets: { authorities, serving }, list, certificateOf, clock }: Options,
): Promise<Report> {
  const before = apiServer.status?.authorities;
  const isKnown = before === undefined || deepEqual(before, authorities);
  if (isKnown || !serving || report.upToDate.status !== "True") {
    return withAuthorities(report, authorities);
  }
  const { namespace, cluster } = parent;
  const all = await list<Pod>(pods, namespace, selectorLabels(cluster, "apiserver"));
  const running = all.filter(({ metadata }) => !metadata.deletionTimestamp);
  const isOld = clock().getTime() - serving.notBefore.getTime() > readAfterMs;
  const answers = await Promise.all(
    running.map(async ({ status }) => {
      const shown = status?.podIP ? await certificateOf(status.podIP) : undefined;
      return shown === undefined ? isOld : shown === serving.fingerprint;
    }),
  );
  const unread = answers.filter((isRead) => !isRead).length;
  if (unread === 0) return withAuthorities(report, authorities);
  const upToDate = isFalse("ReadingCertificates", unreadMessage(unread, running.length, serving));
  return { ...report, upToDate, retryAfter: askAgainSeconds };
}

function unreadMessage(unread: number, pods: number, { secret }: ServingCertificate): string {
  return `${unread} of ${pods} pods have not read the Secret ${secret} yet; kubelets bring it to them within two minutes`;
}
