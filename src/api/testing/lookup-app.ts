/** An app without an engine behind it. */
import type { ReadableStore } from "../../catalog/store.ts";
import { createApp } from "../app.ts";

/** Makes an app that accepts every token and only looks records up, in the state that `revision` names. */
export function lookupApp({ revision, record }: { revision: () => string } & Pick<ReadableStore, "record">) {
  const unused = () => {
    throw new Error("This app only looks records up");
  };
  return createApp({
    store: {
      revision,
      record,
      lookupTransaction: { begin: revision, lastImportId: () => "", subjectsVersion: () => "", end() {} },
      snapshot: unused,
      search: unused,
      correct: unused,
      facets: unused,
      quality: unused,
      importHistory: { list: unused, get: unused, latest: unused, originOf: unused },
      subjects: { digests: () => ({}), read: unused, replace: unused },
    },
    authenticator: { authenticate: () => ({ ok: true, caller: { id: undefined, name: undefined } }) },
    translations: { body: Buffer.from("{}"), etag: "" },
    version: "0.0.0",
    codeListIssue: 0,
    onError: (error) => console.error(error),
  });
}
