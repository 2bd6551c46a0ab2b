import { POSTGRES } from "../testing/engines.ts";
import { storeContract } from "./contract.ts";

storeContract(POSTGRES, 20);
