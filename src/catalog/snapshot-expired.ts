/** The state that a snapshot reads is gone. Its lists are cut off: a client never takes a part of a list for the whole. */
export class SnapshotExpired extends Error {
  override readonly name = "SnapshotExpired";

  constructor(reason = "an import has changed the catalog, and the list was read for more than a minute") {
    super(`The list was cut off: ${reason}; the client can request it again, and should read it faster.`);
  }
}
