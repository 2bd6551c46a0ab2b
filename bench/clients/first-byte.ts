/** `first-byte.ts URL PATH HEADERS`: prints the median milliseconds from the request to the first byte of the response. */
import { connect } from "node:net";
import { median } from "../median.ts";
import { requestFromArguments } from "./raw-request.ts";

const WARM_UP_REQUESTS = 10;
const MEASURED_REQUESTS = 50;

const request = requestFromArguments();
const timesMs: number[] = [];
for (let count = 0; count < WARM_UP_REQUESTS + MEASURED_REQUESTS; count++) timesMs.push(await measureOnce());
console.log(median(timesMs.slice(WARM_UP_REQUESTS)));

function measureOnce(): Promise<number> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    const socket = connect(request.port, request.hostname, () => {
      sentAt = performance.now();
      socket.write(request.text);
    });
    socket.once("data", () => {
      resolve(performance.now() - sentAt);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}
