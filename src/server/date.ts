/** The Date of answers (RFC 9110, 6.6.1): made once a second, however many there are. */
let second = 0;
let text = "";

export function httpDate(now = Date.now()): string {
  const current = Math.trunc(now / 1000);
  if (current !== second) {
    second = current;
    text = new Date(now).toUTCString();
  }
  return text;
}
