import type { Component } from "../documents/documents.ts";
import { type ComponentKey, componentKeyOf } from "../inventory/inventory.ts";
import { groupOf, mapClientConfigs } from "../render/component-shapes.ts";

const group = "cert-manager.io";
const injection = "cert-manager.io/inject-ca-from";

/** A Certificate of cert-manager. */
export interface CertificateNeed {
  readonly namespace: string;
  readonly name: string;
  /** Its Secret of type kubernetes.io/tls. */
  readonly secretName: string;
  readonly dnsNames: readonly string[];
  /** As Go writes durations; cert-manager's default of 90 days where absent. */
  readonly duration?: string;
  readonly renewBefore?: string;
  /** Whether its issuer is self-signed: only those can be replaced. */
  readonly selfSigned: boolean;
  /** The components that need its authority as caBundle. */
  readonly injectedInto: readonly ComponentKey[];
}

/** The requirements of components on cert-manager. */
interface CertManagerNeeds {
  readonly certificates: readonly CertificateNeed[];
  /** Objects of cert-manager's kinds, which can't be applied without it. */
  readonly objects: readonly ComponentKey[];
}

/** The work of cert-manager for rendered components, so that the operator can do it instead. */
export function certManagerNeeds(components: readonly Component[]): CertManagerNeeds {
  const objects = components.filter(isCertManagerObject);
  const certificates = objects.filter(({ kind }) => kind === "Certificate");
  return {
    certificates: certificates.map((certificate) => needOf(certificate, components)),
    objects: objects.map(componentKeyOf),
  };
}

export function isCertManagerObject(component: Component): boolean {
  return groupOf(component) === group;
}

interface CertificateSpec {
  readonly secretName?: string;
  readonly dnsNames?: readonly string[];
  readonly duration?: string;
  readonly renewBefore?: string;
  readonly issuerRef?: { readonly kind?: string; readonly name?: string };
}

function needOf(certificate: Component, components: readonly Component[]): CertificateNeed {
  const { namespace = "", name = "" } = certificate.metadata;
  const spec = Object(certificate.spec) as CertificateSpec;
  const { secretName = "", dnsNames = [], duration, renewBefore } = spec;
  const isInjected = ({ metadata }: Component) =>
    metadata.annotations?.[injection] === `${namespace}/${name}`;
  return {
    namespace,
    name,
    secretName,
    dnsNames,
    ...(duration && { duration }),
    ...(renewBefore && { renewBefore }),
    selfSigned: components.some((one) => isSelfSigned(one, namespace, spec)),
    injectedInto: components.filter(isInjected).map(componentKeyOf),
  };
}

function isSelfSigned(
  issuer: Component,
  namespace: string,
  { issuerRef }: CertificateSpec,
): boolean {
  const isMeant =
    isCertManagerObject(issuer) &&
    issuer.kind === "Issuer" &&
    (issuerRef?.kind ?? "Issuer") === "Issuer" &&
    issuer.metadata.namespace === namespace &&
    issuer.metadata.name === issuerRef?.name;
  return isMeant && "selfSigned" in Object(issuer.spec);
}

/** The component with an authority for its webhooks, as cert-manager's injector would set it. */
export function withCaBundle(component: Component, pem: string): Component {
  const caBundle = Buffer.from(pem).toString("base64");
  return mapClientConfigs(component, (config) => ({ ...config, caBundle }));
}
