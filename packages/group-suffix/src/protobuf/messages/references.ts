import { apiVersion, type Field, group, type KindTable, nameOf, nested } from "../message.ts";
import { typedReference } from "./workloads.ts";

const objectReference = nested({ 3: nameOf(1), 5: apiVersion });
const crossVersionReference = nested({ 3: apiVersion });

const endpointAddress = nested({ 2: objectReference });

const ingressBackend = nested({ 3: typedReference });
const ingressPaths = nested({ 1: nested({ 2: ingressBackend }) });
const ingress = { 2: nested({ 1: ingressBackend, 3: nested({ 2: nested({ 1: ingressPaths }) }) }) };

/** The metrics of an object, whose numbers differ between spec and status and between versions. */
function autoscaler(inSpec: number, inStatus: number): Readonly<Record<number, Field>> {
  const metric = (reference: number) =>
    nested({ 2: nested({ [reference]: crossVersionReference }) });
  return {
    2: nested({ 1: crossVersionReference, 4: metric(inSpec) }),
    3: nested({ 5: metric(inStatus) }),
  };
}

/** Kinds that refer to objects of other kinds. */
export const references: KindTable = {
  "": {
    Event: { 2: objectReference, 13: objectReference },
    Endpoints: { 2: nested({ 1: endpointAddress, 2: endpointAddress }) },
    SerializedReference: { 1: undefined },
  },
  "events.k8s.io": { Event: { 8: objectReference, 9: objectReference } },
  "discovery.k8s.io": { EndpointSlice: { 2: nested({ 4: objectReference }) } },
  autoscaling: {
    "v1 HorizontalPodAutoscaler": { 2: nested({ 1: crossVersionReference }) },
    "v2beta1 HorizontalPodAutoscaler": autoscaler(1, 1),
    HorizontalPodAutoscaler: autoscaler(1, 3),
  },
  extensions: { Ingress: ingress },
  "networking.k8s.io": {
    Ingress: ingress,
    IngressClass: { 2: nested({ 2: typedReference }) },
    IPAddress: { 2: nested({ 1: typedReference }) },
  },
  "resource.k8s.io": {
    ResourceClaim: { 3: nested({ 2: typedReference }) },
  },
  "storagemigration.k8s.io": {
    StorageVersionMigration: { 2: nested({ 1: nested({ 1: group }) }) },
  },
};
