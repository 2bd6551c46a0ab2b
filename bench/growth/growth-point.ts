/** What was measured at one size of the catalog. */
export interface GrowthPoint {
  readonly records: number;
  readonly date: string;
  readonly feedBytes: number;
  readonly fileBytes: number;
  /** The import of the feed into a new catalog. */
  readonly import: { readonly seconds: number; readonly cpuSeconds: number; readonly peakMB: number };
  /** Random lookups, without a response cache. */
  readonly uncached: Lookups;
  /** Random lookups on a server without options. */
  readonly asItComes: Lookups;
  /** The service without options: after its first response, and its peak under random lookups. */
  readonly memory: { readonly idleMB: number; readonly loadMB: number };
}

export interface Lookups {
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
}

/** Returns the points with the new one, by size. It replaces an older one of the same size. */
export function withPoint(points: readonly GrowthPoint[], point: GrowthPoint): GrowthPoint[] {
  const others = points.filter(({ records }) => records !== point.records);
  return [...others, point].sort((a, b) => a.records - b.records);
}

/** Returns 10 k, 1 M, … */
export function shortCount(records: number): string {
  return records >= 1_000_000 ? `${records / 1_000_000} M` : `${records / 1000} k`;
}
