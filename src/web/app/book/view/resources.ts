/** Supporting resources: covers, samples, videos and other files, as links. */
import { nameInWords } from "../record/element-names.ts";
import { type Fact, type Fields, factOf, type Shown, type ViewContext } from "../record/fields.ts";
import { type LinkView, linkOf } from "./links.ts";
import { contentDatesOf } from "./texts.ts";

interface ResourceView {
  readonly type: Shown | undefined;
  readonly mode: Shown | undefined;
  readonly audience: readonly Shown[];
  readonly facts: readonly Fact[];
  readonly versions: readonly VersionView[];
}

interface VersionView {
  readonly form: Shown | undefined;
  readonly facts: readonly Fact[];
  readonly links: readonly LinkView[];
}

export function readResources(collateral: Fields, context: ViewContext): readonly ResourceView[] {
  return collateral.composites("SupportingResource").map((resource) => ({
    type: resource.one("ResourceContentType"),
    mode: resource.one("ResourceMode"),
    audience: resource.all("ContentAudience"),
    facts: resource.flatMap("ResourceFeature", (each) => featureOf(each, "ResourceFeature", context)),
    versions: resource.composites("ResourceVersion").map((version) => versionOf(version, context)),
  }));
}

function versionOf(version: Fields, context: ViewContext): VersionView {
  return {
    form: version.one("ResourceForm"),
    facts: [
      ...version.flatMap("ResourceVersionFeature", (each) =>
        featureOf(each, "ResourceVersionFeature", context),
      ),
      ...contentDatesOf(version, context),
    ],
    links: version.all("ResourceLink").map((url) => linkOf(url)),
  };
}

function featureOf(feature: Fields, name: string, { language }: ViewContext): readonly Fact[] {
  const type = feature.one(`${name}Type`);
  return factOf(type?.text ?? nameInWords(name, language), [
    ...feature.all("FeatureValue"),
    ...feature.all("FeatureNote"),
  ]);
}
