import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { createGroupMapping } from "@rookery/group-suffix";
import { FrameReader } from "@rookery/kube";

/** An object as Go encodes it, and what it is after a renaming by Kubernetes' own types. */
export interface EncodedObject {
  /** Its apiVersion and kind; "watch" for a stream of events. */
  readonly name: string;
  readonly variant: number;
  readonly protobuf: Uint8Array;
  readonly renamedProtobuf: Uint8Array;
  readonly json: Uint8Array;
  readonly renamedJson: Uint8Array;
}

/** The one that the objects are made for. */
export const mapping = createGroupMapping([{ virtual: "pinniped.dev", real: "team1.example.com" }]);

const file = new URL("./testdata/protobuf-objects.br", import.meta.url);
const framesEach = 5;

/** The module of the program that writes objects. */
export const goModule = join(import.meta.dirname, "go", "protobuf");

/** Reads what the Go program writes. */
export function readObjects(bytes: Uint8Array): EncodedObject[] {
  const frames = new FrameReader().push(bytes);
  return Array.from({ length: frames.length / framesEach }, (_, index) => {
    const [head, protobuf, renamedProtobuf, json, renamedJson] = frames.slice(index * framesEach);
    if (!head || !protobuf || !renamedProtobuf || !json || !renamedJson) {
      throw new Error("could not read the encoded objects: they are cut off");
    }
    const description = JSON.parse(Buffer.from(head).toString());
    return { ...description, protobuf, renamedProtobuf, json, renamedJson };
  });
}

/** The objects that are kept, so that they can be had without Go: one of every kind. */
export function keptObjects(): EncodedObject[] {
  return readObjects(keptBytes());
}

export function keptBytes(): Uint8Array {
  return brotliDecompressSync(readFileSync(file));
}

export function keepObjects(bytes: Uint8Array): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(file, brotliCompressSync(bytes, { params }));
}
