import {
  BodyTooLargeError,
  Context,
  collectBody,
  type ExchangeLimits,
  exchangeLimitsKey,
  type Handler,
  type HttpResponse,
  headerValue,
} from "@rookery/http";
import { UnexpectedAnswerError, VimFaultError } from "../errors.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import {
  childOf,
  childrenOf,
  parseXml,
  referenceOf,
  textAt,
  typeOf,
  type XmlNode,
} from "./xml-reader.ts";
import { data, dataUnlessEmpty, reference, value, type Xml } from "./xml-writer.ts";

export interface Call {
  readonly method: string;
  /** The object of the method. */
  readonly self: ManagedObjectReference;
  readonly args?: readonly Xml[];
  /** The service of the vCenter with the method; the main one by default. */
  readonly service?: Service;
  readonly signal?: AbortSignal | undefined;
  /** The limits of the exchange, if they differ from those of other calls. */
  readonly limits?: Partial<ExchangeLimits>;
  /** The limit of all answers to the caller together. */
  readonly budget?: AnswerBudget;
}

/** The number of bytes that answers may still have. */
export interface AnswerBudget {
  bytes: number;
}

/** A service of a vCenter, with a path and an XML namespace. */
export interface Service {
  readonly path: string;
  readonly namespace: string;
}

const main: Service = { path: "/sdk", namespace: "urn:vim25" };

/** Sends calls to one vCenter, in its session after a login. */
export interface Soap {
  /**
   * Returns the `returnval` of the method; undefined if it has none.
   * Errors: VimFaultError, UnexpectedAnswerError, RequestError.
   */
  call(call: Call): Promise<XmlNode | undefined>;
  /** The same for a method that returns a list. */
  callForList(call: Call): Promise<readonly XmlNode[]>;
}

const namespaces =
  'xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" ' +
  'xmlns:xsd="http://www.w3.org/2001/XMLSchema" ' +
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** A session is a cookie, which the vCenter sets in the answer to a login. */
export class SoapConnection implements Soap {
  readonly #handler: Handler;
  readonly #userAgent: string;
  #cookie: string | undefined;

  constructor(handler: Handler, userAgent: string) {
    this.#handler = handler;
    this.#userAgent = userAgent;
  }

  async call(call: Call): Promise<XmlNode | undefined> {
    return childOf(await this.#send(call), "returnval");
  }

  async callForList(call: Call): Promise<readonly XmlNode[]> {
    return childrenOf(await this.#send(call), "returnval");
  }

  async #send(call: Call): Promise<XmlNode> {
    const response = await this.#handler({
      method: "POST",
      path: call.service?.path ?? main.path,
      query: "",
      headers: this.#headers(call),
      body: Buffer.from(envelope(call, this.#sessionOf(call))),
      signal: call.signal ?? new AbortController().signal,
      context: call.limits ? Context.empty.with(exchangeLimitsKey, call.limits) : Context.empty,
    });
    const body = await readWithin(response, call);
    this.#keepCookie(headerValue(response.headers, "set-cookie"));
    return readAnswer(call.method, response.status, Buffer.from(body).toString());
  }

  #headers({ service = main }: Call): Record<string, string> {
    return {
      "content-type": "text/xml; charset=utf-8",
      soapaction: service === main ? `${main.namespace}/6.7` : service.namespace,
      "user-agent": this.#userAgent,
      ...(this.#cookie && { cookie: this.#cookie }),
    };
  }

  /** Other services get the session of the main one in the envelope. */
  #sessionOf({ service = main }: Call): string | undefined {
    if (service === main) return undefined;
    return this.#cookie?.replace(/^[^=]*=/, "").replaceAll('"', "");
  }

  #keepCookie(header: string | undefined): void {
    const [cookie] = /vmware_soap_session=[^;,]*/.exec(header ?? "") ?? [];
    if (cookie) this.#cookie = cookie;
  }
}

/** The client limits each answer; the budget limits all of them. */
async function readWithin({ body }: HttpResponse, { method, budget }: Call): Promise<Uint8Array> {
  const limit = budget?.bytes ?? Number.POSITIVE_INFINITY;
  try {
    const bytes = await collectBody(body, { limit });
    if (budget) budget.bytes -= bytes.byteLength;
    return bytes;
  } catch (cause) {
    if (!(cause instanceof BodyTooLargeError)) throw cause;
    throw new UnexpectedAnswerError(method, "all answers together are too long", { cause });
  }
}

function envelope(
  { method, self, args = [], service = main }: Call,
  session: string | undefined,
): string {
  const call = data(method, [reference("_this", self), ...args]).replace(
    `<${method}>`,
    `<${method} xmlns="${service.namespace}">`,
  );
  const header = dataUnlessEmpty("soapenv:Header", [value("vcSessionCookie", session)]) ?? "";
  return `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope ${namespaces}>${header}<soapenv:Body>${call}</soapenv:Body></soapenv:Envelope>`;
}

function readAnswer(method: string, status: number, document: string): XmlNode {
  const body = bodyOf(method, status, document);
  const fault = childOf(body, "Fault");
  if (fault !== undefined) throw faultOf(method, fault);
  const response = childOf(body, `${method}Response`);
  if (response === undefined) {
    throw new UnexpectedAnswerError(method, `status ${status} without a ${method}Response`);
  }
  return response;
}

function bodyOf(method: string, status: number, document: string): XmlNode {
  let body: XmlNode | undefined;
  try {
    body = childOf(parseXml(document), "Envelope", "Body");
  } catch (cause) {
    throw new UnexpectedAnswerError(method, `status ${status}, and it cannot be parsed`, { cause });
  }
  if (body === undefined) {
    throw new UnexpectedAnswerError(method, `status ${status}, and it is no SOAP envelope`);
  }
  return body;
}

/** The detail contains one element, such as "InvalidLoginFault", whose type is the name of the fault. */
function faultOf(method: string, fault: XmlNode): VimFaultError {
  const detail = childOf(fault, "detail");
  const [element] = typeof detail === "object" ? Object.keys(detail).filter(isElement) : [];
  const type = element === undefined ? undefined : typeOf(childOf(detail, element));
  const name = type ?? element?.replace(/Fault$/, "") ?? textAt(fault, "faultcode") ?? "unknown";
  return new VimFaultError(method, name, textAt(fault, "faultstring") ?? "");
}

const isElement = (name: string): boolean => !name.startsWith("@") && !name.startsWith("#");

/** Calls a method that returns an object; `noun` names the object in the error. Errors: UnexpectedAnswerError. */
export async function callForReference(
  soap: Pick<Soap, "call">,
  noun: string,
  call: Call,
): Promise<ManagedObjectReference> {
  const found = referenceOf(await soap.call(call));
  if (!found) throw new UnexpectedAnswerError(call.method, `it has no ${noun}`);
  return found;
}
