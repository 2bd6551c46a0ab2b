/** `npm run --silent sbom`: the lock file as a CycloneDX bill of materials, on standard output. */
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };

interface Bom {
  readonly metadata: { readonly component: { name: string } };
}

/** npm's own, from the lock file alone: the same on every system, and without a network. */
export function billOfMaterials(): Bom {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    ["npm", "sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"],
    { cwd: join(import.meta.dir, "..") },
  );
  if (exitCode !== 0) throw new Error(`npm sbom has failed: ${stderr.toString()}`);
  const bom = JSON.parse(stdout.toString()) as Bom;
  // npm takes the folder's name, which is nobody's business.
  bom.metadata.component.name = packageJson.name;
  return bom;
}

if (import.meta.main) console.log(JSON.stringify(billOfMaterials(), null, 2));
