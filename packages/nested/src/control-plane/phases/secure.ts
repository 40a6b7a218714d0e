import type { NestedControlPlane } from "@rookery/api";
import { durationToMilliseconds, parseDuration } from "@rookery/kube";
import { ControlPlaneError } from "../../errors.ts";
import { controllers, type KubeconfigAccount, people } from "../../kubeconfig/accounts.ts";
import { ensureKubeconfig } from "../../kubeconfig/ensure-kubeconfig.ts";
import { readKubeconfig } from "../../kubeconfig/kubeconfig.ts";
import { apiServerPort, kubeconfigSecret } from "../../names.ts";
import { type Authorities, ensureAuthorities } from "../../pki/authorities.ts";
import { ensureLeaves } from "../../pki/leaves.ts";
import type { Rotation, RotationWish } from "../../pki/rotation.ts";
import type { PkiScope } from "../../pki/scope.ts";
import { type AdoptingStore, isOurs, textOf } from "../../pki/secret.ts";
import { noting } from "../../pki/secret-memo.ts";
import { credentialsRenewalMs } from "../../tenant/tenants.ts";
import {
  type ComponentObject,
  type ComponentReference,
  type Components,
  isOwnKind,
} from "../component.ts";
import { type Finding, findingOf, not, well } from "../findings.ts";
import { addressOf, closedServerOf, endpointOf } from "../policies.ts";
import type { ControlPlaneDependencies, ControlPlaneScope, Secured } from "../scope.ts";
import { trustersOf } from "../trusters.ts";

type Dependencies = Pick<
  ControlPlaneDependencies,
  "secretsFor" | "memo" | "tenants" | "allowedHosts" | "expiry" | "clock"
>;

type SecretScope = PkiScope & {
  readonly store: AdoptingStore;
  readonly userKubeconfigValidityMs: number;
  /** Where a foreign API server is that the manager may not connect to. */
  readonly closedServer: string | undefined;
};

/** Where a Secret is wrong, its correction is an event; a kubeconfig of others has no other sign. */
const lookAgainMs = 10 * 60 * 1000;
export const usualServiceCidr = "10.96.0.0/12";

/**
 * Makes certificates and kubeconfig what they should be, and points whoever asks the tenant to where
 * it is. Where nothing has changed since the last time, nothing is read.
 */
export async function secure(
  scope: ControlPlaneScope,
  components: Components,
  dependencies: Dependencies,
): Promise<Secured> {
  const apiServer = components.apiserver;
  const { key, namespace } = scope;
  const versions = new Map<string, string>();
  const store = noting(dependencies.secretsFor(scope.controlPlane), versions);
  const { clock, allowedHosts } = dependencies;
  const { controlPlane } = scope;
  const place = { controlPlane, apiServer, allowedHosts };
  const endpoint = endpointOf(place);
  const host = "host" in endpoint ? endpoint.host : undefined;
  const closedServer = closedServerOf(place);
  const trusters = trustersOf(scope, components);
  const pki = pkiScope(scope, apiServer, { store, clock, host, closedServer, trusters });
  const server = "host" in endpoint ? `https://${addressOf(endpoint)}` : undefined;
  const inputs = inputsOf(pki, server);
  const known = dependencies.memo.recall(key, namespace, inputs);
  if (known) return known;
  const found = await look(pki, server, async (authorities) => {
    if (server) await watchTenant(key, server, { authorities, dependencies });
  });
  const { until } = found;
  dependencies.expiry.set(key, found.expiries);
  dependencies.memo.remember(key, { inputs, versions, until, found });
  return found;
}

async function look(
  pki: SecretScope,
  server: string | undefined,
  onAuthorities: (authorities: Authorities) => Promise<void>,
): Promise<Secured> {
  const until = new Date(pki.clock().getTime() + credentialsRenewalMs);
  try {
    const authorities = await ensureAuthorities(pki);
    const named = server ?? (await serverBefore(pki));
    const [leaves, kubeconfig, userKubeconfig] = await Promise.all([
      ensureLeaves(pki, authorities),
      lookAtKubeconfig(pki, { server: named, authorities, account: controllers }),
      lookAtKubeconfig(pki, {
        server: named,
        authorities,
        account: people(pki.userKubeconfigValidityMs),
      }),
      onAuthorities(authorities),
    ]);
    const rotations = Object.values(authorities).map(({ rotation }) => rotation);
    const steps = rotations.flatMap((rotation) => rotation.until ?? []);
    const looks = [until, leaves, kubeconfig.until, userKubeconfig.until, ...steps];
    const next = looks.map((date) => date.getTime());
    return {
      certificates: well("Available"),
      authorities: rotationFinding(rotations),
      expiries: expiriesOf(authorities),
      kubeconfig: kubeconfig.finding,
      userKubeconfig: userKubeconfig.finding,
      until: new Date(Math.min(...next)),
    };
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    const kubeconfig = not("WaitingForCertificates", "certificates have to be right first");
    const kubeconfigs = { kubeconfig, userKubeconfig: kubeconfig };
    const authorities = { authorities: kubeconfig, expiries: {} };
    return { certificates: findingOf(error), ...authorities, ...kubeconfigs, until: soon(pki) };
  }
}

