/** Every limit of the server. README.md lists the response beyond each of them. */

/** Request line and header fields together: the longest target, and 8 kB of fields. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** 1,000 ISBNs with percent-encoded hyphens take 30 kB. With 4,000 plain ISBNs, the app can still name its own limit. */
export const MAX_TARGET_BYTES = 56 * 1024;

/** Methods of RFC 9110 have up to 7 characters. What has no method within this size is not HTTP. */
export const MAX_METHOD_CHARS = 32;

/** A larger head is not remembered for the next request of its connection: an idle connection would keep it. */
export const MAX_REMEMBERED_HEAD_BYTES = 8 * 1024;

/** Browsers send about 20. */
export const MAX_HEADER_FIELDS = 100;

/** RFC 1035 §3.1: a name has up to 255 bytes. */
export const MAX_HOST_CHARS = 1024;

/** `Connection` is a list of a few names. RFC 9110 §5.4: a field that is larger than this is 431, never ignored. */
export const MAX_CONNECTION_FIELD_CHARS = 1024;

/** The app reads no request body. A body up to this size is skipped; a larger one closes the connection. */
export const MAX_SKIPPED_BODY_BYTES = 16 * 1024;

/** Pipelined requests behind a response in flight. The socket is not read beyond this size: a client may read nothing. */
export const MAX_PIPELINED_BYTES = 16 * 1024;

export const MAX_CONNECTIONS = 10_000;

/** The part of the connections beyond which the oldest idle one is closed for each new one. */
export const NEARLY_FULL = 0.9;

/**
 * The bytes that the system holds of a response beyond those in flight (`TCP_NOTSENT_LOWAT`). By default its buffers have 4 MB,
 * of which a client of 20 kB/s lets the server see nothing for 57 seconds. With this value, it sees something every 5 to 10 seconds.
 */
export const MAX_UNSENT_BYTES = 128 * 1024;

/** A client is slow when it takes less, judged over `PACE_SECONDS`. Only what others wait for is taken from slow ones. */
export const MIN_BYTES_PER_SECOND = 10_000;
export const PACE_SECONDS = 60;

/** The end of `X-Forwarded-For` that is read: about 50 proxies. */
export const MAX_FORWARDED_CHARS = 1024;

/** One sweep a second over all connections checks the timeouts. They end up to a second later than they say. */
export interface Timeouts {
  /** From the first byte of a request to the last one of its head. */
  readonly requestSeconds: number;
  /** Between a response and the next request. */
  readonly idleSeconds: number;
  /** For a client that reads nothing of its response. */
  readonly stalledSeconds: number;
  /** How long the rest of a refused request is discarded before the connection is cut: RFC 9112 §9.6. */
  readonly lingerSeconds: number;
}

/** Where the system's buffers are not limited, they hide a client of 20 kB/s for up to 60 seconds. */
export const DEFAULT_TIMEOUTS: Timeouts = {
  requestSeconds: 15,
  idleSeconds: 75,
  stalledSeconds: 120,
  lingerSeconds: 3,
};

export const SWEEP_INTERVAL_MS = 1000;

/**
 * The timeouts of a server that stops. `requestSeconds` begins with the stop, or with the first byte if that is later.
 * The next request of an idle connection may be on its way, so it is not closed at once.
 */
export const STOP_TIMEOUTS: Omit<Timeouts, "stalledSeconds"> = {
  requestSeconds: 2,
  idleSeconds: 1,
  lingerSeconds: 1,
};

/**
 * How long `stop` waits for responses in flight. Container managers kill a process after 10 seconds, and closing the
 * log and the store takes some time too.
 */
export const STOP_TIMEOUT_MS = 7000;
