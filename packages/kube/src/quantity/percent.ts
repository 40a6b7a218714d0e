/** 25 for "25%"; undefined for numbers and other texts. */
export function percentOf(value: number | string): number | undefined {
  if (typeof value === "number" || !/^[0-9]+%$/.test(value)) return undefined;
  return Number(value.slice(0, -1));
}
