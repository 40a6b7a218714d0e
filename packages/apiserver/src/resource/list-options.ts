import {
  booleanOption,
  FieldError,
  type FieldRequirement,
  fieldPath,
  type LabelRequirement,
  optionalBoolean,
  optionalInteger,
  parseFieldSelector,
  parseLabelSelector,
  parseQuery,
  type Selector,
} from "@rookery/kube";
import { parseOption } from "../request/parse-option.ts";
import { refuseInvalid } from "./write-options.ts";

export interface ListOptions {
  readonly labelSelector: Selector<LabelRequirement>;
  readonly fieldSelector: Selector<FieldRequirement>;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: "" | "Exact" | "NotOlderThan";
  /** 0 for all. */
  readonly limit: number;
  readonly continue: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
}

/** Parses the options of a list or a watch. Throws a bad request or Invalid. */
export function parseListOptions(query: string): ListOptions {
  const options = withInitialEvents(listOptionsOf(parseQuery(query)));
  refuseInvalid("ListOptions", options.watch ? watchProblems(options) : listProblems(options));
  return options;
}

function listOptionsOf(parameters: URLSearchParams): ListOptions {
  const sendInitialEvents = optionalBoolean(parameters, "sendInitialEvents");
  const timeoutSeconds = optionalInteger(parameters, "timeoutSeconds");
  const match = parameters.get("resourceVersionMatch") ?? "";
  return {
    labelSelector: parseOption(() => parseLabelSelector(parameters.get("labelSelector") ?? "")),
    fieldSelector: parseOption(() => parseFieldSelector(parameters.get("fieldSelector") ?? "")),
    resourceVersion: parameters.get("resourceVersion") ?? "",
    resourceVersionMatch: match as ListOptions["resourceVersionMatch"],
    limit: optionalInteger(parameters, "limit") ?? 0,
    continue: parameters.get("continue") ?? "",
    watch: booleanOption(parameters, "watch"),
    allowWatchBookmarks: booleanOption(parameters, "allowWatchBookmarks"),
    ...(sendInitialEvents !== undefined && { sendInitialEvents }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
  };
}

/** A watch without a version sends initial events. */
function withInitialEvents(options: ListOptions): ListOptions {
  const { watch, resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  const isLegacy = watch && (resourceVersion === "" || resourceVersion === "0");
  if (!isLegacy || sendInitialEvents !== undefined || resourceVersionMatch !== "") return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
}

const matchPath = fieldPath("resourceVersionMatch");
const initialEventsPath = fieldPath("sendInitialEvents");

function listProblems(options: ListOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match } = options;
  const problems: FieldError[] = [];
  const forbid = (detail: string) => problems.push(FieldError.forbidden(matchPath, detail));
  if (match !== "") {
    if (resourceVersion === "") {
      forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (options.continue !== "")
      forbid("resourceVersionMatch is forbidden when continue is provided");
    if (match !== "Exact" && match !== "NotOlderThan") {
      problems.push(FieldError.notSupported(matchPath, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    }
  }
  if (options.sendInitialEvents !== undefined) {
    const detail = "sendInitialEvents is forbidden for list";
    problems.push(FieldError.forbidden(initialEventsPath, detail));
  }
  return problems;
}

function watchProblems(options: ListOptions): FieldError[] {
  const { sendInitialEvents, resourceVersionMatch: match } = options;
  const problems: FieldError[] = [];
  const forbid = (detail: string) => problems.push(FieldError.forbidden(matchPath, detail));
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (match === "") return problems;
  if (sendInitialEvents === undefined) {
    forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (match !== "NotOlderThan") {
    problems.push(FieldError.notSupported(matchPath, match, ["NotOlderThan"]));
  }
  if (options.continue !== "")
    forbid("resourceVersionMatch is forbidden when continue is provided");
  return problems;
}
