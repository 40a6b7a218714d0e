import type { ObjectMeta } from "@rookery/kube";

/** Finalizers of Kubernetes, with what they wait for. */
const known: Readonly<Record<string, string>> = {
  kubernetes: "Kubernetes empties the namespace first, and something in it does not go",
  foregroundDeletion: "the garbage collector waits for objects that this one owns",
  orphan: "the garbage collector has to take the owner off objects that this one owns",
  "customresourcecleanup.apiextensions.k8s.io":
    "objects of this kind are still there; those that have finalizers of their own are in the way",
  "kubernetes.io/pvc-protection": "a pod still uses the volume",
  "service.kubernetes.io/load-balancer-cleanup": "a load balancer is taken away first",
};

/** Explains why an object still exists: its finalizers, whose they are, what they wait for, and the way out. */
export function explainStuck({ deletionTimestamp, finalizers = [] }: ObjectMeta): string {
  if (deletionTimestamp === undefined) {
    return "it was not asked to go yet; see whether an admission webhook refuses the deletion or does not answer";
  }
  const since = `it was asked to go at ${deletionTimestamp}`;
  if (finalizers.length === 0) return `${since} and has no finalizers: it goes within moments`;
  return `${since} and waits for ${finalizers.map(explainFinalizer).join("; ")}`;
}

function explainFinalizer(finalizer: string): string {
  const reason = Object.hasOwn(known, finalizer) ? known[finalizer] : undefined;
  if (reason !== undefined) return `${finalizer}: ${reason}`;
  return (
    `${finalizer}: ${ownerOf(finalizer)} takes it off when it is done; see whether that controller ` +
    "runs and its webhooks answer, and take the finalizer off by hand only if it is gone for good"
  );
}

/** By convention a finalizer starts with the domain of its controller. */
function ownerOf(finalizer: string): string {
  const [domain, ...name] = finalizer.split("/");
  return name.length > 0 || finalizer.includes(".")
    ? `the controller of ${domain}`
    : "the controller that set it";
}
