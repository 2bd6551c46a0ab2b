import { POSTGRES } from "../testing/engines.ts";
import { storeContract } from "./contract.ts";

// SQLite has more runs of the same models.
storeContract(POSTGRES, process.env.FUZZ ? 100 : 8);
