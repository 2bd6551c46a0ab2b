/** `npm run --silent sbom`: prints the lock file as a CycloneDX software bill of materials. */
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };

interface BillOfMaterials {
  readonly metadata: { readonly component: { name: string } };
  readonly components: { name: string; readonly "bom-ref": string }[];
}

/** Returns the output of `npm sbom`. It depends on the lock file only, and needs no network. */
export function billOfMaterials(): BillOfMaterials {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    ["npm", "sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"],
    { cwd: join(import.meta.dir, "..") },
  );
  if (exitCode !== 0) throw new Error(`npm sbom has failed: ${stderr.toString()}`);
  const bom = JSON.parse(stdout.toString()) as BillOfMaterials;
  // npm writes the name of the local folder here.
  bom.metadata.component.name = packageJson.name;
  // npm writes the name of the folder here, which may be an alias (see `overrides` in package.json).
  for (const component of bom.components) {
    component.name = component["bom-ref"].slice(0, component["bom-ref"].lastIndexOf("@"));
  }
  return bom;
}

if (import.meta.main) console.log(JSON.stringify(billOfMaterials(), null, 2));
