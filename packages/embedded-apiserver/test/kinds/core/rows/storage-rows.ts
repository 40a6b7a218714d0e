import type { Row, StoredObject } from "../../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const good = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
  storageClassName: "none",
};
const claim = (spec: object, metadata?: object): Row => ({
  object: { spec: { ...good, ...spec }, ...(metadata && { metadata }) },
});
const changedClaim = (old: object, edit: (stored: StoredObject) => void): Row => ({
  old: { spec: { ...good, ...old } },
  object: (stored) => {
    edit(stored);
    return stored;
  },
});
const annotations = { "volume.beta.kubernetes.io/storage-class": "a" };
const bound = {
  oldStatus: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
};

export const claimRows: Rows = {
  "a good one": claim({}),
  "an empty one": { object: {} },
  "access modes that do not go together": claim({
    accessModes: ["ReadWriteOncePod", "ReadWriteMany"],
  }),
  "an access mode that there is not": claim({ accessModes: ["Some"] }),
  "no storage": claim({ resources: {} }),
  "no storage at all": claim({ resources: { requests: { storage: "0" } } }),
  "half a byte": claim({ resources: { requests: { storage: "500m" } } }),
  "a bad selector": claim({ selector: { matchExpressions: [{ key: "a", operator: "In" }] } }),
  "a bad class": claim({ storageClassName: "A_b", volumeAttributesClassName: "C_d" }),
  "no class": claim({ storageClassName: "" }),
  "a bad mode": claim({ volumeMode: "Some" }),
  "a class by annotation": claim({}, { annotations }),
  "a claim as source": claim({ dataSource: { kind: "PersistentVolumeClaim", name: "c" } }),
  "a snapshot as source": claim({
    dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" },
  }),
  "another source": claim({ dataSource: { kind: "Pod", name: "p" } }),
  "another source by reference": claim({
    dataSourceRef: { apiGroup: "example.com", kind: "Thing", name: "t" },
  }),
  "two different sources": claim({
    dataSource: { kind: "PersistentVolumeClaim", name: "a" },
    dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
  }),
  "a source of another namespace": claim({
    dataSourceRef: { kind: "PersistentVolumeClaim", name: "b", namespace: "c" },
  }),
  "a bad source": claim({ dataSourceRef: { apiGroup: "A", kind: "", name: "" } }),
  "a volume": changedClaim({}, ({ spec }) => {
    spec.volumeName = "v";
  }),
  "more of one that is not bound": changedClaim({}, ({ spec }) => {
    spec.resources.requests.storage = "2Gi";
  }),
  "less than there is": {
    ...changedClaim({}, ({ spec }) => {
      spec.resources.requests.storage = "1Mi";
    }),
    ...bound,
  },
  "another mode": changedClaim({}, ({ spec }) => {
    spec.volumeMode = "Block";
  }),
  "a status": {
    old: { spec: good },
    object: { spec: good, status: { phase: "Bound", capacity: { storage: "-1" } } },
    status: true,
  },
  "a status of an expansion": {
    old: { spec: good },
    object: {
      spec: good,
      status: {
        allocatedResources: { storage: "2Gi", cpu: "1" },
        allocatedResourceStatuses: { storage: "Some" },
      },
    },
    status: true,
  },
};

const source = { hostPath: { path: "/data" } };
const whole = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };
const volume = (spec: object, metadata?: object): Row => ({
  object: { spec: { ...whole, ...source, ...spec }, ...(metadata && { metadata }) },
});
const other = (spec: object): Row => ({ object: { spec: { ...whole, ...spec } } });
const required = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }],
};
const changedVolume = (edit: (stored: StoredObject) => void): Row => ({
  old: { spec: { ...whole, ...source } },
  object: (stored) => {
    edit(stored);
    return stored;
  },
});

export const volumeRows: Rows = {
  "a good one": volume({}),
  "an empty one": { object: {} },
  "another capacity": volume({ capacity: { storage: "1Gi", cpu: "1" } }),
  "less than nothing": volume({ capacity: { storage: "-1Gi" } }),
  "access modes that do not go together": volume({
    accessModes: ["ReadWriteOncePod", "ReadWriteMany", "Some"],
  }),
  "a policy that there is not": volume({ persistentVolumeReclaimPolicy: "Some" }),
  recycling: volume({ persistentVolumeReclaimPolicy: "Recycle" }),
  "recycling of everything": volume({
    hostPath: { path: "/" },
    persistentVolumeReclaimPolicy: "Recycle",
  }),
  "a claim": volume({ claimRef: { namespace: "a", name: "b" }, storageClassName: "c" }),
  "two sources": volume({ nfs: { server: "a", path: "/b" } }),
  NFS: other({ nfs: { server: "a", path: "b" } }),
  CSI: other({ csi: { driver: "a.example.com", volumeHandle: "b" } }),
  "bad CSI": other({
    csi: {
      driver: "",
      nodePublishSecretRef: {},
      controllerExpandSecretRef: { name: "A", namespace: "b.c" },
    },
  }),
  local: other({ local: { path: "/a" }, nodeAffinity: { required } }),
  "local anywhere": other({ local: { path: "/a/../b" } }),
  "an affinity to nothing": volume({ nodeAffinity: {} }),
  "a bad class and mode": volume({ storageClassName: "A_b", volumeMode: "Some" }),
  "a class of attributes": volume({ volumeAttributesClassName: "" }),
  "old annotations": volume(
    {},
    { annotations: { "volume.beta.kubernetes.io/mount-options": "ro" } },
  ),
  "more capacity": changedVolume(({ spec }) => {
    spec.capacity.storage = "2Gi";
  }),
  "another mode": changedVolume(({ spec }) => {
    spec.volumeMode = "Block";
  }),
  "another source": changedVolume(({ spec }) => {
    delete spec.hostPath;
    spec.nfs = { server: "a", path: "/b" };
  }),
  "a status": {
    old: { spec: { ...whole, ...source } },
    object: { spec: { ...whole, ...source }, status: { phase: "Available" } },
    status: true,
  },
};

/** When a phase began is any time; a controller that is faster has changed the phase by then. */
export function normalizeVolume({ status }: StoredObject): void {
  if (status) delete status.lastPhaseTransitionTime;
  if (status?.phase === "Available") status.phase = "Pending";
}
