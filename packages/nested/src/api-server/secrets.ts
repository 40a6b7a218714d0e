import type { SecretNeeds } from "../component/secret-inputs.ts";
import { authoritySecret, leafSecret, serviceAccountSecret } from "../names.ts";

const pair = ["tls.crt", "tls.key"];
const withAuthority = [...pair, "ca.crt"];

/**
 * The Secrets of kube-apiserver, which reads etcd's authority and account keys only at its start.
 */
export function apiServerSecrets(cluster: string): SecretNeeds {
  const [etcd, accounts] = [leafSecret(cluster, "etcd"), serviceAccountSecret(cluster)];
  const { trust, serving } = followed(cluster);
  return {
    serving,
    trust: { ...trust, etcd },
    keys: {
      [serving]: withAuthority,
      [trust.proxy]: withAuthority,
      [leafSecret(cluster, "kubelet")]: withAuthority,
      [etcd]: withAuthority,
      [accounts]: pair,
    },
    inputs: (content) => [content[etcd]?.["ca.crt"] ?? "", content[accounts]?.["tls.crt"] ?? ""],
  };
}

/** The Secrets of `rookery local serve`, which reads service account keys only at its start. */
export function lightSecrets(cluster: string): SecretNeeds {
  const accounts = serviceAccountSecret(cluster);
  const { trust, serving } = followed(cluster);
  return {
    serving,
    trust,
    keys: {
      [serving]: withAuthority,
      [trust.proxy]: withAuthority,
      [authoritySecret(cluster, "ca")]: pair,
      [accounts]: pair,
    },
    inputs: (content) => [content[accounts]?.["tls.crt"] ?? ""],
  };
}

/** The files whose changes both profiles follow. */
function followed(cluster: string) {
  const serving = leafSecret(cluster, "apiserver-serving");
  return { serving, trust: { ca: serving, proxy: leafSecret(cluster, "proxy") } };
}
