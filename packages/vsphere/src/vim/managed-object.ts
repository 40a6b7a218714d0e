/** A reference to an object of a vCenter: its type, and the identifier on that vCenter. */
export interface ManagedObjectReference {
  readonly type: string;
  readonly value: string;
}

/** Formats a reference as one string: "VirtualMachine:vm-42". */
export function formatReference({ type, value }: ManagedObjectReference): string {
  return `${type}:${value}`;
}

/** Parses the format of `formatReference`; undefined for other texts. */
export function parseReference(text: string): ManagedObjectReference | undefined {
  const [, type, value] = /^([A-Za-z]+):(.+)$/.exec(text) ?? [];
  return type && value ? { type, value } : undefined;
}
