import type { Row, StoredObject } from "../../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const container = { name: "app", image: "registry.example/app:1" };
const base = { serviceAccountName: "default", automountServiceAccountToken: false };

/** A pod that is in order but for what is said. */
function podOf(spec: object, metadata?: object): object {
  return {
    spec: { ...base, containers: [container], ...spec },
    ...(metadata && { metadata }),
  };
}

function pod(spec: object, metadata?: object): Row {
  return { object: podOf(spec, metadata) };
}

function app(fields: object, spec: object = {}): Row {
  return pod({ ...spec, containers: [{ ...container, ...fields }] });
}

function mounted(volume: object, mount: object = {}): Row {
  return app(
    { volumeMounts: [{ name: "v", mountPath: "/v", ...mount }] },
    { volumes: [{ name: "v", ...volume }] },
  );
}

function change(old: object, edit: (stored: StoredObject) => void): Row {
  return {
    old: podOf(old),
    object: (stored) => {
      edit(stored);
      return stored;
    },
  };
}

const env = (...variables: object[]) => app({ env: variables });
const from = (valueFrom: object) => env({ name: "A", valueFrom });
const probe = (livenessProbe: object) => app({ livenessProbe });
const httpGet = (action: object) => probe({ httpGet: { port: 80, ...action } });
const resources = (limits: object, requests: object = {}) =>
  app({ resources: { limits, requests } });

const plain: Rows = {
  "one container": pod({}),
  "no container": pod({ containers: [] }),
  "a container without anything": pod({ containers: [{}] }),
  "a name that is no label": app({ name: "App_1" }),
  "a name with dots": app({ name: "a.b" }),
  "two of one name": pod({ containers: [container, container] }),
  "the latest image": app({ image: "nginx" }),
  "an image by its digest": app({ image: `nginx@sha256:${"a".repeat(64)}` }),
  "an image with spaces": app({ image: " nginx " }),
  policies: app({ imagePullPolicy: "Never", terminationMessagePolicy: "FallbackToLogsOnError" }),
  "policies that there are not": app({
    imagePullPolicy: "Sometimes",
    terminationMessagePolicy: "None",
  }),
  "a name of a pod with dots": pod({}, { name: "a.b" }),
  "a name of a pod with capitals": pod({}, { name: "A" }),
  "a restart policy that there is not": pod({ restartPolicy: "Sometimes" }),
  "a DNS policy that there is not": pod({ dnsPolicy: "Some" }),
  "never restarted": pod({ restartPolicy: "Never" }),
  "a restart policy of a container": app({ restartPolicy: "Always" }),
  names: pod({ hostname: "a", subdomain: "b", nodeName: "c", schedulerName: "d" }),
  "bad names": pod({
    hostname: "A",
    subdomain: "b.c",
    nodeName: "_",
  }),
  "a deadline": pod({ activeDeadlineSeconds: 10 }),
  "a deadline in the past": pod({ activeDeadlineSeconds: 0 }),
  "no grace": pod({ terminationGracePeriodSeconds: 0 }),
  "negative grace": pod({ terminationGracePeriodSeconds: -1 }),
  "pull secrets": pod({ imagePullSecrets: [{ name: "a" }, { name: "a" }, {}] }),
  "a node selector": pod({ nodeSelector: { "kubernetes.io/os": "linux" } }),
  "a bad node selector": pod({ nodeSelector: { "a b": "c d" } }),
  "an old node selector": pod({ nodeSelector: { "beta.kubernetes.io/os": "linux" } }),
  "readiness gates": pod({ readinessGates: [{ conditionType: "example.com/a" }] }),
  "a bad readiness gate": pod({ readinessGates: [{ conditionType: "a b" }] }),
  "scheduling gates": pod({ schedulingGates: [{ name: "example.com/a" }] }),
  "bad scheduling gates": pod({ schedulingGates: [{ name: "a b" }, { name: "a" }, { name: "a" }] }),
  "a gate and a node": pod({ schedulingGates: [{ name: "a" }], nodeName: "n" }),
  "an ephemeral container": pod({ ephemeralContainers: [{ name: "debug", image: "busybox" }] }),
  overhead: pod({ overhead: { cpu: "1", cups: "1" } }),
  linux: pod({ os: { name: "linux" } }),
  "linux with options for windows": pod({
    os: { name: "linux" },
    securityContext: { windowsOptions: { runAsUserName: "a" } },
  }),
  "windows with options for linux": pod({
    os: { name: "windows" },
    hostPID: true,
    securityContext: { runAsUser: 1, fsGroup: 2, seccompProfile: { type: "RuntimeDefault" } },
    containers: [{ ...container, securityContext: { privileged: true, runAsUser: 1 } }],
  }),
  "an operating system that there is not": pod({ os: { name: "plan9" } }),
  "an operating system without a name": pod({ os: {} }),
  "a deletion cost": pod(
    {},
    { annotations: { "controller.kubernetes.io/pod-deletion-cost": "-5" } },
  ),
  "a deletion cost that is none": pod(
    {},
    { annotations: { "controller.kubernetes.io/pod-deletion-cost": "+5" } },
  ),
  "old annotations": pod(
    {},
    {
      annotations: {
        "scheduler.alpha.kubernetes.io/critical-pod": "",
        "seccomp.security.alpha.kubernetes.io/pod": "strange",
      },
    },
  ),
  "resource claims": pod({
    resourceClaims: [{ name: "a", resourceClaimName: "b" }],
    containers: [{ ...container, resources: { claims: [{ name: "a", request: "r" }] } }],
  }),
  "bad resource claims": pod({
    resourceClaims: [
      { name: "a" },
      { name: "a", resourceClaimName: "A", resourceClaimTemplateName: "b" },
      {},
    ],
    containers: [{ ...container, resources: { claims: [{ name: "x" }, {}, { name: "x" }] } }],
  }),
  "fields whose features are off": pod({
    hostnameOverride: "x",
    volumes: [{ name: "i", image: { reference: "a" } }],
    containers: [
      {
        ...container,
        restartPolicy: "Never",
        lifecycle: { stopSignal: "SIGTERM" },
        volumeMounts: [{ name: "i", mountPath: "/i" }],
      },
    ],
  }),
};

