/** `slow-readers.ts URL PATH HEADERS COUNT SECONDS`: opens COUNT connections that read the response at 10 kB/s each. */
import { connect } from "node:net";
import { readSlowly, requestFromArguments } from "./raw-request.ts";

const { hostname, port, text, rest } = requestFromArguments();
const [count, seconds] = rest.map(Number) as [number, number];

setTimeout(() => process.exit(0), seconds * 1000);
for (let reader = 0; reader < count; reader++) {
  const socket = connect(port, hostname, () => socket.write(text));
  readSlowly(socket);
  socket.on("error", () => {});
}
