import { SQLITE_BEHIND_PROMISES } from "../testing/engines.ts";
import { storeContract } from "./contract.ts";

storeContract(SQLITE_BEHIND_PROMISES);
