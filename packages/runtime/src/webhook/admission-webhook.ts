import type { Handler } from "@rookery/http";
import { findStatusError, internalError, type Status } from "@rookery/kube";
import type { Logger } from "../logging/logger.ts";
import {
  type AdmissionRequest,
  type AdmissionResponse,
  admissionApiVersion,
  admissionReviewOf,
} from "./admission-review.ts";
import { jsonResponse, ReviewError, type ReviewFormat, readReview } from "./review-request.ts";
import type { Webhook, WebhookEnvironment } from "./webhook.ts";

/** The context of an admission request. */
export interface AdmissionContext {
  readonly request: AdmissionRequest;
  /** Aborted when the API server no longer waits. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Shows a warning to the user, whether the request is allowed or not. */
  warn(text: string): void;
}

/** Answers a request. A thrown StatusError denies it with that status, any other error as an internal error. */
export type AdmissionHandler = (
  context: AdmissionContext,
) => Promise<Omit<AdmissionResponse, "warnings">> | Omit<AdmissionResponse, "warnings">;

/** Two objects of 3 MiB, the limit of the API, and 1 MiB for the rest. */
const format: ReviewFormat = {
  apiVersion: admissionApiVersion,
  kind: "AdmissionReview",
  limit: 7 * 1024 * 1024,
};

/** A webhook with any handler; see `validatingWebhook` and `mutatingWebhook` for webhooks of a kind. */
export function admissionWebhook(path: string, handle: AdmissionHandler): Webhook {
  return {
    path,
    kind: "admission",
    createHandler: (environment) => createAdmissionHandler(handle, environment),
  };
}

function createAdmissionHandler(
  handle: AdmissionHandler,
  environment: WebhookEnvironment,
): Handler {
  return async (httpRequest) => {
    try {
      const request = await readReview(httpRequest, format);
      const { signal } = httpRequest;
      const admission = new Admission(request as unknown as AdmissionRequest, signal, environment);
      return jsonResponse(admissionReviewOf(request.uid, await admission.answer(handle)));
    } catch (error) {
      if (!(error instanceof ReviewError)) throw error;
      environment.logger.error(error, "Bad admission review");
      return error.response;
    }
  };
}

class Admission implements AdmissionContext {
  readonly request: AdmissionRequest;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly #warnings: string[] = [];
  readonly #onPanic: () => void;

  constructor(request: AdmissionRequest, signal: AbortSignal, environment: WebhookEnvironment) {
    this.request = request;
    this.signal = signal;
    const { namespace, name, operation, uid, resource, userInfo } = request;
    const user = userInfo?.username;
    const values = { namespace, name, operation, resource, user, requestID: uid };
    this.logger = environment.logger.withValues(values);
    this.#onPanic = environment.onPanic;
  }

  warn(text: string): void {
    this.#warnings.push(text);
  }

  async answer(handle: AdmissionHandler): Promise<AdmissionResponse> {
    const response = await this.#judge(handle);
    const { code, reason, message } = response.status ?? {};
    this.logger.debug("Answered admission request", {
      allowed: response.allowed,
      code,
      reason,
      message,
    });
    return { ...response, warnings: this.#warnings };
  }

  async #judge(handle: AdmissionHandler): Promise<AdmissionResponse> {
    try {
      return await handle(this);
    } catch (error) {
      const denial = findStatusError(error);
      return denied(denial ? denialOf(denial.status) : this.#panic(error));
    }
  }

  #panic(error: unknown): Status {
    this.#onPanic();
    this.logger.error(error, "Admission webhook failed");
    return internalError(new Error("the admission webhook failed; its log says why")).status;
  }
}

/** The API server treats a denial with a code below 400 as a mistake. */
function denialOf(status: Status): Status {
  return (status.code ?? 0) >= 400 ? status : { ...status, code: 400 };
}

function denied(status: Status): AdmissionResponse {
  return { allowed: false, status };
}
