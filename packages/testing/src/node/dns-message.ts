/** What a client of the Domain Name System wants to know. */
export interface DnsQuestion {
  readonly id: number;
  readonly recursionDesired: boolean;
  /** In lower case, without a dot at its end. */
  readonly name: string;
  readonly type: number;
  /** The question as it was sent, which goes back with the answer. */
  readonly bytes: Uint8Array;
}

const header = 12;
const typeA = 1;
const classInternet = 1;
const secondsToLive = 5;

/** Reads a query with one question; undefined for anything else. */
export function readQuestion(message: Buffer): DnsQuestion | undefined {
  if (message.length < header || message.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let offset = header;
  for (let length = message[offset]; length; length = message[offset]) {
    if (length > 63 || offset + length + 1 >= message.length) return undefined;
    labels.push(message.toString("latin1", offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  if (offset + 5 > message.length) return undefined;
  return {
    id: message.readUInt16BE(0),
    recursionDesired: (message.readUInt16BE(2) & 0x0100) !== 0,
    name: labels.join(".").toLowerCase(),
    type: message.readUInt16BE(offset + 1),
    bytes: message.subarray(header, offset + 5),
  };
}

/** The answer to a question: the addresses of a name, or that there is no such name. */
export function writeAnswer(
  question: DnsQuestion,
  addresses: readonly string[] | undefined,
): Buffer {
  const answers = question.type === typeA ? (addresses ?? []) : [];
  const head = Buffer.alloc(header);
  head.writeUInt16BE(question.id, 0);
  // A response with authority, which also says that it would have asked others.
  const flags = 0x8480 | (question.recursionDesired ? 0x0100 : 0) | (addresses ? 0 : 3);
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers.length, 6);
  return Buffer.concat([head, question.bytes, ...answers.map(addressRecord)]);
}

function addressRecord(address: string): Buffer {
  const record = Buffer.alloc(16);
  // The name is that of the question.
  record.writeUInt16BE(0xc000 | header, 0);
  record.writeUInt16BE(typeA, 2);
  record.writeUInt16BE(classInternet, 4);
  record.writeUInt32BE(secondsToLive, 6);
  record.writeUInt16BE(4, 10);
  for (const [index, part] of address.split(".").entries()) record[12 + index] = Number(part);
  return record;
}
