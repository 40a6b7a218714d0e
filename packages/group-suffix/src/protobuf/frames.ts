import { FrameError, type FrameReader } from "@rookery/kube";
import { TruncatedBodyError } from "../errors.ts";
import { unreadable } from "./wire-cursor.ts";

/** The frames that a chunk completes. */
export function readFrames(reader: FrameReader, chunk: Uint8Array): readonly Uint8Array[] {
  return withFrameErrors(
    () => reader.push(chunk),
    ({ message }) => unreadable(message),
  );
}

/** Throws for an incomplete frame. */
export function endFrames(reader: FrameReader): void {
  withFrameErrors(
    () => reader.end(),
    () => new TruncatedBodyError("Protobuf"),
  );
}

function withFrameErrors<T>(read: () => T, errorOf: (error: FrameError) => Error): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FrameError) throw errorOf(error);
    throw error;
  }
}
