import { isFalse, isTrue } from "@rookery/kube";
import { ControlPlaneError } from "../../errors.ts";
import { ensureKubeconfig } from "../../kubeconfig/ensure-kubeconfig.ts";
import {
  controllers,
  type KubeconfigAccount,
  people,
  readKubeconfig,
} from "../../kubeconfig/kubeconfig.ts";
import { kubeconfigSecret } from "../../names.ts";
import { type Authorities, ensureAuthorities } from "../../pki/authorities.ts";
import { ensureLeaves } from "../../pki/leaves.ts";
import type { Rotation } from "../../pki/rotation.ts";
import { isOurs, textOf } from "../../pki/secret.ts";
import { recording } from "../../pki/secret-memo.ts";
import { credentialsRenewalMs } from "../../tenant/tenants.ts";
import type { Components } from "../component.ts";
import { addressOf, closedServerOf, endpointOf } from "../policies.ts";
import type { ControlPlaneFinding } from "../report.ts";
import type { ControlPlaneScope, OwnedControlPlane, Secured } from "../scope.ts";
import { inputsOf, pkiScope, type SecretScope } from "./pki-scope.ts";

type Scope = Pick<
  ControlPlaneScope,
  "secretsFor" | "memo" | "tenants" | "allowedHosts" | "expiry" | "clock"
>;

/** Corrections of a Secret of others may cause no event. */
const recheckMs = 10 * 60 * 1000;

/**
 * Ensures certificates and kubeconfigs, and watches the tenant. Without changes it reads no Secret.
 */
export async function secure(
  plane: OwnedControlPlane,
  components: Components,
  scope: Scope,
): Promise<Secured> {
  const apiServer = components.apiserver;
  const { key, namespace } = plane;
  const versions = new Map<string, string>();
  const store = recording(scope.secretsFor(plane.controlPlane), versions);
  const { clock, allowedHosts } = scope;
  const { controlPlane } = plane;
  const place = { controlPlane, apiServer, allowedHosts };
  const endpoint = endpointOf(place);
  const host = "host" in endpoint ? endpoint.host : undefined;
  const closedServer = closedServerOf(place);
  const pki = pkiScope(plane, components, { store, clock, host, closedServer });
  const server = "host" in endpoint ? `https://${addressOf(endpoint)}` : undefined;
  const inputs = inputsOf(pki, server);
  const known = scope.memo.recall(key, namespace, inputs);
  if (known) return known;
  const found = await ensureSecrets(pki, server, async (authorities) => {
    if (server) await watchTenant({ key, server }, authorities, scope);
  });
  const { until } = found;
  scope.expiry.set(key, found.expiries);
  scope.memo.remember(key, { inputs, versions, until, found });
  return found;
}

async function ensureSecrets(
  pki: SecretScope,
  server: string | undefined,
  onAuthorities: (authorities: Authorities) => Promise<void>,
): Promise<Secured> {
  const until = new Date(pki.clock().getTime() + credentialsRenewalMs);
  try {
    const authorities = await ensureAuthorities(pki);
    const named = server ?? (await serverBefore(pki));
    const userAccount = people(pki.userKubeconfigValidityMs);
    const [leaves, kubeconfig, userKubeconfig] = await Promise.all([
      ensureLeaves(pki, authorities),
      secureKubeconfig(pki, { server: named, authorities, account: controllers }),
      secureKubeconfig(pki, { server: named, authorities, account: userAccount }),
      onAuthorities(authorities),
    ]);
    const rotations = Object.values(authorities).map(({ rotation }) => rotation);
    const steps = rotations.flatMap((rotation) => rotation.until ?? []);
    const checks = [until, leaves, kubeconfig.until, userKubeconfig.until, ...steps];
    const next = checks.map((date) => date.getTime());
    return {
      certificates: isTrue("Available"),
      authorities: rotationFinding(rotations),
      expiries: expiriesOf(authorities),
      kubeconfig: kubeconfig.finding,
      userKubeconfig: userKubeconfig.finding,
      until: new Date(Math.min(...next)),
    };
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    const waiting = isFalse("WaitingForCertificates", "the certificates must be valid first");
    return {
      certificates: isFalse(error.reason, error.message),
      authorities: waiting,
      expiries: {},
      kubeconfig: waiting,
      userKubeconfig: waiting,
      until: soon(pki),
    };
  }
}

function rotationFinding(rotations: readonly Rotation[]): ControlPlaneFinding {
  const of = (steps: readonly Rotation["step"][]) =>
    rotations.filter(({ step }) => steps.includes(step)).map(({ message }) => message);
  const blocked = of(["blocked"]);
  if (blocked.length > 0) return isFalse("RotationBlocked", blocked.join("; "));
  const rotating = of(["trust", "sign"]);
  return rotating.length > 0 ? isFalse("Rotating", rotating.join("; ")) : isTrue("Current");
}

function expiriesOf({ ca, etcd, proxy }: Authorities): Secured["expiries"] {
  const end = ({ rotation }: Authorities["ca"]) => rotation.notAfter;
  return { ca: end(ca), etcd: end(etcd), proxy: end(proxy) };
}

/** The server in the existing kubeconfig, if the manager may not connect to it. */
async function serverBefore(pki: SecretScope): Promise<string | undefined> {
  const secret = pki.closedServer && (await pki.store.get(kubeconfigSecret(pki.cluster)));
  if (!secret || !isOurs(secret, pki)) return undefined;
  const { server } = readKubeconfig(textOf(secret, "value") ?? "") ?? {};
  return server === pki.closedServer ? server : undefined;
}

async function secureKubeconfig(
  pki: SecretScope,
  {
    server,
    authorities,
    account,
  }: {
    readonly server: string | undefined;
    readonly authorities: Authorities;
    readonly account: KubeconfigAccount;
  },
): Promise<{ readonly finding: ControlPlaneFinding; readonly until: Date }> {
  if (!server) {
    const finding = isFalse("WaitingForEndpoint", "the API server has no endpoint yet");
    return { finding, until: new Date(pki.clock().getTime() + credentialsRenewalMs) };
  }
  try {
    const subject = { cluster: pki.cluster, server, authority: authorities.ca, account };
    return { finding: isTrue("Available"), until: await ensureKubeconfig(pki, subject) };
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    return { finding: isFalse(error.reason, error.message), until: soon(pki) };
  }
}

async function watchTenant(
  { key, server }: { readonly key: string; readonly server: string },
  { ca }: Authorities,
  { tenants }: Pick<Scope, "tenants">,
): Promise<void> {
  const place = { server, certificateAuthority: ca.certificate };
  await tenants.watch(key, place, (lifetimeSeconds) =>
    ca.issue({
      commonName: "rookery-nested",
      organizations: ["system:masters"],
      usages: ["client"],
      lifetimeSeconds,
    }),
  );
}

function soon({ clock }: Pick<SecretScope, "clock">): Date {
  return new Date(clock().getTime() + recheckMs);
}
