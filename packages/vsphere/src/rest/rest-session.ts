import { Context, collectBody, type Handler } from "@rookery/http";
import { RestRequestError, TagsError, VimFaultError } from "../errors.ts";
import type { ManagedObjectReference } from "../vim/managed-object.ts";
import type { Credentials } from "../vim/session.ts";

interface RestRequest {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const sessionPath = "/rest/com/vmware/cis/session";
const sessionHeader = "vmware-api-session-id";

/**
 * A session of the REST API of a vCenter, which has tags, unlike its SOAP API. The session is opened with the first
 * request, and again after the vCenter has ended it.
 */
export class RestSession {
  readonly #handler: Handler;
  readonly #credentials: Credentials;
  #id: Promise<string> | undefined;

  constructor(handler: Handler, credentials: Credentials) {
    this.#handler = handler;
    this.#credentials = credentials;
  }

  /**
   * Posts an action, and returns the `value` of the answer. Errors: RestRequestError; NotAuthenticated if the credentials
   * are not valid any more, so that the SOAP session ends as well.
   */
  post(path: string, query: string, body: object): Promise<unknown> {
    return this.#post({ method: "POST", path, query, body });
  }

  /** The session with a signal for all requests. */
  within(signal: AbortSignal): Pick<RestSession, "post"> {
    return {
      post: (path, query, body) => this.#post({ method: "POST", path, query, body, signal }),
    };
  }

  async #post(request: RestRequest): Promise<unknown> {
    const first = await this.#request(request);
    if (first.status !== 401) return answered(request, first);
    this.#id = undefined;
    return answered(request, await this.#request(request));
  }

  /** Ends the session, if there is one. A failure is ignored. */
  async close(signal?: AbortSignal): Promise<void> {
    if (!this.#id) return;
    const request = { method: "DELETE", path: sessionPath, ...(signal && { signal }) } as const;
    await this.#request(request).catch(() => {});
    this.#id = undefined;
  }

  async #request(request: RestRequest): Promise<Answer> {
    this.#id ??= this.#open().catch((error: unknown) => {
      this.#id = undefined;
      throw error;
    });
    return this.#send({ ...request, headers: { [sessionHeader]: await this.#id } });
  }

  async #open(): Promise<string> {
    const { username, password } = this.#credentials;
    const basic = Buffer.from(`${username}:${password}`).toString("base64");
    const headers = { authorization: `Basic ${basic}`, "vmware-use-header-authn": "true" };
    const request = { method: "POST", path: sessionPath, headers } as const;
    const answer = await this.#send(request);
    if (answer.status === 401) {
      throw new VimFaultError("Login", "NotAuthenticated", "the REST API refuses the credentials");
    }
    return String(answered(request, answer));
  }

  async #send({ method, path, query = "", body, ...rest }: RestRequest): Promise<Answer> {
    const response = await this.#handler({
      method,
      path,
      query,
      headers: { ...rest.headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      signal: rest.signal ?? new AbortController().signal,
      context: Context.empty,
    });
    const text = Buffer.from(await collectBody(response.body, noLimit)).toString();
    return { status: response.status, text };
  }
}

/** The client limits each answer. */
const noLimit = { limit: Number.POSITIVE_INFINITY };

interface Answer {
  readonly status: number;
  readonly text: string;
}

function answered({ path }: RestRequest, { status, text }: Answer): unknown {
  if (status !== 200) throw new RestRequestError(path, `status ${status}`);
  try {
    return (JSON.parse(text) as { readonly value?: unknown }).value;
  } catch (cause) {
    throw new RestRequestError(path, "the answer is no JSON", { cause });
  }
}

interface Outcome {
  readonly success?: boolean;
  readonly error_messages?: readonly { readonly default_message?: string }[];
}

/** Attaches tags to an object; those that it has already are no error. Errors: TagsError. */
export async function attachTags(
  rest: Pick<RestSession, "post">,
  { type, value: id }: ManagedObjectReference,
  tagIds: readonly string[],
): Promise<void> {
  const path = "/rest/com/vmware/cis/tagging/tag-association";
  const query = "~action=attach-multiple-tags-to-object";
  const body = { object_id: { type, id }, tag_ids: tagIds };
  const { success, error_messages = [] } = (await rest.post(path, query, body)) as Outcome;
  if (success) return;
  const why = error_messages.map(({ default_message }) => default_message).filter(Boolean);
  throw new TagsError(tagIds, why.join("; ") || "the vCenter gives no reason");
}
