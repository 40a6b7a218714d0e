import { isIP } from "node:net";
import { createHttpClient, type Handler, remoteText } from "@rookery/http";
import {
  AddressNotAllowedError,
  InvalidServerError,
  TrustMissingError,
  UnexpectedAnswerError,
} from "../errors.ts";
import { type AddressRule, ruledLookup } from "./address-rule.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import { type Call, type Soap, SoapConnection } from "./soap.ts";
import { childOf, referenceOf, textAt, type XmlNode } from "./xml-reader.ts";

export interface VCenterOptions {
  /** A host name or an address, with a port where it is not 443. */
  readonly server: string;
  /** PEM of the authorities that may have signed its certificate. */
  readonly ca?: string;
  /** The SHA-1 or SHA-256 of its certificate. One of the two must be given. */
  readonly thumbprint?: string;
  readonly userAgent?: string;
  /** Which addresses the server may have; any where the rule is absent. */
  readonly allowsAddress?: AddressRule;
}

/** The version and the identity of a vCenter. */
export interface About {
  readonly fullName: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly instanceUuid: string;
}

/** The objects that every call begins with. */
interface ServiceContent {
  readonly rootFolder: ManagedObjectReference;
  readonly propertyCollector: ManagedObjectReference;
  readonly viewManager: ManagedObjectReference;
  readonly sessionManager: ManagedObjectReference;
  readonly searchIndex: ManagedObjectReference;
}

/** A connection to one vCenter, whose calls use the account that logged in. */
export interface VCenter extends Soap, AsyncDisposable {
  readonly server: string;
  readonly about: About;
  readonly content: ServiceContent;
  /** Requests to the same server that are no calls: those of its REST API. */
  readonly handler: Handler;
  /**
   * Takes no more calls and waits for those on their way. A session that is open goes on until it
   * is logged out, here and in `destroy`.
   */
  close(): Promise<void>;
  /** Aborts the calls on their way. */
  destroy(): Promise<void>;
}

/** A login that asks a directory takes seconds; tasks are answered when they begin. */
const limits = { deadlineMs: 30_000 };
const longestAbout = 128;

const serviceInstance = { type: "ServiceInstance", value: "ServiceInstance" };

/**
 * Connects to a vCenter and asks what it is, which needs no login.
 * Errors: TrustMissingError, InvalidServerError, InvalidThumbprintError, RequestError.
 */
export async function connectVCenter(
  options: VCenterOptions,
  signal?: AbortSignal,
): Promise<VCenter> {
  const { ca, thumbprint, userAgent = "rookery" } = options;
  if (!ca && !thumbprint) throw new TrustMissingError(options.server);
  const origin = originOf(options.server);
  const tls = { ...(ca && { ca }), ...(thumbprint && { thumbprint }) };
  const { allowsAddress } = options;
  checkAddress(origin, allowsAddress);
  const lookup = allowsAddress && ruledLookup(allowsAddress);
  const http = createHttpClient({ origin, tls, limits, ...(lookup && { lookup }) });
  try {
    const soap = new SoapConnection(http.handler, userAgent);
    const described = await describe(soap, signal);
    const call = (one: Call) => soap.call(one);
    const callForList = (one: Call) => soap.callForList(one);
    const close = () => http.close();
    const destroy = () => http.destroy();
    const { server } = options;
    const { handler } = http;
    const connection = { server, ...described, call, callForList, handler };
    return { ...connection, close, destroy, [Symbol.asyncDispose]: destroy };
  } catch (error) {
    await http.destroy();
    throw error;
  }
}

async function describe(soap: Soap, signal?: AbortSignal) {
  const method = "RetrieveServiceContent";
  const answer = await soap.call({ method, self: serviceInstance, ...(signal && { signal }) });
  return { about: aboutOf(childOf(answer, "about")), content: contentOf(answer) };
}

/** A host that is an address is not looked up. */
function checkAddress(origin: string, allowsAddress: AddressRule = () => true): void {
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) > 0 && !allowsAddress(host)) throw new AddressNotAllowedError(host);
}

/** Whether a text names a server: a host or an address, and a port where it is not 443. */
export function isServer(server: string): boolean {
  const isHost = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?$/.test(server);
  return isHost && URL.canParse(`https://${server}`);
}

function originOf(server: string): string {
  if (!isServer(server)) throw new InvalidServerError(server);
  return `https://${server}`;
}

function aboutOf(about: XmlNode | undefined): About {
  const text = (name: string) => remoteText(textAt(about, name) ?? "", longestAbout);
  return {
    fullName: text("fullName"),
    version: text("version"),
    apiVersion: text("apiVersion"),
    instanceUuid: text("instanceUuid"),
  };
}

function contentOf(answer: XmlNode | undefined): ServiceContent {
  const at = (name: string): ManagedObjectReference => {
    const found = referenceOf(childOf(answer, name));
    if (found) return found;
    throw new UnexpectedAnswerError(
      "RetrieveServiceContent",
      `it has no ${name}: is it a vCenter?`,
    );
  };
  return {
    rootFolder: at("rootFolder"),
    propertyCollector: at("propertyCollector"),
    viewManager: at("viewManager"),
    sessionManager: at("sessionManager"),
    searchIndex: at("searchIndex"),
  };
}