function rotationFinding(rotations: readonly Rotation[]): Finding {
  const of = (steps: readonly Rotation["step"][]) =>
    rotations.filter(({ step }) => steps.includes(step)).map(({ message }) => message);
  const blocked = of(["blocked"]);
  if (blocked.length > 0) return not("RotationBlocked", blocked.join("; "));
  const rotating = of(["trust", "sign"]);
  return rotating.length > 0 ? not("Rotating", rotating.join("; ")) : well("Current");
}

function expiriesOf({ ca, etcd, proxy }: Authorities): Secured["expiries"] {
  const end = ({ rotation }: Authorities["ca"]) => rotation.notAfter;
  return { ca: end(ca), etcd: end(etcd), proxy: end(proxy) };
}

/** Where the controllers' kubeconfig leads already, although the manager itself may not connect there. */
async function serverBefore(pki: SecretScope): Promise<string | undefined> {
  const secret = pki.closedServer && (await pki.store.get(kubeconfigSecret(pki.cluster)));
  if (!secret || !isOurs(secret, pki)) return undefined;
  const { server } = readKubeconfig(textOf(secret, "value") ?? "") ?? {};
  return server === pki.closedServer ? server : undefined;
}

async function lookAtKubeconfig(
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
): Promise<{ readonly finding: Finding; readonly until: Date }> {
  if (!server) {
    const finding = not("WaitingForEndpoint", "the API server has no endpoint yet");
    return { finding, until: new Date(pki.clock().getTime() + credentialsRenewalMs) };
  }
  try {
    const subject = { cluster: pki.cluster, server, authority: authorities.ca, account };
    return { finding: well("Available"), until: await ensureKubeconfig(pki, subject) };
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    return { finding: findingOf(error), until: soon(pki) };
  }
}

async function watchTenant(
  key: string,
  server: string,
  parts: {
    readonly authorities: Authorities;
    readonly dependencies: Pick<Dependencies, "tenants">;
  },
): Promise<void> {
  const { ca } = parts.authorities;
  const place = { server, certificateAuthority: ca.certificate };
  await parts.dependencies.tenants.watch(key, place, (lifetimeSeconds) =>
    ca.issue({
      commonName: "rookery-nested",
      organizations: ["system:masters"],
      usages: ["client"],
      lifetimeSeconds,
    }),
  );
}

function pkiScope(
  { controlPlane, cluster, namespace }: ControlPlaneScope,
  apiServer: ComponentObject | undefined,
  {
    host,
    ...parts
  }: Pick<SecretScope, "store" | "clock" | "closedServer" | "trusters"> & {
    readonly host: string | undefined;
  },
): SecretScope {
  const { certificates } = controlPlane.spec;
  const { serviceCidr = usualServiceCidr, certSANs = [], service = {} } = apiServer?.spec ?? {};
  const hosts = [host, service.host, ...certSANs];
  return {
    ...parts,
    owner: controlPlane,
    cluster,
    namespace,
    caValidityMs: milliseconds(certificates.caValidity),
    leafValidityMs: milliseconds(certificates.leafValidity),
    userKubeconfigValidityMs: milliseconds(certificates.userKubeconfigValidity),
    rotation: rotationWish(certificates),
    isInitialized: controlPlane.status?.initialized === true,
    serviceCidr,
    servicePort: service.port ?? apiServerPort,
    hosts: hosts.filter((host) => host !== undefined && host !== "") as string[],
    awaitsEndpoint: host === undefined && !isForeign(controlPlane.spec.apiserver),
  };
}

function rotationWish({
  rotation,
  userKubeconfigValidity,
}: NestedControlPlane["spec"]["certificates"]): RotationWish {
  return {
    renewBeforeMs: milliseconds(rotation?.renewBefore ?? "8760h"),
    overlapMs: milliseconds(rotation?.overlap ?? userKubeconfigValidity),
    rotateAfter: rotation?.rotateAfter,
  };
}

/** Whether an API server is of a kind that might wait for its certificate before it has an endpoint. */
function isForeign(reference: ComponentReference | undefined): boolean {
  return reference !== undefined && !isOwnKind(reference);
}

/** All that decides what the Secrets hold; whether it is initialized only whether one may be made. */
function inputsOf(
  { store: _, clock: __, isInitialized: ___, owner, ...pki }: SecretScope,
  server = "",
): string {
  return JSON.stringify([owner.metadata.uid, server, pki]);
}

function milliseconds(duration: string): number {
  return durationToMilliseconds(parseDuration(duration));
}

function soon({ clock }: Pick<PkiScope, "clock">): Date {
  return new Date(clock().getTime() + lookAgainMs);
}
