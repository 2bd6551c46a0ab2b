/** Why bytes on a connection are not a request that can be handled. */

const STATUS = {
  malformed: 400,
  "bad-host": 400,
  timeout: 408,
  "uri-too-long": 414,
  "headers-too-large": 431,
  "too-many-connections": 503,
  "version-not-supported": 505,
} as const;

export type ProtocolErrorKind = keyof typeof STATUS;

/** An error as a value: the parser returns it, and the app renders it. */
export class ProtocolError {
  constructor(readonly kind: ProtocolErrorKind) {}

  get status(): number {
    return STATUS[this.kind];
  }
}
