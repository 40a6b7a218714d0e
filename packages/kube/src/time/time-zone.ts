/** Why Go cannot load a time zone; undefined where it can. */
export function timeZoneProblem(zone: string): string | undefined {
  if (["", "UTC", "Local"].includes(zone)) return undefined;
  return isKnownZone(zone) ? undefined : `unknown time zone ${zone}`;
}

/** Go reads zones from files and so respects case; Intl ignores case and accepts offsets. */
function isKnownZone(zone: string): boolean {
  if (/^[+-]/.test(zone)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}