const ports: Rows = {
  ports: app({
    ports: [
      { containerPort: 80, name: "http" },
      { containerPort: 81, protocol: "UDP" },
    ],
  }),
  "a port without a number": app({ ports: [{ name: "http" }] }),
  "a port out of range": app({ ports: [{ containerPort: 70000, hostPort: -1 }] }),
  "bad names of ports": app({
    ports: [
      { containerPort: 80, name: "UPPER" },
      { containerPort: 81, name: "way-too-long-a-name" },
      { containerPort: 82, name: "--" },
    ],
  }),
  "a name of a port twice": app({
    ports: [
      { containerPort: 80, name: "a" },
      { containerPort: 81, name: "a" },
    ],
  }),
  "a protocol that there is not": app({ ports: [{ containerPort: 80, protocol: "ICMP" }] }),
  "one port twice": app({ ports: [{ containerPort: 80 }, { containerPort: 80 }] }),
  "one port of the host twice": app({
    ports: [
      { containerPort: 80, hostPort: 80 },
      { containerPort: 81, hostPort: 80 },
    ],
  }),
  "an address without a port of the host": app({
    ports: [{ containerPort: 80, hostIP: "1.2.3.4" }],
  }),
  "the network of the host": app({ ports: [{ containerPort: 80 }] }, { hostNetwork: true }),
  "the network of the host and another port": app(
    { ports: [{ containerPort: 80, hostPort: 81 }] },
    { hostNetwork: true },
  ),
};

const variables: Rows = {
  variables: env({ name: "A", value: "1" }, { name: "b-c.d e", value: "$(A)" }),
  "a variable without a name": env({ value: "1" }),
  "a variable with = in its name": env({ name: "a=b" }),
  "a variable twice": env({ name: "A", value: "1" }, { name: "A", value: "2" }),
  "a variable that extends itself": env({ name: "A", value: "1" }, { name: "A", value: "$(A)2" }),
  "a field": from({ fieldRef: { fieldPath: "metadata.name" } }),
  "a label": from({ fieldRef: { fieldPath: "metadata.labels['app']" } }),
  "all labels": from({ fieldRef: { fieldPath: "metadata.labels" } }),
  "a bad label": from({ fieldRef: { fieldPath: "metadata.labels['a b']" } }),
  "a field that there is not": from({ fieldRef: { fieldPath: "spec.fancy" } }),
  "a field with a subscript": from({ fieldRef: { fieldPath: "spec.nodeName['a']" } }),
  "a field of another version": from({
    fieldRef: { apiVersion: "v2", fieldPath: "metadata.name" },
  }),
  "no field": from({ fieldRef: {} }),
  "the field of old": from({ fieldRef: { fieldPath: "spec.host" } }),
  "a resource": from({ resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } }),
  "a resource that there is not": from({ resourceFieldRef: { resource: "limits.cups" } }),
  "no resource": from({ resourceFieldRef: {} }),
  "a bad divisor of CPU": from({ resourceFieldRef: { resource: "limits.cpu", divisor: "2" } }),
  "a bad divisor of memory": from({
    resourceFieldRef: { resource: "requests.memory", divisor: "2Mi" },
  }),
  "huge pages as a variable": from({
    resourceFieldRef: { resource: "limits.hugepages-2Mi", divisor: "3" },
  }),
  keys: env(
    { name: "A", valueFrom: { configMapKeyRef: { name: "c", key: "k" } } },
    { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "k", optional: true } } },
  ),
  "bad keys": env(
    { name: "A", valueFrom: { configMapKeyRef: { name: "C", key: "a/b" } } },
    { name: "B", valueFrom: { secretKeyRef: {} } },
  ),
  "two sources": from({
    fieldRef: { fieldPath: "metadata.name" },
    secretKeyRef: { name: "s", key: "k" },
  }),
  "no source": from({}),
  "a source and a value": env({
    name: "A",
    value: "1",
    valueFrom: { fieldRef: { fieldPath: "metadata.name" } },
  }),
  "all of a ConfigMap": app({ envFrom: [{ prefix: "A_", configMapRef: { name: "c" } }] }),
  "all of nothing": app({ envFrom: [{}] }),
  "all of both": app({ envFrom: [{ configMapRef: { name: "c" }, secretRef: { name: "s" } }] }),
  "all of bad names": app({
    envFrom: [{ prefix: "a=", configMapRef: {} }, { secretRef: { name: "S" } }],
  }),
};

