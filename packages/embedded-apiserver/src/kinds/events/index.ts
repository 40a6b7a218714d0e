import { eventKind } from "./event.ts";

export const eventsKinds = [eventKind];
