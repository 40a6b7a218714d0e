import { finFlag, frameTypes, headLength } from "./frame-reader.ts";
import { emptyHeaderBlock } from "./header-block.ts";

/** The head of a frame of data. */
export function dataHead(streamId: number, length: number, isFin: boolean): Buffer {
  const head = Buffer.alloc(headLength);
  head.writeUInt32BE(streamId);
  head.writeUInt32BE(length, 4);
  head.writeUInt8(isFin ? finFlag : 0, 4);
  return head;
}

export function synReply(streamId: number, isFirst: boolean): Buffer {
  return controlFrame(frameTypes.synReply, [streamId], emptyHeaderBlock(isFirst));
}

export const cancel = 5;
export const refusedStream = 3;
export const protocolError = 1;

export function rstStream(streamId: number, status: number): Buffer {
  return controlFrame(frameTypes.rstStream, [streamId, status]);
}

export function ping(id: number): Buffer {
  return controlFrame(frameTypes.ping, [id]);
}

export function goAway(lastStreamId: number): Buffer {
  return controlFrame(frameTypes.goAway, [lastStreamId, 0]);
}

const noBytes = Buffer.alloc(0);

/** Numbers of four bytes, and what comes after them. */
function controlFrame(type: number, numbers: readonly number[], rest: Buffer = noBytes): Buffer {
  const frame = Buffer.alloc(headLength + numbers.length * 4);
  frame.writeUInt32BE(0x80030000 + type);
  frame.writeUInt32BE(numbers.length * 4 + rest.length, 4);
  for (const [index, number] of numbers.entries()) {
    frame.writeUInt32BE(number, headLength + index * 4);
  }
  return Buffer.concat([frame, rest]);
}