const volumes: Rows = {
  "an empty folder": mounted({}),
  "an empty folder with a limit": mounted({ emptyDir: { medium: "Memory", sizeLimit: "1Gi" } }),
  "an empty folder below nothing": mounted({ emptyDir: { sizeLimit: "-1" } }),
  "a folder of the host": mounted({ hostPath: { path: "/a" } }),
  "a folder of the host that goes up": mounted({ hostPath: { path: "/a/../b", type: "Strange" } }),
  "a folder of the host without a path": mounted({ hostPath: {} }),
  "a ConfigMap": mounted({ configMap: { name: "c", items: [{ key: "k", path: "p" }] } }),
  "a ConfigMap without a name": mounted({ configMap: { defaultMode: 1000 } }),
  "bad items": mounted({
    configMap: {
      name: "c",
      items: [{}, { key: "k", path: "/abs" }, { key: "k", path: "..x", mode: 512 }],
    },
  }),
  "overlapping items": mounted({
    secret: {
      secretName: "s",
      items: [
        { key: "a", path: "p" },
        { key: "b", path: "p/q" },
      ],
    },
  }),
  "a Secret": mounted({ secret: { secretName: "s", optional: true } }),
  "a Secret without a name": mounted({ secret: {} }),
  "a claim": mounted({ persistentVolumeClaim: { claimName: "c" } }),
  "a claim without a name": mounted({ persistentVolumeClaim: {} }),
  NFS: mounted({ nfs: { server: "s", path: "/p" } }),
  "NFS without anything": mounted({ nfs: {} }),
  "what a pod knows of itself": mounted({
    downwardAPI: {
      items: [
        { path: "a", fieldRef: { fieldPath: "metadata.labels" } },
        { path: "b", resourceFieldRef: { containerName: "app", resource: "limits.cpu" } },
      ],
    },
  }),
  "what a pod does not know of itself": mounted({
    downwardAPI: {
      items: [
        {},
        { path: "a", fieldRef: { fieldPath: "status.podIP" } },
        { path: "../b", resourceFieldRef: { resource: "limits.cpu" }, mode: -1 },
        {
          path: "c",
          fieldRef: { fieldPath: "metadata.name" },
          resourceFieldRef: { containerName: "app", resource: "limits.cpu" },
        },
      ],
    },
  }),
  projected: mounted({
    projected: {
      sources: [
        { configMap: { name: "c" } },
        { secret: { name: "s", items: [{ key: "k", path: "p" }] } },
        { downwardAPI: { items: [{ path: "a", fieldRef: { fieldPath: "metadata.name" } }] } },
        { serviceAccountToken: { path: "token", audience: "x" } },
      ],
    },
  }),
  "badly projected": mounted({
    projected: {
      defaultMode: 512,
      sources: [
        { configMap: {}, secret: { name: "s" } },
        { secret: { name: "s", items: [{ key: "k", path: "p" }] } },
        { configMap: { name: "c", items: [{ key: "k", path: "p" }] } },
        { serviceAccountToken: { expirationSeconds: 10 } },
        { serviceAccountToken: { path: "../x", expirationSeconds: 4294967297 } },
      ],
    },
  }),
  CSI: mounted({ csi: { driver: "csi.example.com", nodePublishSecretRef: { name: "s" } } }),
  "CSI without a driver": mounted({ csi: { nodePublishSecretRef: {} } }),
  "CSI with a bad driver": mounted({
    csi: { driver: "a_b", nodePublishSecretRef: { name: "S" } },
  }),
  "an ephemeral claim": mounted({
    ephemeral: {
      volumeClaimTemplate: {
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    },
  }),
  "an ephemeral claim of nothing": mounted({ ephemeral: {} }),
  "a bad ephemeral claim": mounted({
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { name: "x", labels: { "a b": "c" } },
        spec: { accessModes: ["Some"], volumeMode: "Strange" },
      },
    },
  }),
  "two sources of a volume": mounted({ emptyDir: {}, hostPath: { path: "/a" } }),
  "a volume without a name": pod({ volumes: [{ emptyDir: {} }] }),
  "a volume of a bad name": pod({ volumes: [{ name: "A_b" }] }),
  "two volumes of one name": pod({ volumes: [{ name: "a" }, { name: "a" }] }),
  "a git repository": mounted({ gitRepo: { repository: "https://example.com" } }),
  "old disks that say nothing": pod({
    volumes: [
      { name: "a", gcePersistentDisk: {} },
      { name: "b", awsElasticBlockStore: {} },
      { name: "c", glusterfs: {} },
      { name: "d", rbd: {} },
      { name: "e", cephfs: {} },
      { name: "f", cinder: {} },
      { name: "g", azureFile: {} },
      { name: "h", vsphereVolume: {} },
      { name: "i", portworxVolume: {} },
      { name: "j", scaleIO: {} },
      { name: "k", flexVolume: {} },
    ],
  }),
};

