import type { PageProps } from "../shared/core/page-props.ts";
import { Empty } from "../shared/ui/states.tsx";

export function ImportsPage(_: PageProps) {
  return <Empty title="Imports" />;
}
