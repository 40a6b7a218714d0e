import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import {
  type CertificateNeed,
  type Component,
  certManagerNeeds,
  componentKeyOf,
  formatComponentKey,
  isCertManagerObject,
  withCaBundle,
} from "@rookery/components";
import { metadataOf } from "../components/metadata-of.ts";
import { customResourceDefinitions, secrets } from "../resources.ts";
import { CertificateIssuer } from "./certificate-issuer.ts";
import type { IssuedCertificate } from "./certificate-rotation.ts";
import { readForeignSecret } from "./foreign-secret.ts";
import { findSecret, isForeign } from "./tls-secret.ts";

export interface ProviderCertificates {
  /**
   * Takes the place of cert-manager if it is not installed: issues and rotates Secrets, injects caBundles,
   * and leaves the objects of cert-manager out. With cert-manager, returns the components unchanged. The
   * Secret of a user is never written. Errors: PhaseError.
   */
  ensure(
    provider: Provider,
    components: readonly Component[],
    signal: AbortSignal,
  ): Promise<CertifiedComponents>;
}

interface CertifiedComponents {
  readonly components: readonly Component[];
  readonly renewAfterSeconds?: number;
}

interface ProviderCertificatesOptions {
  readonly client: Client;
  readonly now?: () => Date;
  /** The time in which API servers notice a new authority; 60 by default. */
  readonly settleSeconds?: number;
}

export function createProviderCertificates(
  options: ProviderCertificatesOptions,
): ProviderCertificates {
  const { client, now = () => new Date() } = options;
  const issuer = new CertificateIssuer({ ...options, now });
  const provide = async (provider: Provider, need: CertificateNeed, signal: AbortSignal) => {
    const secret = await findSecret(client.resource(secrets), need, signal);
    return secret && isForeign(secret)
      ? readForeignSecret(secret, need, now())
      : issuer.issue(provider, need, signal);
  };
  return {
    async ensure(provider, components, signal) {
      const { certificates, objects } = certManagerNeeds(components);
      if (objects.length === 0 || (await hasCertManager(client, signal))) return { components };
      const issued = new Map<CertificateNeed, IssuedCertificate>();
      for (const need of certificates) issued.set(need, await provide(provider, need, signal));
      return { components: withAuthorities(components, issued), ...renewal(issued, now()) };
    },
  };
}

async function hasCertManager(client: Client, signal: AbortSignal): Promise<boolean> {
  const crds = metadataOf(client, customResourceDefinitions);
  const found = await getOptional(crds, { name: "certificates.cert-manager.io" }, { signal });
  return found !== undefined;
}

function withAuthorities(
  components: readonly Component[],
  issued: ReadonlyMap<CertificateNeed, IssuedCertificate>,
): readonly Component[] {
  const bundles = new Map(
    [...issued].flatMap(([{ injectedInto }, { caBundle }]) =>
      injectedInto.map((key) => [formatComponentKey(key), caBundle] as const),
    ),
  );
  return components
    .filter((component) => !isCertManagerObject(component))
    .map((component) => {
      const bundle = bundles.get(formatComponentKey(componentKeyOf(component)));
      return bundle === undefined ? component : withCaBundle(component, bundle);
    });
}

function renewal(
  issued: ReadonlyMap<CertificateNeed, IssuedCertificate>,
  now: Date,
): Pick<CertifiedComponents, "renewAfterSeconds"> {
  if (issued.size === 0) return {};
  const first = Math.min(...[...issued.values()].map(({ renewAt }) => renewAt.getTime()));
  return { renewAfterSeconds: Math.max(1, Math.ceil((first - now.getTime()) / 1000)) };
}