const mounts: Rows = {
  "a mount of nothing": app({ volumeMounts: [{}] }),
  "a mount of what is not there": app({ volumeMounts: [{ name: "x", mountPath: "/x" }] }),
  "two mounts at one place": app(
    {
      volumeMounts: [
        { name: "v", mountPath: "/v" },
        { name: "v", mountPath: "/v" },
      ],
    },
    { volumes: [{ name: "v" }] },
  ),
  "a part of a volume": mounted({}, { subPath: "a/b", readOnly: true }),
  "a bad part of a volume": mounted({}, { subPath: "/a/../b", subPathExpr: "/x" }),
  propagation: mounted({}, { mountPropagation: "HostToContainer" }),
  "propagation both ways": mounted({}, { mountPropagation: "Bidirectional" }),
  "propagation that there is not": mounted({}, { mountPropagation: "Some" }),
  "read-only all the way": mounted({}, { recursiveReadOnly: "Enabled" }),
  "read-only all the way and back": mounted(
    {},
    { recursiveReadOnly: "IfPossible", readOnly: true, mountPropagation: "HostToContainer" },
  ),
  "read-only in a strange way": mounted({}, { recursiveReadOnly: "Maybe" }),
  "a block device": app(
    { volumeDevices: [{ name: "v", devicePath: "/dev/x" }] },
    { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }] },
  ),
  "bad block devices": app(
    {
      volumeMounts: [{ name: "v", mountPath: "/dev/x" }],
      volumeDevices: [
        {},
        { name: "v", devicePath: "/dev/x" },
        { name: "v", devicePath: "/dev/../y" },
        { name: "z", devicePath: "/dev/x" },
      ],
    },
    { volumes: [{ name: "v" }] },
  ),
};

const probes: Rows = {
  probes: app({
    livenessProbe: { httpGet: { port: 80 } },
    readinessProbe: { tcpSocket: { port: "http" }, successThreshold: 2 },
    startupProbe: { grpc: { port: 90 }, failureThreshold: 10 },
    lifecycle: { preStop: { sleep: { seconds: 5 } }, postStart: { exec: { command: ["a"] } } },
  }),
  "a probe of nothing": probe({}),
  "a probe of two things": probe({ exec: { command: ["a"] }, tcpSocket: { port: 80 } }),
  "a probe of no command": probe({ exec: {} }),
  "a probe of a bad port": httpGet({ port: 0 }),
  "a probe of a bad name": httpGet({ port: "a b" }),
  "a probe with a bad scheme and header": httpGet({
    scheme: "FTP",
    httpHeaders: [{ name: "a b", value: "c" }],
  }),
  "negative numbers": probe({
    tcpSocket: { port: 80 },
    initialDelaySeconds: -1,
    timeoutSeconds: -2,
    periodSeconds: -3,
    successThreshold: -4,
    failureThreshold: -5,
    terminationGracePeriodSeconds: -6,
  }),
  "two successes of a liveness probe": probe({ tcpSocket: { port: 80 }, successThreshold: 2 }),
  "a grace period of a readiness probe": app({
    readinessProbe: { tcpSocket: { port: 80 }, terminationGracePeriodSeconds: 5 },
  }),
  "gRPC out of range": probe({ grpc: { port: 70000 } }),
  "a hook of nothing": app({ lifecycle: { preStop: {} } }),
  "a sleep that is too long": app({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
  "a sleep below nothing": app({ lifecycle: { preStop: { sleep: { seconds: -1 } } } }),
};

const amounts: Rows = {
  limits: resources({ cpu: "1", memory: "1Gi" }),
  "limits and requests": resources({ cpu: "1", memory: "1Gi" }, { cpu: "500m", memory: "1Gi" }),
  "requests above limits": resources({ cpu: "1" }, { cpu: "1500m" }),
  "amounts below nothing": resources({ cpu: "-1" }),
  "amounts that are too fine": resources({ cpu: "1u" }),
  "half a byte": resources({ memory: "1500m" }),
  "a resource that there is not": resources({ cups: "1" }),
  "a resource of another": resources({ "example.com/gpu": "1" }),
  "half a resource of another": resources({ "example.com/gpu": "500m" }),
  "a request of another without a limit": resources({}, { "example.com/gpu": "1" }),
  "unequal requests of another": resources({ "example.com/gpu": "2" }, { "example.com/gpu": "1" }),
  "huge pages": resources({ "hugepages-2Mi": "4Mi", memory: "1Gi" }),
  "broken huge pages": resources({ "hugepages-2Mi": "3Mi", memory: "1Gi" }),
  "huge pages alone": resources({ "hugepages-2Mi": "4Mi" }),
  "a bad name of a resource": resources({ "a b": "1" }),
  storage: resources({ "ephemeral-storage": "1Gi" }),
  "resize policies": app({
    resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }],
  }),
  "bad resize policies": app(
    {
      resizePolicy: [
        { resourceName: "cpu", restartPolicy: "RestartContainer" },
        { resourceName: "cpu" },
        { resourceName: "disk", restartPolicy: "Some" },
      ],
    },
    { restartPolicy: "Never" },
  ),
  "resources of the pod": pod({ resources: { limits: { cpu: "1", memory: "1Gi" } } }),
  "resources of the pod and of a container": app(
    { resources: { requests: { cpu: "2" }, limits: { memory: "2Gi" } } },
    { resources: { limits: { cpu: "3", memory: "3Gi" } } },
  ),
  "resources of the pod below those of a container": app(
    { resources: { requests: { cpu: "2" } } },
    { resources: { requests: { cpu: "1" } } },
  ),
  "resources that no pod has": pod({ resources: { limits: { "ephemeral-storage": "1Gi" } } }),
};

