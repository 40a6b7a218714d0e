import type { NestedAPIServer } from "@rookery/api";
import { deepEqual, isFalse } from "@rookery/kube";
import type { Home } from "../../component/home.ts";
import { type Report, withAuthorities } from "../../component/report.ts";
import type { SecretInputs, ServingCertificate } from "../../component/secret-inputs.ts";
import type { Pod } from "../../manifests/kinds.ts";
import { selectorLabels } from "../../names.ts";
import { pods } from "../../resources.ts";
import type { ApiServerScope } from "../scope.ts";

/**
 * A pod that cannot be asked has read its files by then: kubelets and programs look every minute. A
 * certificate is valid from five minutes before it was made.
 */
const readAfterMs = (5 + 3) * 60 * 1000;
const askAgainSeconds = 2;

type Options = Pick<ApiServerScope, "list" | "certificateOf" | "clock"> & {
  readonly home: Home;
  readonly secrets: SecretInputs;
};

/**
 * Where the authorities are others than those that all pods trusted last: up to date once each pod has
 * read them. An API server follows its files, to which a kubelet brings a Secret within a minute or
 * two. The authorities and the certificate that it serves with are in one Secret, and each write of
 * them makes another certificate: a pod that serves with it has the authorities, too.
 */
export async function awaitAuthorities(
  apiServer: NestedAPIServer,
  report: Report,
  { home, secrets: { authorities, serving }, list, certificateOf, clock }: Options,
): Promise<Report> {
  const before = apiServer.status?.authorities;
  const isKnown = before === undefined || deepEqual(before, authorities);
  if (isKnown || !serving || report.upToDate.status !== "True") {
    return withAuthorities(report, authorities);
  }
  const { namespace, cluster } = home;
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
