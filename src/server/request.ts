import type { Caller } from "../api/auth/auth-result.ts";

/** The header fields of a request, by their names in lower case: undecoded bytes, a character each. */
export interface FieldsOf {
  get(name: string): string | null;
}

/** A request as the app sees it, with what is found out about it on the way. */
export class Asked {
  /** The endpoint that it is for; undefined when there is none. */
  route: string | undefined;
  /** Who asks, once the gate has let them in. */
  caller: Caller | undefined;
  /** The answer was kept ready. */
  kept = false;
  /** What it is called in the log, once it has a name. */
  id: string | undefined;
  /** It is answered between two turns of the loop: what the store says for it holds for no other (see `turn.ts`). */
  outOfTurn = false;
  /** Header fields for this answer alone, each with its CRLF. */
  more = "";

  constructor(
    readonly method: string,
    /** A path with its query. */
    readonly target: string,
    readonly headers: FieldsOf,
  ) {}
}
