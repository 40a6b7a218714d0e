import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FieldError } from "../field/error.ts";
import { fieldPath } from "../field/path.ts";
import * as errors from "./constructors.ts";
import { statusOf } from "./response.ts";

const deployments = { group: "apps", resource: "deployments" };
const pods = { group: "", resource: "pods" };
const deployment = { group: "apps", kind: "Deployment" };
const replicas = fieldPath("spec", "replicas");
const required = FieldError.required(replicas, "");

describe("each error is the Status that kube-apiserver 1.34 sends, byte for byte", () => {
  const rows: Record<string, [error: Error, rest: string]> = {
    "not found": [
      errors.notFoundError(deployments, "x"),
      '"message":"deployments.apps \\"x\\" not found","reason":"NotFound","details":{"name":"x","group":"apps","kind":"deployments"},"code":404',
    ],
    "already exists": [
      errors.alreadyExistsError(pods, "x"),
      '"message":"pods \\"x\\" already exists","reason":"AlreadyExists","details":{"name":"x","kind":"pods"},"code":409',
    ],
    "no free name was found": [
      errors.generateNameConflictError(pods, "x-", 1),
      '"message":"pods \\"x-\\" already exists, the server was not able to generate a unique name for the object","reason":"AlreadyExists","details":{"name":"x-","kind":"pods","retryAfterSeconds":1},"code":409',
    ],
    "unauthorized without words": [
      errors.unauthorizedError(""),
      '"message":"not authorized","reason":"Unauthorized","code":401',
    ],
    unauthorized: [
      errors.unauthorizedError("Unauthorized"),
      '"message":"Unauthorized","reason":"Unauthorized","code":401',
    ],
    "forbidden, nothing named": [
      errors.forbiddenError({ group: "", resource: "" }, "", "no"),
      '"message":"forbidden: no","reason":"Forbidden","details":{},"code":403',
    ],
    "forbidden on a resource": [
      errors.forbiddenError(deployments, "", "no"),
      '"message":"deployments.apps is forbidden: no","reason":"Forbidden","details":{"group":"apps","kind":"deployments"},"code":403',
    ],
    "forbidden on an object": [
      errors.forbiddenError(deployments, "x", "no"),
      '"message":"deployments.apps \\"x\\" is forbidden: no","reason":"Forbidden","details":{"name":"x","group":"apps","kind":"deployments"},"code":403',
    ],
    "a conflict": [
      errors.conflictError(deployments, "x", "the object has been modified"),
      '"message":"Operation cannot be fulfilled on deployments.apps \\"x\\": the object has been modified","reason":"Conflict","details":{"name":"x","group":"apps","kind":"deployments"},"code":409',
    ],
    "an apply conflict": [
      errors.applyConflictError(
        [{ reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".spec.replicas" }],
        "Apply failed",
      ),
      '"message":"Apply failed","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \\"a\\"","field":".spec.replicas"}]},"code":409',
    ],
    gone: [errors.goneError("g"), '"message":"g","reason":"Gone","code":410'],
    expired: [errors.resourceExpiredError("e"), '"message":"e","reason":"Expired","code":410'],
    "invalid without causes": [
      errors.invalidError(deployment, "x", []),
      '"message":"Deployment.apps \\"x\\" is invalid","reason":"Invalid","details":{"name":"x","group":"apps","kind":"Deployment"},"code":422',
    ],
    "invalid by one field": [
      errors.invalidError(deployment, "x", [required]),
      '"message":"Deployment.apps \\"x\\" is invalid: spec.replicas: Required value","reason":"Invalid","details":{"name":"x","group":"apps","kind":"Deployment","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec.replicas"}]},"code":422',
    ],
    "invalid by several: the message says each once, the causes keep all": [
      errors.invalidError(deployment, "x", [
        required,
        FieldError.invalid(replicas, -1, "no"),
        required,
      ]),
      '"message":"Deployment.apps \\"x\\" is invalid: [spec.replicas: Required value, spec.replicas: Invalid value: -1: no]","reason":"Invalid","details":{"name":"x","group":"apps","kind":"Deployment","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec.replicas"},{"reason":"FieldValueInvalid","message":"Invalid value: -1: no","field":"spec.replicas"},{"reason":"FieldValueRequired","message":"Required value","field":"spec.replicas"}]},"code":422',
    ],
    "a bad request": [
      errors.badRequestError("b"),
      '"message":"b","reason":"BadRequest","code":400',
    ],
    "too many requests": [
      errors.tooManyRequestsError("m", 2),
      '"message":"m","reason":"TooManyRequests","details":{"retryAfterSeconds":2},"code":429',
    ],
    "service unavailable": [
      errors.serviceUnavailableError("u"),
      '"message":"u","reason":"ServiceUnavailable","code":503',
    ],
    "method not supported": [
      errors.methodNotSupportedError(deployments, "patch"),
      '"message":"patch is not supported on resources of kind \\"deployments.apps\\"","reason":"MethodNotAllowed","details":{"group":"apps","kind":"deployments"},"code":405',
    ],
    "not acceptable": [
      errors.notAcceptableError(["application/json", "application/yaml"]),
      '"message":"only the following media types are accepted: application/json, application/yaml","reason":"NotAcceptable","code":406',
    ],
    "unsupported media type": [
      errors.unsupportedMediaTypeError(["application/json", "application/yaml"]),
      '"message":"the body of the request was in an unknown format - accepted media types include: application/json, application/yaml","reason":"UnsupportedMediaType","code":415',
    ],
    "server timeout": [
      errors.serverTimeoutError(deployments, "create", 3),
      '"message":"The create operation against deployments.apps could not be completed at this time, please try again.","reason":"ServerTimeout","details":{"name":"create","group":"apps","kind":"deployments","retryAfterSeconds":3},"code":500',
    ],
    "internal error": [
      errors.internalError(new Error("boom")),
      '"message":"Internal error occurred: boom","reason":"InternalError","details":{"causes":[{"message":"boom"}]},"code":500',
    ],
    timeout: [
      errors.timeoutError("t", 0),
      '"message":"Timeout: t","reason":"Timeout","details":{},"code":504',
    ],
    "request entity too large": [
      errors.requestEntityTooLargeError("limit is 3"),
      '"message":"Request entity too large: limit is 3","reason":"RequestEntityTooLarge","code":413',
    ],
    "an error without a Status": [new Error("boom"), '"message":"boom","code":500'],
  };
  const head = '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",';
  for (const [name, [error, rest]] of Object.entries(rows)) {
    it(name, () => assert.equal(JSON.stringify(statusOf(error)), `${head}${rest}}`));
  }
});
