/** Why bytes on a connection are not a request that can be handled. */
import type { Status } from "./response.ts";

const STATUS = {
  malformed: 400,
  "bad-host": 400,
  "bad-target": 400,
  timeout: 408,
  "uri-too-long": 414,
  "too-many-connections-of-client": 429,
  "headers-too-large": 431,
  "too-many-connections": 503,
  "out-of-descriptors": 503,
  "version-not-supported": 505,
} as const satisfies Record<string, Status>;

export type ProtocolErrorKind = keyof typeof STATUS;

/** An error as a value: the parser returns it, and the app renders it. */
export class ProtocolError {
  constructor(readonly kind: ProtocolErrorKind) {}

  get status(): Status {
    return STATUS[this.kind];
  }
}
