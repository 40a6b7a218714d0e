import { storageClassKind } from "./storage-class.ts";
import { volumeAttachmentKind } from "./volume-attachment.ts";

export const storageKinds = [storageClassKind, volumeAttachmentKind];
