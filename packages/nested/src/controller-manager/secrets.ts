import type { SecretNeeds } from "../component/secret-inputs.ts";
import { authoritySecret, leafSecret, serviceAccountSecret, signingCertificate } from "../names.ts";

/** The Secrets of kube-controller-manager, which reads most files only at its start. */
export function controllerManagerSecrets(cluster: string): SecretNeeds {
  const proxy = leafSecret(cluster, "proxy");
  const client = leafSecret(cluster, "controller-manager");
  const own = ["tls.crt", "tls.key", "ca.crt", "kubeconfig", signingCertificate];
  return {
    keys: {
      [client]: own,
      [authoritySecret(cluster, "ca")]: ["tls.crt", "tls.key"],
      [serviceAccountSecret(cluster)]: ["tls.crt", "tls.key"],
      [proxy]: ["ca.crt"],
    },
    trust: { ca: client },
    // A key never changes without its certificate.
    inputs: ({ [proxy]: _, ...content }) =>
      Object.values(content).flatMap(({ "tls.key": __, ...open }) => Object.values(open)),
  };
}
