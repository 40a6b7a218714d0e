import type { Component } from "../documents/documents.ts";
import { type ComponentKey, componentKeyOf } from "../inventory/inventory.ts";
import { groupOf, isCrd, isWebhookConfiguration } from "../render/component-shapes.ts";

const group = "cert-manager.io";
const injection = "cert-manager.io/inject-ca-from";

/** A certificate that a component asks cert-manager for. */
export interface CertificateNeed {
  readonly namespace: string;
  readonly name: string;
  /** The Secret of type kubernetes.io/tls that is to hold it. */
  readonly secretName: string;
  readonly dnsNames: readonly string[];
  /** As Go writes durations; cert-manager's default of 90 days where absent. */
  readonly duration?: string;
  readonly renewBefore?: string;
  /** Whether its issuer among the components signs itself: others cannot be stood in for. */
  readonly selfSigned: boolean;
  /** What is to hold its authority as caBundle. */
  readonly injectedInto: readonly ComponentKey[];
}

/** What components need of cert-manager. */
export interface CertManagerNeeds {
  readonly certificates: readonly CertificateNeed[];
  /** Objects of cert-manager's kinds: not to be applied where it is not installed. */
  readonly objects: readonly ComponentKey[];
}

/** Reads from rendered components what cert-manager does for them, so that another can do it. */
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

/** The component with an authority for its webhooks, as cert-manager's injector would leave it. */
export function withCaBundle(component: Component, pem: string): Component {
  const caBundle = Buffer.from(pem).toString("base64");
  if (isWebhookConfiguration(component)) {
    const webhooks = component.webhooks?.map((webhook) => ({
      ...webhook,
      clientConfig: { ...webhook.clientConfig, caBundle },
    }));
    return { ...component, ...(webhooks && { webhooks }) };
  }
  if (component.kind === "APIService")
    return { ...component, spec: { ...Object(component.spec), caBundle } };
  const conversion = isCrd(component) ? component.spec.conversion : undefined;
  if (!isCrd(component) || !conversion?.webhook) return component;
  const clientConfig = { ...conversion.webhook.clientConfig, caBundle };
  const webhook = { ...conversion.webhook, clientConfig };
  return { ...component, spec: { ...component.spec, conversion: { ...conversion, webhook } } };
}