const init = (...initContainers: object[]) => pod({ initContainers });
const first = { name: "first", image: "registry.example/first:1" };

const initContainers: Rows = {
  "an init container": init(first),
  "a sidecar": init({
    ...first,
    restartPolicy: "Always",
    livenessProbe: { tcpSocket: { port: 80 } },
  }),
  "an init container of the name of another": init({ ...first, name: "app" }),
  "an init container with probes": init({
    ...first,
    livenessProbe: { tcpSocket: { port: 80 } },
    readinessProbe: { tcpSocket: { port: 80 } },
    startupProbe: { tcpSocket: { port: 80 } },
    lifecycle: { preStop: { exec: { command: ["a"] } } },
  }),
  "an init container that is restarted sometimes": init({ ...first, restartPolicy: "OnFailure" }),
  "limits of a sidecar": init({
    ...first,
    restartPolicy: "Always",
    resources: { limits: { cpu: "1", memory: "1Gi" } },
  }),
};

const term = (topologyKey: string) => ({ topologyKey, labelSelector: { matchLabels: { a: "b" } } });
const nodeTerms = (...matchExpressions: object[]) =>
  pod({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions }],
        },
      },
    },
  });

const scheduling: Rows = {
  tolerations: pod({
    tolerations: [
      { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 },
      { key: "b", value: "c" },
      { operator: "Exists" },
    ],
  }),
  "bad tolerations": pod({
    tolerations: [
      {},
      { key: "a b", operator: "Exists", value: "x" },
      { key: "a", value: "a b" },
      { key: "a", operator: "Some" },
      { key: "a", operator: "Exists", effect: "Some", tolerationSeconds: 1 },
    ],
  }),
  affinity: pod({
    affinity: {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term("zone")] },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: term("zone") },
        ],
      },
    },
  }),
  "bad affinity": pod({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            namespaces: ["A"],
            labelSelector: { matchExpressions: [{ key: "a", operator: "In" }] },
          },
        ],
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 101, podAffinityTerm: { topologyKey: "a b" } },
        ],
      },
    },
  }),
  "label keys": pod(
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { ...term("zone"), matchLabelKeys: ["x"], mismatchLabelKeys: ["y"] },
          ],
        },
      },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "zone",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: {},
          matchLabelKeys: ["x", "z"],
        },
      ],
    },
    { labels: { x: "1", y: "2" } },
  ),
  "label keys that are there already": pod(
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { ...term("zone"), matchLabelKeys: ["a"], mismatchLabelKeys: ["a"] },
          ],
        },
      },
    },
    { labels: { a: "1" } },
  ),
  "label keys without a selector": pod({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "zone", matchLabelKeys: ["a"] },
        ],
      },
    },
  }),
  "node affinity": nodeTerms(
    { key: "a", operator: "In", values: ["b"] },
    { key: "a", operator: "Gt", values: ["1"] },
  ),
  "bad node affinity": nodeTerms(
    { key: "a", operator: "In" },
    { key: "a", operator: "Exists", values: ["b"] },
    { key: "a b", operator: "Gt", values: ["1", "2"] },
    { key: "a", operator: "Some", values: ["a b"] },
  ),
  "node affinity by fields": pod({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchFields: [
                { key: "metadata.name", operator: "In", values: ["A"] },
                { key: "spec.x", operator: "Exists" },
                { key: "metadata.name", operator: "In" },
              ],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }],
      },
    },
  }),
  "no node affinity": pod({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
      },
    },
  }),
  spread: pod({
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "zone",
        whenUnsatisfiable: "ScheduleAnyway",
        nodeAffinityPolicy: "Ignore",
      },
    ],
  }),
  "bad spread": pod({
    topologySpreadConstraints: [
      { labelSelector: { matchLabels: { "a b": "c" } } },
      {
        maxSkew: 1,
        topologyKey: "zone",
        whenUnsatisfiable: "ScheduleAnyway",
        minDomains: 0,
        nodeAffinityPolicy: "Some",
        nodeTaintsPolicy: "Some",
        matchLabelKeys: ["x"],
      },
      { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" },
    ],
  }),
};

const context = (securityContext: object, spec: object = {}) => app({ securityContext }, spec);
const podContext = (securityContext: object, spec: object = {}) =>
  pod({ securityContext, ...spec });

