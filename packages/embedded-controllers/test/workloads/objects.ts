/** The template of pods that a scene is about. */
export function template(app: string, image: string, spec: object = {}) {
  return {
    metadata: { labels: { app } },
    spec: { containers: [{ name: "main", image }], terminationGracePeriodSeconds: 0, ...spec },
  };
}

const workload = (kind: string, name: string, spec: object) => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name, labels: { app: name } },
  spec: { selector: { matchLabels: { app: name } }, ...spec },
});

export function deployment(name: string, image: string, spec: object = {}) {
  return workload("Deployment", name, { replicas: 3, template: template(name, image), ...spec });
}

export function replicaSet(name: string, image: string, spec: object = {}) {
  return workload("ReplicaSet", name, { replicas: 2, template: template(name, image), ...spec });
}

export function statefulSet(name: string, image: string, spec: object = {}) {
  const common = { replicas: 3, serviceName: name, template: template(name, image) };
  return workload("StatefulSet", name, { ...common, ...spec });
}

export function daemonSet(name: string, image: string, spec: object = {}) {
  return workload("DaemonSet", name, { template: template(name, image), ...spec });
}

export function job(name: string, image: string, spec: object = {}) {
  const pod = template(name, image, { restartPolicy: "Never" });
  const common = { apiVersion: "batch/v1", kind: "Job", metadata: { name } };
  return { ...common, spec: { template: pod, ...spec } };
}

export function node(name: string, labels: Record<string, string>) {
  return { apiVersion: "v1", kind: "Node", metadata: { name, labels } };
}

/** A change of the image of a workload's template. */
export function imagePatch(image: string) {
  return { spec: { template: { spec: { containers: [{ name: "main", image }] } } } };
}
