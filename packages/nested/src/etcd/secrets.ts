import type { SecretNeeds } from "../component/secret-inputs.ts";
import { leafSecret } from "../names.ts";

const pair = ["tls.crt", "tls.key", "ca.crt"];

/** What etcd needs, and whoever asks it. It follows changes of its certificate, not of the authority. */
export function etcdSecrets(cluster: string): SecretNeeds {
  const serving = leafSecret(cluster, "etcd-serving");
  return {
    keys: { [serving]: pair, ...healthSecret(cluster) },
    inputs: (content) => [content[serving]?.["ca.crt"] ?? ""],
    trust: { etcd: serving },
  };
}

/** What somebody needs who asks etcd. */
export function healthSecret(cluster: string): SecretNeeds["keys"] {
  return { [leafSecret(cluster, "etcd-health")]: pair };
}
