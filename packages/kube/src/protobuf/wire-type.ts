/** How the value of a field is laid out on the wire. */
export const wireTypes = {
  varint: 0,
  fixed64: 1,
  bytes: 2,
  startGroup: 3,
  endGroup: 4,
  fixed32: 5,
} as const;

export type WireType = (typeof wireTypes)[keyof typeof wireTypes];

export function isWireType(value: number): value is WireType {
  return value >= 0 && value <= 5;
}

/** The largest number that a field may have. */
export const maxFieldNumber = 2 ** 29 - 1;
