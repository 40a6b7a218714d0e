import { type AuthenticationConfigData, ClusterAuthenticationSource } from "@rookery/apiserver";
import type { LocalPki } from "./local-pki.ts";

/** What extension API servers are told of how this cluster authenticates. */
function authenticationConfig(pki: Pick<LocalPki, "ca" | "frontProxyCa">) {
  return {
    "client-ca-file": pki.ca.certificate,
    "requestheader-client-ca-file": pki.frontProxyCa.certificate,
    "requestheader-allowed-names": '["front-proxy-client"]',
    "requestheader-username-headers": '["X-Remote-User"]',
    "requestheader-uid-headers": '["X-Remote-Uid"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
  } satisfies AuthenticationConfigData;
}

/** The cluster tells itself the same. */
export function clusterAuthentication(pki: LocalPki): ClusterAuthenticationSource {
  return new ClusterAuthenticationSource({ read: async () => authenticationConfig(pki) });
}
