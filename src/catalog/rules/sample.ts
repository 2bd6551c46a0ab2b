/**
 * The key of the sender of the bundled sample (`sample/catalog.xml`). A book is of the sample while this sender has sent
 * it: a feed of another sender that has the book takes it over, and it stays.
 */
export const SAMPLE_SENDER = "name:Colophon sample catalog";
