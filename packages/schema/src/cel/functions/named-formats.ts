import { messageOf } from "@rookery/errors";
import {
  maskTrailingDash,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validateQualifiedName,
} from "@rookery/kube";
import { FORMATS } from "../../formats/formats.ts";
import { parseRequestUri } from "../../net/url.ts";
import { objectType } from "../cel-type.ts";
import { type CelError, NO_SUCH_OVERLOAD, Opaque, Optional, type Value } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";

const FORMAT = objectType("kubernetes.NamedFormat");

type Problems = (text: string) => readonly string[];

/** A named format; `regexSize` determines the cost of its check. */
export class CelFormat extends Opaque {
  readonly type = FORMAT;
  readonly name: string;
  readonly regexSize: number;
  readonly problems: Problems;

  constructor(name: string, regexSize: number, problems: Problems) {
    super();
    this.name = name;
    this.regexSize = regexSize;
    this.problems = problems;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof CelFormat ? this.name === other.name : NO_SUCH_OVERLOAD;
  }
}

const prefix = (problems: Problems): Problems => {
  return (text) => problems(maskTrailingDash(text));
};

const known = (format: string, problem: string): Problems => {
  return (text) => (FORMATS.get(format)?.(text) === true ? [] : [problem]);
};

function uriProblems(text: string): readonly string[] {
  try {
    parseRequestUri(text);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

const DATE_TIME_PATTERN_SIZE = 71;
const UUID_PATTERN_SIZE = 70;

const NAMED: Readonly<Record<string, CelFormat>> = {
  dns1123Label: new CelFormat("DNS1123Label", 30, validateDns1123Label),
  dns1123Subdomain: new CelFormat("DNS1123Subdomain", 60, validateDns1123Subdomain),
  dns1035Label: new CelFormat("DNS1035Label", 30, validateDns1035Label),
  qualifiedName: new CelFormat("QualifiedName", 60, validateQualifiedName),
  dns1123LabelPrefix: new CelFormat("DNS1123LabelPrefix", 30, prefix(validateDns1123Label)),
  dns1123SubdomainPrefix: new CelFormat(
    "DNS1123SubdomainPrefix",
    60,
    prefix(validateDns1123Subdomain),
  ),
  dns1035LabelPrefix: new CelFormat("DNS1035LabelPrefix", 30, prefix(validateDns1035Label)),
  labelValue: new CelFormat("LabelValue", 40, validateLabelValue),
  uri: new CelFormat("URI", 1103, uriProblems),
  uuid: new CelFormat("uuid", UUID_PATTERN_SIZE, known("uuid", "does not match the UUID format")),
  byte: new CelFormat("byte", 84, known("byte", "invalid base64")),
  date: new CelFormat("date", DATE_TIME_PATTERN_SIZE, known("date", "invalid date")),
  datetime: new CelFormat(
    "datetime",
    DATE_TIME_PATTERN_SIZE,
    known("datetime", "invalid datetime"),
  ),
};

function validate([format, text]: [CelFormat, string]): Value {
  const problems = format.problems(text);
  return problems.length === 0 ? Optional.none : Optional.of(new ValueList(problems));
}

function named([name]: [string]): Value {
  const format = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  return format ? Optional.of(format) : Optional.none;
}

/** Kubernetes' library of named formats. */
export const NAMED_FORMAT_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions(
  {
    validate: { "format-validate: Format.(string) -> optional(list(string))": validate },
    "format.named": { "format-named: (string) -> optional(Format)": named },
    ...Object.fromEntries(
      Object.entries(NAMED).map(([name, format]) => [
        `format.${name}`,
        { [`format.${name}: () -> Format`]: () => format },
      ]),
    ),
  },
  { Format: FORMAT },
);
