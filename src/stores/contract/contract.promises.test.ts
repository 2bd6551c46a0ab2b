import { SQLITE_BEHIND_PROMISES } from "../testing/engines.ts";
import { readingContract } from "./contract.ts";

// The rest of this store is SQLite itself, which also has more runs.
readingContract(SQLITE_BEHIND_PROMISES, 5);
