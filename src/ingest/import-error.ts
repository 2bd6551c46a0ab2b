/** An import that did not take effect. The message names the feed or the catalog, and the cause. */
export class ImportError extends Error {}

/** The feed or a rule is the cause: the same import would fail again. Other failures may pass. */
export class FeedRefused extends ImportError {}

/** The bytes of a feed cannot be read: a missing right, or a failing disk. */
export class FeedUnreadable extends ImportError {}
