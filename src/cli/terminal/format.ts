/** Formats a number with thousands separators. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a number with its noun, as in "1 book" and "2 books". */
export function formatCountOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a duration as m:ss or h:mm:ss. */
export function formatDuration(seconds: number): string {
  const total = Math.ceil(seconds);
  const [h, m, s] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  return h > 0 ? `${h}:${twoDigits(m)}:${twoDigits(s)}` : `${m}:${twoDigits(s)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
