import { compareKind } from "../kind-differential.ts";
import { coreKind } from "./core-kind.ts";
import { configMapRows, namespaceRows, secretRows, serviceAccountRows } from "./rows/data-rows.ts";
import { endpointsRows, eventRows } from "./rows/endpoint-rows.ts";
import { nodeRows, normalizeNode } from "./rows/node-rows.ts";
import { normalizePod, podRows } from "./rows/pod-rows.ts";
import { randomRows } from "./rows/random-rows.ts";
import { normalizeService, serviceRows } from "./rows/service-rows.ts";
import { normalizeVolume, volumeRows } from "./rows/storage-rows.ts";

compareKind(coreKind("ConfigMap"), { rows: configMapRows });
compareKind(coreKind("Secret"), { rows: secretRows });
compareKind(coreKind("ServiceAccount"), { rows: serviceAccountRows });
compareKind(coreKind("Namespace"), { rows: namespaceRows });
compareKind(coreKind("Service"), {
  rows: serviceRows,
  notOnEmbedded: ["the address of the kubernetes service"],
  normalize: normalizeService,
  volatileColumns: ["Cluster-IP", "Port(s)"],
});
compareKind(coreKind("Pod"), { rows: podRows, normalize: normalizePod });
compareKind(coreKind("Endpoints"), { rows: endpointsRows });
compareKind(coreKind("Event"), { rows: eventRows, volatileColumns: ["Last Seen", "First Seen"] });
compareKind(coreKind("Node"), { rows: nodeRows, normalize: normalizeNode });
compareKind(coreKind("PersistentVolume"), {
  rows: volumeRows,
  normalize: normalizeVolume,
  volatileColumns: ["Status"],
});

const volatileColumns = ["Cluster-IP", "Port(s)", "Status", "Last Seen", "First Seen"];
const normalizers: Readonly<Record<string, (object: never) => void>> = {
  Node: normalizeNode,
  PersistentVolume: normalizeVolume,
  Pod: normalizePod,
  Service: normalizeService,
};
for (const name of [
  "Endpoints",
  "Event",
  "Node",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Pod",
  "Service",
]) {
  const normalize = normalizers[name] as ((object: object) => void) | undefined;
  compareKind(coreKind(name), {
    rows: randomRows(name),
    anyOrder: true,
    volatileColumns,
    ...(normalize && { normalize }),
  });
}
