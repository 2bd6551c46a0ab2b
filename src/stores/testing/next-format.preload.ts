/** Makes a process the next version of Colophon, with format 2 on both engines: `bun --preload` runs it first. */
import { CATALOG as POSTGRES } from "../postgres/schema.ts";
import { CATALOG as SQLITE, TOKENS } from "../sqlite/schema.ts";
import { withSteps } from "./next-format.ts";

withSteps(SQLITE, "ALTER TABLE catalog ADD COLUMN next INTEGER");
withSteps(TOKENS, "ALTER TABLE token ADD COLUMN next INTEGER");
withSteps(POSTGRES, "ALTER TABLE colophon.catalog ADD COLUMN next INTEGER");
