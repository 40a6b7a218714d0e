/** 25 for "25%"; undefined for a number, and for any other text. */
export function percentOf(value: number | string): number | undefined {
  if (typeof value === "number" || !/^[0-9]+%$/.test(value)) return undefined;
  return Number(value.slice(0, -1));
}