const security: Rows = {
  "a restricted container": context({
    runAsNonRoot: true,
    runAsUser: 1000,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  }),
  "bad ids": context({ runAsUser: -1, runAsGroup: 2147483648 }),
  "privileged without escalation": context({
    privileged: true,
    allowPrivilegeEscalation: false,
    capabilities: { add: ["CAP_SYS_ADMIN"] },
  }),
  "seccomp without a type": context({ seccompProfile: {} }),
  "seccomp of a strange type": context({ seccompProfile: { type: "Some" } }),
  "seccomp of the host without a profile": context({ seccompProfile: { type: "Localhost" } }),
  "seccomp of the host that goes up": context({
    seccompProfile: { type: "Localhost", localhostProfile: "/../a" },
  }),
  "seccomp with a profile for nothing": context({
    seccompProfile: { type: "RuntimeDefault", localhostProfile: "a" },
  }),
  AppArmor: context({ appArmorProfile: { type: "Localhost", localhostProfile: "a" } }),
  "AppArmor without a type": context({ appArmorProfile: {} }),
  "AppArmor of a strange type": context({ appArmorProfile: { type: "Some" } }),
  "AppArmor of the host without a profile": context({ appArmorProfile: { type: "Localhost" } }),
  "AppArmor with spaces": context({
    appArmorProfile: { type: "Localhost", localhostProfile: " a" },
  }),
  "AppArmor with a profile for nothing": context({
    appArmorProfile: { type: "RuntimeDefault", localhostProfile: "a" },
  }),
  "proc as it is": context({ procMount: "Unmasked" }),
  "proc in a namespace": context({ procMount: "Unmasked" }, { hostUsers: false }),
  "proc in a strange way": context({ procMount: "Some" }),
  "a context of the pod": podContext({
    fsGroup: 1,
    supplementalGroups: [1, 2],
    sysctls: [{ name: "net.ipv4.tcp_syncookies", value: "1" }],
    fsGroupChangePolicy: "OnRootMismatch",
  }),
  "a bad context of the pod": podContext({
    fsGroup: -1,
    runAsUser: -1,
    runAsGroup: -1,
    supplementalGroups: [1, -2],
    sysctls: [{ value: "1" }, { name: "A B" }, { name: "a.b" }, { name: "a.b" }],
    fsGroupChangePolicy: "Some",
    supplementalGroupsPolicy: "Some",
    seLinuxChangePolicy: "Some",
  }),
  "settings of the host": podContext(
    { sysctls: [{ name: "net.core.x" }, { name: "kernel/shm_rmid_forced" }] },
    { hostNetwork: true, hostIPC: true },
  ),
  "processes of the host and shared ones": pod({ hostPID: true, shareProcessNamespace: true }),
  "users of its own with namespaces of the host": pod({
    hostUsers: false,
    hostNetwork: true,
    hostPID: true,
    hostIPC: true,
  }),
};

const seccompKey = "seccomp.security.alpha.kubernetes.io/pod";
const appArmorKey = "container.apparmor.security.beta.kubernetes.io/app";
const annotated = (annotations: object, securityContext: object) =>
  pod({ securityContext }, { annotations });

const annotatedProfiles: Rows = {
  "seccomp said twice": annotated(
    { [seccompKey]: "runtime/default" },
    { seccompProfile: { type: "RuntimeDefault" } },
  ),
  "seccomp said in two ways": annotated(
    { [seccompKey]: "unconfined" },
    { seccompProfile: { type: "RuntimeDefault" } },
  ),
  "a seccomp profile said in two ways": annotated(
    { [seccompKey]: "localhost/a" },
    { seccompProfile: { type: "Localhost", localhostProfile: "b" } },
  ),
  "AppArmor said in two ways": pod(
    {
      containers: [
        { ...container, securityContext: { appArmorProfile: { type: "RuntimeDefault" } } },
      ],
    },
    { annotations: { [appArmorKey]: "localhost/a" } },
  ),
  "an AppArmor profile that is none": annotated({ [appArmorKey]: "strange" }, {}),
  "AppArmor of a container that is not there": annotated({ [`${appArmorKey}s`]: "unconfined" }, {}),
};

const network: Rows = {
  DNS: pod({
    dnsPolicy: "None",
    dnsConfig: {
      nameservers: ["1.2.3.4"],
      searches: ["a.b.", "_c.d", "."],
      options: [{ name: "x" }],
    },
  }),
  "no DNS": pod({ dnsPolicy: "None" }),
  "no DNS server": pod({ dnsPolicy: "None", dnsConfig: {} }),
  "bad DNS": pod({
    dnsConfig: {
      nameservers: ["x", "01.2.3.4", "1.2.3.4", "1.2.3.4"],
      searches: ["A"],
      options: [{}],
    },
  }),
  "host aliases": pod({
    hostAliases: [
      { ip: "1.2.3.4", hostnames: ["a"] },
      { ip: "1.2.3.4", hostnames: ["b"] },
    ],
  }),
  "bad host aliases": pod({ hostAliases: [{ ip: "x", hostnames: ["A"] }] }),
};

