import { timeZoneProblem } from "@rookery/kube";
import { format } from "../meta/checks.ts";

/** 14 characters a part is what the naming rules of time zones allow. */
const part = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** Go: validateTimeZone. A time zone by its name in the database of IANA. */
export const timeZone = format((zone) => {
  if (zone === "") return ["timeZone must be nil or non-empty string"];
  if (!zone.split("/").every(isPart)) return [`unknown time zone ${zone}`];
  const local =
    "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  const problem = timeZoneProblem(zone);
  return [
    ...(zone.toLowerCase() === "local" ? [local] : []),
    ...(problem === undefined ? [] : [problem]),
  ];
});

function isPart(text: string): boolean {
  return text !== "." && text !== ".." && !text.startsWith("-") && part.test(text);
}
