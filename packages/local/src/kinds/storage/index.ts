import { storageClassKind } from "./storage-class.ts";

export const storageKinds = [storageClassKind];
