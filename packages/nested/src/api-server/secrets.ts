import type { SecretNeeds } from "../component/secret-inputs.ts";
import { authoritySecret, leafSecret, serviceAccountSecret } from "../names.ts";

const pair = ["tls.crt", "tls.key"];
const withAuthority = [...pair, "ca.crt"];

/**
 * What kube-apiserver needs. It reads the authority of etcd and the keys of service accounts only when
 * it starts; it follows changes of all its certificates, and of the authorities of its clients.
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

/** What `rookery local serve` needs. It reads the keys of service accounts only when it starts. */
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

/** What both profiles follow in their files. */
function followed(cluster: string) {
  const serving = leafSecret(cluster, "apiserver-serving");
  return { serving, trust: { ca: serving, proxy: leafSecret(cluster, "proxy") } };
}
