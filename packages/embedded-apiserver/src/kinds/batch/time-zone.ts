import { FieldError, type FieldPath, timeZoneProblem } from "@rookery/kube";

/** 14 characters a part is what the naming rules of time zones allow. */
const part = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** A time zone by its name in the database of IANA. */
export function validateTimeZone(zone: string | undefined, path: FieldPath): FieldError[] {
  if (zone === undefined) return [];
  const refused = (detail: string) => FieldError.invalid(path, zone, detail);
  if (zone === "") return [refused("timeZone must be nil or non-empty string")];
  if (!zone.split("/").every(isPart)) return [refused(`unknown time zone ${zone}`)];
  const local =
    "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  const problem = timeZoneProblem(zone);
  return [
    ...(zone.toLowerCase() === "local" ? [refused(local)] : []),
    ...(problem === undefined ? [] : [refused(problem)]),
  ];
}

function isPart(text: string): boolean {
  return text !== "." && text !== ".." && !text.startsWith("-") && part.test(text);
}
