import type { VolumeAttachment, VolumeAttachmentSource, VolumeError } from "@rookery/api";
import { type BuiltInKind, keepMetadata, keepSpec, kindNames } from "../declaration/kind.ts";
import { dns1123Subdomain, immutableStruct, inRange } from "../meta/checks.ts";
import { ageColumn, column, columns, nameColumn } from "../meta/columns.ts";
import { optional, required, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rule, type Rules, validator } from "../meta/rules.ts";
import { csiDriver } from "../pod-spec/volume-sources.ts";

const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;

/** The feature gate of error codes is off. */
function keepAllButStatus(attachment: VolumeAttachment, old: VolumeAttachment): void {
  keepSpec(attachment, old);
  keepMetadata(attachment, old);
  for (const name of ["attachError", "detachError"] as const) {
    if (old.status?.[name]?.errorCode === undefined) delete attachment.status?.[name]?.errorCode;
  }
}

function source(own: VolumeAttachmentSource, field: Field): void {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = own;
  const one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inline === undefined && name === undefined) field.required(one);
  else if (inline !== undefined && name !== undefined) field.forbidden(one);
  else if (inline !== undefined) {
    const detail = "volumes of pods themselves are not attached here";
    field.child("inlineVolumeSpec").forbidden(detail);
  } else if (name === "") {
    const detail = "must specify non empty persistentVolumeName";
    field.child("persistentVolumeName").required(detail);
  }
}

const attachmentMetadata: Rule<Readonly<Record<string, string>> | undefined> = (map, field) => {
  let bytes = 0;
  for (const [key, value] of Object.entries(map ?? {})) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > maxMetadataBytes) field.tooLong(maxMetadataBytes);
};

const volumeError: Rules<VolumeError | undefined> = {
  message: (message = "", field) => {
    // Kubernetes reports the limit of another field.
    if (Buffer.byteLength(message) > maxMessageBytes) field.tooLong(maxMetadataBytes);
  },
  errorCode: inRange(0, 2 ** 31 - 1),
};

/** Go: ValidateVolumeAttachment. */
const attachment: Rules<VolumeAttachment> = {
  spec: struct({ attacher: required(), source: struct(source), nodeName: dns1123Subdomain }),
  status: { attachmentMetadata, attachError: volumeError, detachError: volumeError },
};

const validateNew = validator<VolumeAttachment>([
  attachment,
  {
    spec: struct({
      attacher: csiDriver,
      source: { persistentVolumeName: optional(dns1123Subdomain) },
    }),
  },
]);

/** Go: ValidateVolumeAttachmentUpdate. Both functions validate the whole object. */
const validateChanged = validator<VolumeAttachment>([
  attachment,
  attachment,
  { spec: immutableStruct("VolumeAttachmentSpec", { zero: {} }) },
]);

/** Clients use the kind, although no controller of ours attaches volumes. */
export const volumeAttachmentKind: BuiltInKind<VolumeAttachment> = {
  ...kindNames("storage.k8s.io", "VolumeAttachment", "volumeattachments"),
  namespaced: false,
  prepareForCreate(attachment) {
    attachment.status = { attached: false };
  },
  validate: validateNew,
  validateUpdate: validateChanged,
  status: { prepareForUpdate: keepAllButStatus, validateUpdate: validateChanged },
  columns: [
    nameColumn,
    {
      ...column("Attacher", "string", ({ spec }: VolumeAttachment) => spec?.attacher ?? ""),
      format: "name",
    },
    ...columns<VolumeAttachment>({
      PV: ({ spec }) => spec?.source?.persistentVolumeName ?? "",
      Node: ({ spec }) => spec?.nodeName ?? "",
    }),
    column("Attached", "boolean", ({ status }: VolumeAttachment) => status?.attached ?? false),
    ageColumn,
  ],
  requiresResourceVersion: true,
};
