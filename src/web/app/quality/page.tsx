import type { PageProps } from "../shared/core/page-props.ts";
import { Empty } from "../shared/ui/states.tsx";

export function QualityPage(_: PageProps) {
  return <Empty title="Quality" />;
}
