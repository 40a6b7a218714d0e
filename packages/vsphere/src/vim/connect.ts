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
import { type Soap, SoapConnection } from "./soap.ts";
import { childOf, referenceOf, textAt, type XmlNode } from "./xml-reader.ts";

export interface VCenterOptions {
  /** A host name or an address, with a port if it is not 443. */
  readonly server: string;
  /** PEM of the authorities that may have signed its certificate. */
  readonly ca?: string;
  /** The SHA-1 or SHA-256 of its certificate. One of the two must be given. */
  readonly thumbprint?: string;
  readonly userAgent?: string;
  /** The addresses that the server may have; any by default. */
  readonly allowsAddress?: AddressRule;
}

/** The version and the identity of a vCenter. */
export interface About {
  readonly fullName: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly instanceUuid: string;
}

/** The root objects of all calls. */
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
  /** For requests to the REST API of the same server. */
  readonly handler: Handler;
  /**
   * Accepts no further calls and waits for those in progress. The session stays open until a logout, also after
   * `destroy`.
   */
  close(): Promise<void>;
  /** Aborts the calls in progress. */
  destroy(): Promise<void>;
}

/** A login with a directory takes seconds; tasks are answered at their start. */
const limits = { deadlineMs: 30_000 };
const longestAbout = 128;

const describeMethod = "RetrieveServiceContent";
const serviceInstance = { type: "ServiceInstance", value: "ServiceInstance" };

/**
 * Connects to a vCenter and reads its description, without a login.
 * Errors: TrustMissingError, InvalidServerError, InvalidThumbprintError, RequestError.
 */
export async function connectVCenter(
  options: VCenterOptions,
  signal?: AbortSignal,
): Promise<VCenter> {
  const { server, ca, thumbprint, allowsAddress, userAgent = "rookery" } = options;
  if (!ca && !thumbprint) throw new TrustMissingError(server);
  const origin = originOf(server);
  checkAddress(origin, allowsAddress);
  const http = createHttpClient({
    origin,
    tls: { ...(ca && { ca }), ...(thumbprint && { thumbprint }) },
    limits,
    ...(allowsAddress && { lookup: ruledLookup(allowsAddress) }),
  });
  try {
    const soap = new SoapConnection(http.handler, userAgent);
    const answer = await soap.call({ method: describeMethod, self: serviceInstance, signal });
    return {
      server,
      about: aboutOf(childOf(answer, "about")),
      content: contentOf(answer),
      handler: http.handler,
      call: (call) => soap.call(call),
      callForList: (call) => soap.callForList(call),
      close: () => http.close(),
      destroy: () => http.destroy(),
      [Symbol.asyncDispose]: () => http.destroy(),
    };
  } catch (error) {
    await http.destroy();
    throw error;
  }
}

/** A host that is an address is not looked up. */
function checkAddress(origin: string, allowsAddress: AddressRule = () => true): void {
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) > 0 && !allowsAddress(host)) throw new AddressNotAllowedError(host);
}

/** Whether a text is a server: a host name or an address, with an optional port. */
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
    throw new UnexpectedAnswerError(describeMethod, `it has no ${name}: is it a vCenter?`);
  };
  return {
    rootFolder: at("rootFolder"),
    propertyCollector: at("propertyCollector"),
    viewManager: at("viewManager"),
    sessionManager: at("sessionManager"),
    searchIndex: at("searchIndex"),
  };
}
