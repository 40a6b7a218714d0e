import type { SecretNeeds } from "../component/secret-inputs.ts";
import { leafSecret } from "../names.ts";

const pair = ["tls.crt", "tls.key", "ca.crt"];

/** The Secrets of etcd and its clients. etcd reloads its certificate, but not the authority. */
export function etcdSecrets(cluster: string): SecretNeeds {
  const serving = leafSecret(cluster, "etcd-serving");
  return {
    keys: { [serving]: pair, ...healthSecret(cluster) },
    inputs: (content) => [content[serving]?.["ca.crt"] ?? ""],
    trust: { etcd: serving },
  };
}

/** The Secret that clients of etcd need. */
export function healthSecret(cluster: string): SecretNeeds["keys"] {
  return { [leafSecret(cluster, "etcd-health")]: pair };
}