const changes: Rows = {
  "nothing changed": change({}, () => {}),
  "another image": change({}, (stored) => {
    stored.spec.containers[0].image = "registry.example/app:2";
  }),
  "no image": change({}, (stored) => {
    stored.spec.containers[0].image = "";
  }),
  labels: change({}, (stored) => {
    stored.metadata.labels = { a: "b" };
  }),
  "a deadline that comes": change({}, (stored) => {
    stored.spec.activeDeadlineSeconds = 10;
  }),
  "a deadline that is earlier": change({ activeDeadlineSeconds: 10 }, (stored) => {
    stored.spec.activeDeadlineSeconds = 5;
  }),
  "a deadline that is later": change({ activeDeadlineSeconds: 10 }, (stored) => {
    stored.spec.activeDeadlineSeconds = 15;
  }),
  "a deadline that goes": change({ activeDeadlineSeconds: 10 }, (stored) => {
    delete stored.spec.activeDeadlineSeconds;
  }),
  "a toleration more": change({}, (stored) => {
    stored.spec.tolerations.push({ key: "a", operator: "Exists" });
  }),
  "a toleration that lasts longer": change({}, (stored) => {
    stored.spec.tolerations[0].tolerationSeconds = 5;
  }),
  "another toleration": change({ tolerations: [{ key: "a", operator: "Exists" }] }, (stored) => {
    stored.spec.tolerations[0].key = "b";
  }),
  "a container more": change({}, (stored) => {
    stored.spec.containers.push({ ...container, name: "b" });
  }),
  "an init container more": change({}, (stored) => {
    stored.spec.initContainers = [first];
  }),
  "a gate that goes": change({ schedulingGates: [{ name: "a" }, { name: "b" }] }, (stored) => {
    stored.spec.schedulingGates.pop();
  }),
  "a gate that comes": change({}, (stored) => {
    stored.spec.schedulingGates = [{ name: "a" }];
  }),
  "a node selector while gated": change({ schedulingGates: [{ name: "a" }] }, (stored) => {
    stored.spec.nodeSelector = { a: "b" };
  }),
  "another node selector while gated": change(
    { schedulingGates: [{ name: "a" }], nodeSelector: { a: "b" } },
    (stored) => {
      stored.spec.nodeSelector = { a: "c" };
    },
  ),
  "grace that was negative": change({ terminationGracePeriodSeconds: -1 }, (stored) => {
    stored.spec.terminationGracePeriodSeconds = 1;
  }),
  "a mirror annotation": change({}, (stored) => {
    stored.metadata.annotations = { "kubernetes.io/config.mirror": "x" };
    stored.spec.nodeName = "";
  }),
};

const deniedChanges: Rows = {
  "another command": change({}, (stored) => {
    stored.spec.containers[0].command = ["a"];
  }),
  "another hostname, volumes and a node": change({ volumes: [{ name: "a" }] }, (stored) => {
    stored.spec.hostname = "b";
    stored.spec.nodeName = "c";
    stored.spec.volumes.push({ name: "d", configMap: { name: "e" } });
    stored.spec.volumes[0].emptyDir = { sizeLimit: "1Gi" };
  }),
  "the network of the host from now on": change({}, (stored) => {
    stored.spec.hostNetwork = true;
    stored.spec.securityContext = { runAsUser: 5, sysctls: [{ name: "a.b", value: "c" }] };
  }),
  "other resources, probes and affinity": change(
    {
      containers: [{ ...container, resources: { limits: { cpu: "1" } } }],
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term("zone")] },
      },
    },
    (stored) => {
      stored.spec.containers[0].resources.limits.memory = "1Gi";
      stored.spec.containers[0].readinessProbe = { httpGet: { port: "http", path: "/ready" } };
      stored.spec.containers[0].env = [
        { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      ];
      delete stored.spec.affinity;
    },
  ),
};

function status(written: object, old: object = {}, before?: object): Row {
  return {
    old: podOf(old),
    ...(before && { oldStatus: before }),
    object: (stored) => ({ ...stored, status: { ...stored.status, ...written } }),
    status: true,
  };
}

const ofApp = (state: object, fields: object = {}) => ({
  containerStatuses: [
    { name: "app", image: "a", imageID: "", ready: false, restartCount: 0, state, ...fields },
  ],
});
const ofFirst = (state: object, fields: object = {}) => ({
  initContainerStatuses: [
    { name: "first", image: "a", imageID: "", ready: false, restartCount: 2, state, ...fields },
  ],
});
const running = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const ended = (fields: object) => ({ terminated: { exitCode: 0, ...fields } });
const condition = (type: string, value = "True") => ({ type, status: value });

