import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
} from "@rookery/api";
import { FieldError, fieldPath, validateDns1123Subdomain } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { invalidEach, isSameValue } from "../meta/field-rules.ts";
import { GoStruct } from "../meta/go-struct.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { validateCsiDriver } from "../pod-spec/volume-sources.ts";

const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;
const spec = fieldPath("spec");
const source = spec.child("source");
const status = fieldPath("status");

/** A volume that is to be attached to a node: nobody attaches any here, and clients ask for them. */
export const volumeAttachmentKind: BuiltInKind<VolumeAttachment> = {
  group: "storage.k8s.io",
  version: "v1",
  kind: "VolumeAttachment",
  plural: "volumeattachments",
  singular: "volumeattachment",
  namespaced: false,
  goType: "k8s.io/api/storage/v1.VolumeAttachment",
  model: "io.k8s.api.storage.v1.VolumeAttachment",
  prepareForCreate(attachment) {
    attachment.status = { attached: false };
  },
  validate: (attachment) => [...validateAttachment(attachment), ...validateNames(attachment)],
  validateUpdate,
  status: { prepareForUpdate: keepAllButStatus, validateUpdate },
  columns: [
    nameColumn,
    {
      ...column("Attacher", "string", ({ spec }: VolumeAttachment) => spec?.attacher ?? ""),
      format: "name",
    },
    column(
      "PV",
      "string",
      ({ spec }: VolumeAttachment) => spec?.source?.persistentVolumeName ?? "",
    ),
    column("Node", "string", ({ spec }: VolumeAttachment) => spec?.nodeName ?? ""),
    column("Attached", "boolean", ({ status }: VolumeAttachment) => status?.attached ?? false),
    ageColumn,
  ],
  requiresResourceVersion: true,
};

/** Codes of errors are behind a feature gate that is off. */
function keepAllButStatus(attachment: VolumeAttachment, old: VolumeAttachment): void {
  keepSpec(attachment, old);
  const { labels, annotations, finalizers, ownerReferences } = old.metadata ?? {};
  Object.assign(attachment.metadata ?? {}, { labels, annotations, finalizers, ownerReferences });
  for (const name of ["attachError", "detachError"] as const) {
    if (old.status?.[name]?.errorCode === undefined) delete attachment.status?.[name]?.errorCode;
  }
}

/** Both functions of Kubernetes judge the whole object. */
function validateUpdate(attachment: VolumeAttachment, old: VolumeAttachment): FieldError[] {
  const isSame = isSameValue(attachment.spec, old.spec);
  const changed = FieldError.invalid(spec, shownSpec(attachment.spec ?? {}), "field is immutable");
  return [
    ...validateAttachment(attachment),
    ...validateAttachment(attachment),
    ...(isSame ? [] : [changed]),
  ];
}

function shownSpec({ attacher = "", source = {}, nodeName = "" }: VolumeAttachmentSpec): GoStruct {
  const { persistentVolumeName = null, inlineVolumeSpec = null } = source;
  return new GoStruct({
    Attacher: attacher,
    Source: { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec },
    NodeName: nodeName,
  });
}

function validateAttachment(attachment: VolumeAttachment): FieldError[] {
  const { attacher = "", source = {}, nodeName = "" } = attachment.spec ?? {};
  return [
    ...(attacher === "" ? [FieldError.required(spec.child("attacher"), "")] : []),
    ...validateSource(source),
    ...invalidEach(nodeName, validateDns1123Subdomain(nodeName), spec.child("nodeName")),
    ...validateStatus(attachment.status ?? {}),
  ];
}

function validateSource({
  persistentVolumeName: name,
  inlineVolumeSpec: inline,
}: VolumeAttachmentSource): FieldError[] {
  const one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inline === undefined && name === undefined) return [FieldError.required(source, one)];
  if (inline !== undefined && name !== undefined) return [FieldError.forbidden(source, one)];
  if (inline !== undefined) {
    const detail = "volumes of pods themselves are not attached here";
    return [FieldError.forbidden(source.child("inlineVolumeSpec"), detail)];
  }
  const at = source.child("persistentVolumeName");
  return name === ""
    ? [FieldError.required(at, "must specify non empty persistentVolumeName")]
    : [];
}

/** What only new ones have to keep to. */
function validateNames({ spec: { attacher = "", source: of = {} } = {} }: VolumeAttachment) {
  const { persistentVolumeName: name } = of;
  const at = source.child("persistentVolumeName");
  return [
    ...validateCsiDriver(attacher, spec.child("attacher")),
    ...(name === undefined ? [] : invalidEach(name, validateDns1123Subdomain(name), at)),
  ];
}

function validateStatus({
  attachmentMetadata = {},
  attachError,
  detachError,
}: VolumeAttachmentStatus): FieldError[] {
  const bytes = Object.entries(attachmentMetadata).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  const at = status.child("attachmentMetadata");
  return [
    ...(bytes > maxMetadataBytes ? [FieldError.tooLong(at, maxMetadataBytes)] : []),
    ...Object.entries({ attachError, detachError }).flatMap(([name, error]) => {
      const { message = "", errorCode = 0 } = error ?? {};
      const of = status.child(name);
      const isLong = Buffer.byteLength(message) > maxMessageBytes;
      const range = "must be between 0 and 2147483647, inclusive";
      return [
        // Kubernetes tells the limit of something else.
        ...(isLong ? [FieldError.tooLong(of.child("message"), maxMetadataBytes)] : []),
        ...(errorCode < 0 ? [FieldError.invalid(of.child("errorCode"), errorCode, range)] : []),
      ];
    }),
  ];
}
