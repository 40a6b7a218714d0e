import { describeJsonError, jsonTypeOf } from "@rookery/apiserver";
import { badRequestError, type StatusError } from "@rookery/kube";

/** Where a paged list continues. */
export interface ContinueToken {
  /** The revision of the list; -1 to continue with the current state. */
  readonly revision: number;
  /** The key to continue at, "<namespace>/<name>" or "<name>", followed by "\0". */
  readonly start: string;
}

const tokenVersion = "meta.k8s.io/v1";

/** In kube-apiserver's format. */
export function encodeContinue({ revision, start }: ContinueToken): string {
  const token = { v: tokenVersion, rv: revision, start: `/${start}` };
  return Buffer.from(JSON.stringify(token), "utf8").toString("base64url");
}

/** Throws a bad request in kube-apiserver's wording. */
export function decodeContinue(text: string): ContinueToken {
  const token = parseToken(text);
  if (token.v !== tokenVersion) {
    throw invalidToken(`server does not recognize this encoded version ${token.v}`);
  }
  if (token.rv === 0) {
    throw invalidToken(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  }
  if (token.start === "") {
    throw invalidToken(`encoded start key empty (version ${tokenVersion})`);
  }
  return { revision: token.rv, start: cleanKey(token.start) };
}

/** Rejects keys that leave the resource, such as "../secrets". */
function cleanKey(start: string): string {
  const key = start.startsWith("/") ? start.slice(1) : start;
  const isClean = key.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (!isClean) throw invalidToken(start);
  return key;
}

function parseToken(text: string): { v: string; rv: number; start: string } {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) {
    throw invalidToken(`illegal base64 data at input byte ${badByte(text)}`);
  }
  const bytes = Buffer.from(text, "base64url");
  const token = parseJson(bytes);
  if (typeof token !== "object" || Array.isArray(token)) {
    throw mistypedToken(token, "Go value of type storage.continueToken");
  }
  const { v = "", rv = 0, start = "" } = token;
  const field = (name: string, type: string) =>
    `Go struct field continueToken.${name} of type ${type}`;
  if (typeof v !== "string") throw mistypedToken(v, field("v", "string"));
  if (!Number.isInteger(rv)) throw mistypedToken(rv, field("rv", "int64"));
  if (typeof start !== "string") throw mistypedToken(start, field("start", "string"));
  return { v, rv, start };
}

function mistypedToken(value: unknown, into: string): StatusError {
  const found = jsonTypeOf(value);
  return invalidToken(`json: cannot unmarshal ${found} into ${into}`);
}

function parseJson(bytes: Buffer) {
  try {
    return JSON.parse(bytes.toString("utf8")) ?? {};
  } catch {
    throw invalidToken(describeJsonError(bytes));
  }
}

function badByte(text: string): number {
  const index = text.search(/[^\w-]/);
  return index === -1 ? text.length - 1 : index;
}

function invalidToken(why: string): StatusError {
  return badRequestError(`invalid continue token: continue key is not valid: ${why}`);
}