const statuses: Rows = {
  "a running pod": status({
    phase: "Running",
    podIP: "10.1.0.5",
    podIPs: [{ ip: "10.1.0.5" }],
    hostIP: "1.2.3.4",
    hostIPs: [{ ip: "1.2.3.4" }],
    conditions: [condition("Ready"), condition("example.com/gate", "False")],
    ...ofApp(running, { ready: true }),
  }),
  "a pod that waits": status({ ...ofApp({ waiting: { reason: "ImagePullBackOff" } }) }),
  "a pod that has ended": status({ phase: "Succeeded", ...ofApp(ended({ reason: "Completed" })) }),
  "a pod that was killed": status({ phase: "Failed", ...ofApp(ended({ exitCode: 9, signal: 9 })) }),
  "a pod that failed": status({ phase: "Failed", ...ofApp(ended({ exitCode: 3 })) }),
  "a pod with a reason of its own": status({ phase: "Failed", reason: "Evicted" }),
  "a container that has ended beside one that runs": status(
    {
      phase: "Running",
      containerStatuses: [
        ...ofApp(ended({ reason: "Completed" })).containerStatuses,
        { name: "b", image: "a", imageID: "", ready: true, restartCount: 1, state: running },
      ],
    },
    { containers: [container, { ...container, name: "b" }] },
  ),
  "an init container that runs": status(ofFirst(running), { initContainers: [first] }),
  "an init container that waits": status(ofFirst({ waiting: { reason: "ErrImagePull" } }), {
    initContainers: [first],
  }),
  "an init container that failed": status(ofFirst(ended({ exitCode: 1 })), {
    initContainers: [first],
  }),
  "an init container that is done": status(
    { ...ofFirst(ended({})), ...ofApp(running, { ready: true, restartCount: 3 }) },
    { initContainers: [first] },
  ),
  "a sidecar that runs": status(
    { ...ofFirst(running, { started: true, ready: true }), ...ofApp(running) },
    { initContainers: [{ ...first, restartPolicy: "Always" }] },
  ),
  "readiness gates, one of two": status(
    { conditions: [condition("a"), condition("b", "False")] },
    { readinessGates: [{ conditionType: "a" }, { conditionType: "b" }] },
  ),
  "bad conditions": status({
    observedGeneration: -1,
    conditions: [{ type: "a b", status: "True", observedGeneration: -2 }],
  }),
  "bad addresses": status({
    podIPs: [{ ip: "x" }, { ip: "1.2.3.4" }, { ip: "1.2.3.5" }],
    hostIP: "1.2.3.4",
    hostIPs: [{ ip: "1.2.3.5" }, { ip: "1.2.3.6" }],
  }),
  "one address, said once": status({ podIP: "10.1.0.5" }),
  "addresses of two families": status({ podIPs: [{ ip: "10.1.0.5" }, { ip: "fd00::1" }] }),
  "an address that is not the first": status({
    podIP: "10.1.0.6",
    podIPs: [{ ip: "10.1.0.5" }],
  }),
  "another quality": status({ qosClass: "Guaranteed" }),
  "a node that is nominated": status({ nominatedNodeName: "N" }),
  "what has ended runs again": status(
    ofApp(running),
    { restartPolicy: "Never" },
    { phase: "Running", ...ofApp(ended({})) },
  ),
  "what has failed runs again": status(
    ofApp(running),
    { restartPolicy: "OnFailure" },
    { phase: "Running", ...ofApp(ended({ exitCode: 1 })) },
  ),
};

const debug = { name: "debug", image: "busybox:1" };
const ephemeral = (ephemeralContainers: object[], spec: object = {}): Row => ({
  old: podOf({}),
  object: (stored) => ({ ...stored, spec: { ...stored.spec, ephemeralContainers, ...spec } }),
  subresource: "ephemeralcontainers",
});

const ephemeralContainers: Rows = {
  "an ephemeral container is added": ephemeral([{ ...debug, targetContainerName: "app" }]),
  "nothing but an ephemeral container is added": ephemeral([debug], { hostname: "x" }),
  "ephemeral containers of bad names": ephemeral([
    { ...debug, name: "app" },
    { ...debug, name: "A", targetContainerName: "x" },
    { ...debug, image: " " },
  ]),
  "an ephemeral container with what it may not have": ephemeral([
    {
      ...debug,
      ports: [{ containerPort: 80 }],
      resources: { limits: { cpu: "1" } },
      livenessProbe: { tcpSocket: { port: 80 } },
      lifecycle: {},
    },
  ]),
};

export const podRows: Rows = {
  ...plain,
  ...ports,
  ...variables,
  ...volumes,
  ...mounts,
  ...probes,
  ...amounts,
  ...initContainers,
  ...scheduling,
  ...security,
  ...annotatedProfiles,
  ...network,
  ...changes,
  ...deniedChanges,
  ...statuses,
  ...ephemeralContainers,
};

const addedTolerations = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** What admission adds: a priority and tolerations. Times of conditions are any. */
export function normalizePod(object: Record<string, unknown>): void {
  const { spec, status } = object as StoredObject;
  delete spec.priority;
  delete spec.preemptionPolicy;
  const tolerations = (spec.tolerations ?? []).filter(
    ({ key }: { key: string }) => !addedTolerations.includes(key),
  );
  if (tolerations.length > 0) spec.tolerations = tolerations;
  else delete spec.tolerations;
  for (const condition of status?.conditions ?? []) delete condition.lastTransitionTime;
}
