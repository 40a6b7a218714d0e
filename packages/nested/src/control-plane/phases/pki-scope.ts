import type { NestedControlPlane } from "@rookery/api";
import { durationToMilliseconds, parseDuration } from "@rookery/kube";
import { type Authority, apiServerPort } from "../../names.ts";
import type { RotationSettings, Truster, Trusters } from "../../pki/rotation.ts";
import type { PkiScope } from "../../pki/scope.ts";
import type { AdoptingStore } from "../../pki/secret.ts";
import {
  type ComponentField,
  type ComponentReference,
  type Components,
  isOwnKind,
  neededFields,
} from "../component.ts";
import type { OwnedControlPlane } from "../scope.ts";

export type SecretScope = PkiScope & {
  readonly store: AdoptingStore;
  readonly userKubeconfigValidityMs: number;
  /** The server of a foreign API server that the manager may not connect to. */
  readonly closedServer: string | undefined;
};

interface PkiParts extends Pick<SecretScope, "store" | "clock" | "closedServer"> {
  readonly host: string | undefined;
}

/** The default of NestedAPIServer, for foreign API servers. */
export const defaultServiceCidr = "10.96.0.0/12";

/** The inputs of the certificates and kubeconfigs of a control plane. */
export function pkiScope(
  plane: OwnedControlPlane,
  components: Components,
  { host, ...parts }: PkiParts,
): SecretScope {
  const { controlPlane, cluster, namespace } = plane;
  const { apiserver: apiServer } = components;
  const { certificates } = controlPlane.spec;
  const { serviceCidr = defaultServiceCidr, certSANs = [], service = {} } = apiServer?.spec ?? {};
  const hosts = [host, service.host, ...certSANs];
  return {
    ...parts,
    trusters: trustersOf(plane, components),
    owner: controlPlane,
    cluster,
    namespace,
    caValidityMs: milliseconds(certificates.caValidity),
    leafValidityMs: milliseconds(certificates.leafValidity),
    userKubeconfigValidityMs: milliseconds(certificates.userKubeconfigValidity),
    rotation: rotationSettings(certificates),
    isInitialized: controlPlane.status?.initialized === true,
    serviceCidr,
    servicePort: service.port ?? apiServerPort,
    hosts: hosts.filter((host) => host !== undefined && host !== "") as string[],
    awaitsEndpoint: host === undefined && !isForeign(controlPlane.spec.apiserver),
  };
}

function rotationSettings({
  rotation,
  userKubeconfigValidity,
}: NestedControlPlane["spec"]["certificates"]): RotationSettings {
  return {
    renewBeforeMs: milliseconds(rotation?.renewBefore ?? "8760h"),
    overlapMs: milliseconds(rotation?.overlap ?? userKubeconfigValidity),
    rotateAfter: rotation?.rotateAfter,
  };
}

/** A foreign API server may need its certificate before it has an endpoint. */
function isForeign(reference: ComponentReference | undefined): boolean {
  return reference !== undefined && !isOwnKind(reference);
}

/** The memo key: all inputs of the Secrets. */
export function inputsOf(
  { store: _, clock: __, isInitialized: ___, owner, ...pki }: SecretScope,
  server = "",
): string {
  return JSON.stringify([owner.metadata.uid, server, pki]);
}

function milliseconds(duration: string): number {
  return durationToMilliseconds(parseDuration(duration));
}

/** The components whose pods read an authority. */
const readers: Readonly<Record<Authority, readonly ComponentField[]>> = {
  ca: ["apiserver", "controllerManager"],
  etcd: ["etcd", "apiserver"],
  proxy: ["apiserver"],
};

/** The components whose pods must trust each authority, and the authorities that they trust. */
function trustersOf({ controlPlane }: OwnedControlPlane, components: Components): Trusters {
  const needed = neededFields(controlPlane, components.apiserver) ?? ["apiserver"];
  const isLight = !needed.includes("etcd");
  const of = (authority: Authority): Truster[] =>
    readers[authority]
      .filter((field) => needed.includes(field) && !(isLight && authority === "etcd"))
      .map((field) => {
        const reference = controlPlane.spec[field];
        const hash = components[field]?.status?.authorities?.[authority];
        const name = reference && `${reference.kind} ${reference.name}`;
        return {
          name: name ?? `the component for spec.${field}`,
          hash,
          isForeign: isForeign(reference),
        };
      });
  return { ca: of("ca"), etcd: of("etcd"), proxy: of("proxy") };
}
