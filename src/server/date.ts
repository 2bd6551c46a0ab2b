/** The Date of responses (RFC 9110 §6.6.1), formatted once a second. */
let formattedSecond = 0;
let formatted = "";

export function httpDate(now = Date.now()): string {
  const second = Math.trunc(now / 1000);
  if (second !== formattedSecond) {
    formattedSecond = second;
    formatted = new Date(now).toUTCString();
  }
  return formatted;
}
