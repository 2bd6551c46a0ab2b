import { type Ready, Reply } from "../../server/response.ts";
import { parsed } from "./socket.ts";

/** The header fields of a reply, as a client would read them. */
export function headersOf(reply: Reply | Ready): Headers {
  const head =
    reply instanceof Reply
      ? `HTTP/1.1 ${reply.status} -\r\n${reply.fields}\r\n`
      : Buffer.from(reply.head(new Date(0).toUTCString())).toString("latin1");
  return parsed(head).headers;
}
