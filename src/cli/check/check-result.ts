/** What a check finds: groups of complaints, and the quality of each feed. */
import { ComplaintGroups } from "../../catalog/quality/complaint-groups.ts";
import { FeedQuality } from "../../catalog/quality/feed-quality.ts";
import type { ReportedComplaint } from "../../catalog/report.ts";
import type { FeedBatch } from "../../ingest/feed-reader.ts";

export class CheckResult {
  readonly groups = new ComplaintGroups();
  readonly quality = new FeedQuality();

  addComplaint(complaint: ReportedComplaint): void {
    this.groups.add(complaint);
  }

  addBatch({ file, header, products }: FeedBatch): void {
    if (header) this.quality.add(file, header.sender?.name ?? "", products);
  }
}
