/**
 * On a node that is very busy an answer takes longer than a second, which is what a kubelet waits by
 * default: a manager would be killed again and again, and be started later each time.
 */
const patient = { timeoutSeconds: 10 };

/**
 * The probes of a manager's container, by the name of the port that serves its health. It may take
 * three minutes to start, and only then does liveness count; that it is ready is seen within two seconds.
 */
export function managerProbes(port: string): object {
  const healthy = { ...patient, httpGet: { path: "/healthz", port } };
  return {
    startupProbe: { ...healthy, periodSeconds: 1, failureThreshold: 180 },
    readinessProbe: { ...patient, httpGet: { path: "/readyz", port }, periodSeconds: 2 },
    livenessProbe: { ...healthy, periodSeconds: 10 },
  };
}
