/** An import that did not take effect. The message names the feed or the catalog, and the cause. */
export class ImportError extends Error {}
