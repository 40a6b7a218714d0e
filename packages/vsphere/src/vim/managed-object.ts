/** Names an object of a vCenter: its type, and an identifier that is the vCenter's own. */
export interface ManagedObjectReference {
  readonly type: string;
  readonly value: string;
}

/** As it is written where one string has to hold it: "VirtualMachine:vm-42". */
export function formatReference({ type, value }: ManagedObjectReference): string {
  return `${type}:${value}`;
}

/** Undefined where the text is not what `formatReference` writes. */
export function parseReference(text: string): ManagedObjectReference | undefined {
  const [, type, value] = /^([A-Za-z]+):(.+)$/.exec(text) ?? [];
  return type && value ? { type, value } : undefined;
}
