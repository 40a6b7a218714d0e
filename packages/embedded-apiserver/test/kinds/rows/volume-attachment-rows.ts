import type { Row, StoredObject } from "../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const good = { attacher: "csi.example.com", source: { persistentVolumeName: "v" }, nodeName: "n" };
const attachment = (spec: object): Row => ({ object: { spec: { ...good, ...spec } } });
const change = (changed: (stored: StoredObject) => object, status = false): Row => ({
  object: (stored: StoredObject) => ({ ...stored, ...changed(stored) }),
  old: { spec: good },
  ...(status && { status }),
});

export const volumeAttachmentRows: Rows = {
  "a volume and a node": attachment({}),
  "a status that nobody has asked for": { object: { spec: good, status: { attached: true } } },
  nothing: { object: {} },
  "no attacher": attachment({ attacher: "" }),
  "an attacher with a bad name": attachment({ attacher: "not good" }),
  "an attacher with a long name": attachment({ attacher: "a".repeat(64) }),
  "no source": attachment({ source: {} }),
  "two sources": attachment({ source: { persistentVolumeName: "v", inlineVolumeSpec: {} } }),
  "a volume without a name": attachment({ source: { persistentVolumeName: "" } }),
  "a volume with a bad name": attachment({ source: { persistentVolumeName: "Not_Good" } }),
  "no node": attachment({ nodeName: "" }),
  "a node with a bad name": attachment({ nodeName: "Not_Good" }),
  "a change without a version": { object: { spec: good }, old: { spec: good } },
  "a changed node": change(() => ({ spec: { ...good, nodeName: "m" } })),
  "a changed node with a bad name": change(() => ({ spec: { ...good, nodeName: "Not_Good" } })),
  "a changed label": change(({ metadata }) => ({ metadata: { ...metadata, labels: { a: "b" } } })),
  "a volume that was attached": change(
    () => ({ status: { attached: true, attachmentMetadata: { path: "/dev/a" } } }),
    true,
  ),
  "a status with a label and a spec": change(
    ({ metadata }) => ({
      metadata: { ...metadata, labels: { a: "b" } },
      spec: { ...good, nodeName: "m" },
      status: { attached: true },
    }),
    true,
  ),
  "an error": change(
    () => ({
      status: { attached: false, attachError: { message: "full", time: null, errorCode: 8 } },
    }),
    true,
  ),
  "an error with a long message": change(
    () => ({ status: { attached: false, detachError: { message: "x".repeat(1025) } } }),
    true,
  ),
  "metadata that are too long": change(
    () => ({ status: { attached: true, attachmentMetadata: { a: "x".repeat(256 * 1024) } } }),
    true,
  ),
};
