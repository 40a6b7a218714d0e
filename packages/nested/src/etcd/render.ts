import type { NestedEtcd } from "@rookery/api";
import { type KubeObject, patchSchemaOf } from "@rookery/kube";
import { finalObjects } from "../component/final-objects.ts";
import { imageOf } from "../component/images.ts";
import {
  contentHash,
  type Revision,
  revisionAnnotations,
  withAnnotations,
} from "../component/revision.ts";
import { covers } from "../manifests/covers.ts";
import type { Place } from "../manifests/deployment.ts";
import type { PodTemplate, StatefulSet } from "../manifests/kinds.ts";
import type { Companions } from "../manifests/pod-template.ts";
import type { Allowances } from "../policy/allowances.ts";
import { etcdManifests } from "./manifests.ts";
import type { Seat } from "./membership.ts";
import type { EtcdObservation } from "./observe.ts";
import { membershipFor, partitionFor, replicasFor } from "./plan.ts";
import { storageInUse } from "./storage.ts";

export interface EtcdRendering extends Place {
  readonly etcd: NestedEtcd;
  readonly revision: Revision;
  readonly lastGood: Revision | undefined;
  readonly observed: EtcdObservation;
  readonly seats: readonly Seat[] | undefined;
  readonly inputs: string;
  readonly companions: Companions;
  readonly imageRepository: string;
  readonly allowances: Allowances;
}

/** A hash of the pod template: fields that are no longer rendered count as changes. */
const templateAnnotation = "nested.rookery.dev/template";

export function renderEtcd(options: EtcdRendering): KubeObject[] {
  const { observed, seats, etcd } = options;
  const replicas = replicasFor(observed, seats, etcd.spec.replicas);
  const objects = render(options, replicas, 0);
  const { statefulSet: live } = observed;
  if (!live) return objects;
  const template = objects.flatMap((one) => templateOf(one) ?? [])[0];
  // No pod gets a new template before the StatefulSet has it.
  const isKnown = covers(live, { spec: { template } }, patchSchemaOf("StatefulSet"));
  const partition = isKnown ? partitionFor(observed, live) : replicas;
  return render(options, replicas, partition);
}

function render(options: EtcdRendering, replicas: number, partition: number): KubeObject[] {
  const { cluster, namespace, revision, observed, inputs, companions, imageRepository, etcd } =
    options;
  const image = revision.image ?? imageOf("etcd", revision.version, imageRepository);
  const { size, storageClassName } = etcd.spec.storage;
  const wanted = { size: String(size), ...(storageClassName && { storageClassName }) };
  const storage = storageInUse(observed.statefulSet) ?? wanted;
  const membership = membershipFor(options, observed, options.seats);
  const place = { cluster, namespace };
  const common = { ...place, revision, image, inputs, companions, storage, membership };
  const rendered = etcdManifests({ ...common, replicas, partition });
  const final = finalObjects(etcd, { revision, rendered }, options.allowances);
  return final.map((one) => signed(one, options));
}

function signed(object: KubeObject, { revision, lastGood }: EtcdRendering): KubeObject {
  const template = templateOf(object);
  if (!template) return object;
  const { metadata } = template;
  const annotations = { ...metadata.annotations, [templateAnnotation]: contentHash(template) };
  const signedTemplate = { ...template, metadata: { ...metadata, annotations } };
  const spec = { ...(object.spec as object), template: signedTemplate };
  return withAnnotations({ ...object, spec }, revisionAnnotations(revision, lastGood));
}

function templateOf(object: KubeObject): PodTemplate | undefined {
  return object.kind === "StatefulSet" ? (object as StatefulSet).spec?.template : undefined;
}
