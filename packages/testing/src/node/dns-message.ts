import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
} from "dns-packet";

/** A query of a client of the Domain Name System. */
export interface DnsQuestion {
  readonly id: number;
  readonly recursionDesired: boolean;
  /** As the client wrote it; the answer repeats it. */
  readonly question: Question;
}

const nameError = 3;
const secondsToLive = 5;

/** Reads a query with one question; undefined for anything else. */
export function readQuestion(message: Buffer): DnsQuestion | undefined {
  try {
    const { id = 0, flag_rd: recursionDesired, questions = [] } = decode(message);
    const [question, ...others] = questions;
    return question && others.length === 0 ? { id, recursionDesired, question } : undefined;
  } catch {
    return undefined;
  }
}

/** The answer to a question: the addresses of a name; undefined addresses: there is no such name. */
export function writeAnswer(
  { id, recursionDesired, question }: DnsQuestion,
  addresses: readonly string[] | undefined,
): Buffer {
  const { name, type } = question;
  const found = type === "A" ? (addresses ?? []) : [];
  const rights = AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE;
  return encode({
    type: "response",
    id,
    flags: rights | (recursionDesired ? RECURSION_DESIRED : 0) | (addresses ? 0 : nameError),
    questions: [question],
    answers: found.map((data) => ({ name, type: "A", ttl: secondsToLive, data })),
  });
}
