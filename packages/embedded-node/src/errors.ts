import { defineError } from "@rookery/errors";

/** The node could not do something; the message says what helps. */
export class NodeError extends defineError("NodeFailed") {}

/** A container can't be created by its pod's spec: CreateContainerConfigError, in a kubelet's words. */
export class ContainerConfigError extends defineError("ContainerConfig") {}

/** A key, or the object that should have it, is missing: CreateContainerConfigError. */
export class MissingKeyError extends defineError("MissingKey") {}

/** A volume can't be set up yet, in a kubelet's words. */
export class VolumeError extends defineError("VolumeNotReady") {}

/** A part of a program that another user can't be given. */
export class UnreadableProgramError extends defineError("UnreadableProgram") {}
