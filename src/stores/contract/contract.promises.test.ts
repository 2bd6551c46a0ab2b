import { SQLITE_BEHIND_PROMISES } from "../testing/engines.ts";
import { storeContract } from "./contract.ts";

// SQLite itself has more runs.
storeContract(SQLITE_BEHIND_PROMISES, 5);
