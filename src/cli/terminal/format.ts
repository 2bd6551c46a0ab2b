import type { UpdateCounts, UpdateKind } from "../../catalog/history/update-counts.ts";

/** Formats a number with thousands separators. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Formats a size in megabytes. What is free is rounded down, so that it is never shown as what is needed. */
export function formatMegabytes(bytes: number, round = Math.ceil): string {
  return `${formatCount(round(bytes / 1e6))} MB`;
}

/** Formats a number with its noun, as in "1 book" and "2 books". */
export function formatCountOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const KIND_NAMES: Readonly<Record<UpdateKind, string>> = {
  supply: "prices and stock",
  texts: "texts",
  publishing: "publishing details",
  other: "other",
};

/** Formats the number of updated books, with what has changed, as in "5 updated (4 prices and stock, 2 texts)". */
export function formatUpdated(updated: number, updates: UpdateCounts): string {
  const kinds = (Object.keys(KIND_NAMES) as UpdateKind[]).filter((kind) => updates[kind] > 0);
  const isSame = kinds.every((kind) => updates[kind] === updated);
  const parts = kinds.map((kind) => `${isSame ? "" : `${formatCount(updates[kind])} `}${KIND_NAMES[kind]}`);
  return `${formatCount(updated)} updated${kinds.length > 0 ? ` (${parts.join(", ")})` : ""}`;
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
