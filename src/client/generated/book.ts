/** The shapes of responses. Made by scripts/client-types.ts from the OpenAPI document. */

/** Attributes of elements, and elements that a feed repeats although ONIX does not: see docs/record.md. */
export interface ExtraMembers {
  readonly [name: `${string}@${string}` | `${string}#${string}`]: unknown;
}

/** The parts of a name: what the composites with a name have in common. */
export interface NameParts {
  readonly NameType?: List18;
  readonly NameIdentifier?: readonly NameIdentifier[];
  readonly PersonName?: string;
  readonly "PersonName@collationkey"?: string;
  readonly "PersonName@language"?: List74;
  readonly "PersonName@textscript"?: List121;
  readonly PersonNameInverted?: string;
  readonly "PersonNameInverted@collationkey"?: string;
  readonly "PersonNameInverted@language"?: List74;
  readonly "PersonNameInverted@textscript"?: List121;
  readonly TitlesBeforeNames?: string;
  readonly "TitlesBeforeNames@collationkey"?: string;
  readonly "TitlesBeforeNames@language"?: List74;
  readonly "TitlesBeforeNames@textscript"?: List121;
  readonly NamesBeforeKey?: string;
  readonly "NamesBeforeKey@collationkey"?: string;
  readonly "NamesBeforeKey@language"?: List74;
  readonly "NamesBeforeKey@textscript"?: List121;
  readonly PrefixToKey?: string;
  readonly "PrefixToKey@collationkey"?: string;
  readonly "PrefixToKey@language"?: List74;
  readonly "PrefixToKey@textscript"?: List121;
  readonly KeyNames?: string;
  readonly "KeyNames@collationkey"?: string;
  readonly "KeyNames@language"?: List74;
  readonly "KeyNames@textscript"?: List121;
  readonly NamesAfterKey?: string;
  readonly "NamesAfterKey@collationkey"?: string;
  readonly "NamesAfterKey@language"?: List74;
  readonly "NamesAfterKey@textscript"?: List121;
  readonly SuffixToKey?: string;
  readonly "SuffixToKey@collationkey"?: string;
  readonly "SuffixToKey@language"?: List74;
  readonly "SuffixToKey@textscript"?: List121;
  readonly LettersAfterNames?: string;
  readonly "LettersAfterNames@collationkey"?: string;
  readonly "LettersAfterNames@language"?: List74;
  readonly "LettersAfterNames@textscript"?: List121;
  readonly TitlesAfterNames?: string;
  readonly "TitlesAfterNames@collationkey"?: string;
  readonly "TitlesAfterNames@language"?: List74;
  readonly "TitlesAfterNames@textscript"?: List121;
  readonly Gender?: List229;
  readonly CorporateNameInverted?: readonly string[];
  readonly "CorporateNameInverted@collationkey"?: readonly (string | null)[];
  readonly "CorporateNameInverted@language"?: readonly (List74 | null)[];
  readonly "CorporateNameInverted@textscript"?: readonly (List121 | null)[];
}

export interface Book extends ExtraMembers {
  readonly _id: string;
  readonly RecordReference: string;
  readonly NotificationType?: List1;
  readonly DeletionText?: readonly string[];
  readonly "DeletionText@language"?: readonly (List74 | null)[];
  readonly RecordSourceType?: List3;
  readonly RecordSourceIdentifier?: readonly RecordSourceIdentifier[];
  readonly RecordSourceName?: string;
  readonly ProductIdentifier: readonly ProductIdentifier[];
  readonly Barcode?: readonly Barcode[];
  readonly DescriptiveDetail?: DescriptiveDetail;
  readonly CollateralDetail?: CollateralDetail;
  readonly PromotionDetail?: PromotionDetail;
  readonly ContentDetail?: ContentDetail;
  readonly PublishingDetail?: PublishingDetail;
  readonly RelatedMaterial?: RelatedMaterial;
  readonly ProductionDetail?: ProductionDetail;
  readonly ProductSupply?: readonly ProductSupply[];
}

/** A book as one flat object. No member is ever missing: an absent value is null, an absent list is empty. */
export interface Summary {
  readonly isbn: string;
  readonly isbn10: string | null;
  readonly title: string | null;
  readonly subtitle: string | null;
  readonly collection: string | null;
  readonly contributors: readonly {
    readonly name: string | null;
    readonly role: string | null;
    readonly roles: readonly string[];
  }[];
  readonly imprint: string | null;
  readonly publisher: string | null;
  readonly published: string | null;
  readonly status: string | null;
  readonly form: string | null;
  readonly languages: readonly string[];
  readonly pages: number | null;
  readonly subjects: readonly {
    readonly scheme: string | null;
    readonly code: string | null;
    readonly text: string | null;
  }[];
  readonly audience: readonly string[];
  readonly prices: readonly {
    readonly amount: string | null;
    readonly currency: string | null;
    readonly type: string | null;
    readonly from: string | null;
    readonly until: string | null;
    readonly territory: string | null;
    readonly qualifier: string | null;
    readonly conditions: readonly {
      readonly type: string | null;
      readonly quantity: string | null;
      readonly unit: string | null;
    }[];
    readonly minimumQuantity: number | null;
    readonly taxes: readonly {
      readonly type: string | null;
      readonly rate: string | null;
      readonly percent: string | null;
      readonly taxable: string | null;
      readonly amount: string | null;
    }[];
    readonly constraints?: readonly {
      readonly type: string | null;
      readonly status: string | null;
      readonly quantity: string | null;
      readonly unit: string | null;
    }[];
    readonly per?: string | null;
  }[];
  readonly availability: string | null;
  readonly description: string | null;
  readonly cover: string | null;
  readonly updated: string | null;
  readonly partNumber: string | null;
  readonly partTitle: string | null;
  readonly collectionNumber: string | null;
  readonly formDetail: readonly string[];
  readonly editionNumber: number | null;
  readonly editionTypes: readonly string[];
  readonly duration: number | null;
  readonly markets: readonly { readonly territory: string | null; readonly availability: string | null }[];
  readonly rights: {
    readonly exclusive: string | null;
    readonly nonExclusive: string | null;
    readonly notForSale: string | null;
  } | null;
  readonly workId: string | null;
}

export interface Work {
  readonly editions: readonly Summary[];
  readonly complete: boolean;
}

/** A summary with `fields`, `labels` or `highlight`: some of its members, and further ones. */
export interface SummaryPart {
  readonly isbn?: string;
  readonly isbn10?: string | null;
  readonly title?: string | null;
  readonly subtitle?: string | null;
  readonly collection?: string | null;
  readonly contributors?: readonly {
    readonly name: string | null;
    readonly role: string | null;
    readonly roleLabel?: string | null;
    readonly roles: readonly string[];
    readonly roleLabels?: readonly (string | null)[];
  }[];
  readonly imprint?: string | null;
  readonly publisher?: string | null;
  readonly published?: string | null;
  readonly status?: string | null;
  readonly statusLabel?: string | null;
  readonly form?: string | null;
  readonly formLabel?: string | null;
  readonly languages?: readonly string[];
  readonly languageLabels?: readonly (string | null)[];
  readonly pages?: number | null;
  readonly subjects?: readonly {
    readonly scheme: string | null;
    readonly schemeLabel?: string | null;
    readonly code: string | null;
    readonly codeLabel?: string | null;
    readonly text: string | null;
  }[];
  readonly audience?: readonly string[];
  readonly audienceLabels?: readonly (string | null)[];
  readonly prices?: readonly {
    readonly amount: string | null;
    readonly currency: string | null;
    readonly currencyLabel?: string | null;
    readonly type: string | null;
    readonly typeLabel?: string | null;
    readonly from: string | null;
    readonly until: string | null;
    readonly territory: string | null;
    readonly qualifier: string | null;
    readonly qualifierLabel?: string | null;
    readonly conditions: readonly {
      readonly type: string | null;
      readonly typeLabel?: string | null;
      readonly quantity: string | null;
      readonly unit: string | null;
      readonly unitLabel?: string | null;
    }[];
    readonly minimumQuantity: number | null;
    readonly taxes: readonly {
      readonly type: string | null;
      readonly typeLabel?: string | null;
      readonly rate: string | null;
      readonly rateLabel?: string | null;
      readonly percent: string | null;
      readonly taxable: string | null;
      readonly amount: string | null;
    }[];
    readonly constraints?: readonly {
      readonly type: string | null;
      readonly typeLabel?: string | null;
      readonly status: string | null;
      readonly statusLabel?: string | null;
      readonly quantity: string | null;
      readonly unit: string | null;
      readonly unitLabel?: string | null;
    }[];
    readonly per?: string | null;
    readonly perLabel?: string | null;
  }[];
  readonly availability?: string | null;
  readonly availabilityLabel?: string | null;
  readonly description?: string | null;
  readonly cover?: string | null;
  readonly updated?: string | null;
  readonly partNumber?: string | null;
  readonly partTitle?: string | null;
  readonly collectionNumber?: string | null;
  readonly formDetail?: readonly string[];
  readonly formDetailLabels?: readonly (string | null)[];
  readonly editionNumber?: number | null;
  readonly editionTypes?: readonly string[];
  readonly editionTypeLabels?: readonly (string | null)[];
  readonly duration?: number | null;
  readonly markets?: readonly {
    readonly territory: string | null;
    readonly availability: string | null;
    readonly availabilityLabel?: string | null;
  }[];
  readonly rights?: {
    readonly exclusive: string | null;
    readonly nonExclusive: string | null;
    readonly notForSale: string | null;
  } | null;
  readonly workId?: string | null;
  readonly editions?: readonly string[];
  readonly highlights?: readonly {
    readonly field: string;
    readonly text: string;
    readonly ranges: readonly (readonly [number, number])[];
  }[];
}

/** How many books have which values. A book without a value is not counted in that facet. */
export interface Facets {
  readonly total: number | "100000+";
  readonly counted: number;
  readonly facets: {
    readonly imprint: {
      readonly total: number | "100000+";
      readonly counted: number;
      readonly distinct: number;
      readonly unlisted: number;
      readonly values: readonly { readonly value: string; readonly label: string; readonly count: number }[];
    };
    readonly language: Facets["facets"]["imprint"];
    readonly form: Facets["facets"]["imprint"];
    readonly availability: Facets["facets"]["imprint"];
    readonly audience: Facets["facets"]["imprint"];
    readonly price: Facets["facets"]["imprint"];
    readonly year: Facets["facets"]["imprint"];
    readonly lacks: Facets["facets"]["imprint"];
  };
}

/** How many books of the catalog have what shops need, and how they are distributed. */
export interface Quality {
  readonly revision: string;
  readonly complete: boolean;
  readonly books: number;
  readonly has: {
    readonly title: number;
    readonly contributor: number;
    readonly form: number;
    readonly subject: number;
    readonly description: number;
    readonly cover: number;
    readonly price: number;
    readonly availability: number;
    readonly date: number;
    readonly audience: number;
  };
  readonly imprints: readonly {
    readonly slug: string;
    readonly name: string;
    readonly books: number;
    readonly has: Quality["has"];
  }[];
  readonly otherImprints: { readonly imprints: number; readonly books: number; readonly has: Quality["has"] };
  readonly withoutImprint: { readonly books: number; readonly has: Quality["has"] };
  readonly languages: readonly { readonly value: string; readonly books: number }[];
  readonly forms: readonly { readonly value: string; readonly books: number }[];
  readonly prices: readonly {
    readonly currency: string;
    readonly from: number;
    readonly below: number | null;
    readonly books: number;
  }[];
  readonly months: readonly { readonly value: string; readonly books: number }[];
  readonly unlisted: {
    readonly languages: number;
    readonly forms: number;
    readonly prices: number;
    readonly months: number;
  };
}

export interface Suggestions {
  readonly suggestions: readonly {
    readonly kind: "book" | "contributor" | "imprint" | "series" | "correction";
    readonly label: string;
    readonly path: string;
    readonly isbn?: string;
    readonly slug?: string;
    readonly books?: number;
  }[];
}

export interface SubjectEntry {
  readonly code: string;
  readonly scheme: string;
  readonly label: string;
  readonly parent: string | null;
  readonly narrower: number;
  readonly books?: number | string;
}

export interface Import {
  readonly number: number;
  readonly started: string;
  readonly finished: string;
  readonly durationMs: number;
  readonly outcome: "changed" | "unchanged" | "failed";
  readonly message: string | null;
  readonly revisionBefore: string | null;
  readonly revisionAfter: string | null;
  readonly feedCount: number;
  readonly feeds: readonly ImportFeed[];
  readonly counts: {
    readonly added: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly deleted: number;
    readonly removed: number;
    readonly rejected: number;
    readonly repeated: number;
    readonly ignored: number;
    readonly kept: number;
    readonly tests: number;
    readonly warnings: number;
  };
  readonly updates: {
    readonly texts: number;
    readonly supply: number;
    readonly publishing: number;
    readonly other: number;
  };
  readonly complaints: { readonly total: number; readonly groups: number };
  readonly quality: { readonly books: number; readonly has: Quality["has"] };
  readonly undoable: boolean;
  readonly undoes: number | null;
  readonly undoneBy: number | null;
}

export interface ImportDetails extends Import {
  readonly complaintGroups: readonly ComplaintGroup[];
}

export interface Origin {
  readonly isbn: string;
  readonly sender: string | null;
  readonly reference: string;
  readonly added: OriginImport;
  readonly changed: OriginChange | null;
}

export interface NameIdentifier extends ExtraMembers {
  readonly NameIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface RecordSourceIdentifier extends ExtraMembers {
  readonly RecordSourceIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface ProductIdentifier extends ExtraMembers {
  readonly ProductIDType?: List5;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface Barcode extends ExtraMembers {
  readonly BarcodeType?: List141;
  readonly PositionOnProduct?: List142;
}

export interface DescriptiveDetail extends ExtraMembers {
  readonly ProductComposition?: List2;
  readonly ProductForm?: List150;
  readonly ProductFormDetail?: List175 | readonly List175[];
  readonly ProductFormFeature?: readonly ProductFormFeature[];
  readonly ProductPackaging?: List80;
  readonly ProductFormDescription?: readonly string[];
  readonly "ProductFormDescription@language"?: readonly (List74 | null)[];
  readonly TradeCategory?: List12;
  readonly PrimaryContentType?: List81;
  readonly ProductContentType?: readonly List81[];
  readonly Measure?: readonly Measure[];
  readonly CountryOfManufacture?: List91;
  readonly EpubTechnicalProtection?: readonly List144[];
  readonly EpubUsageConstraint?: readonly EpubUsageConstraint[];
  readonly EpubLicense?: readonly EpubLicense[];
  readonly MapScale?: readonly PositiveInteger[];
  readonly ProductClassification?: readonly ProductClassification[];
  readonly ProductPart?: readonly ProductPart[];
  readonly Collection?: readonly Collection[];
  readonly NoCollection?: Flag;
  readonly TitleDetail?: TitleDetail | readonly TitleDetail[];
  readonly ThesisType?: List72;
  readonly ThesisPresentedTo?: string;
  readonly "ThesisPresentedTo@language"?: List74;
  readonly ThesisYear?: OnixDate;
  readonly "ThesisYear@dateformat"?: List55;
  readonly Contributor?: Contributor | readonly Contributor[];
  readonly ContributorStatement?: readonly Markup[];
  readonly "ContributorStatement@language"?: readonly (List74 | null)[];
  readonly "ContributorStatement@textformat"?: readonly (List34 | null)[];
  readonly NoContributor?: Flag;
  readonly Event?: readonly Event[];
  readonly Conference?: readonly Conference[];
  readonly EditionType?: readonly List21[];
  readonly EditionNumber?: PositiveInteger;
  readonly EditionVersionNumber?: string;
  readonly EditionStatement?: readonly Markup[];
  readonly "EditionStatement@language"?: readonly (List74 | null)[];
  readonly "EditionStatement@textformat"?: readonly (List34 | null)[];
  readonly NoEdition?: Flag;
  readonly ReligiousText?: ReligiousText;
  readonly Language?: Language | readonly Language[];
  readonly Extent?: Extent | readonly Extent[];
  readonly Illustrated?: List152;
  readonly NumberOfIllustrations?: PositiveIntegerOrZero;
  readonly IllustrationsNote?: readonly Markup[];
  readonly "IllustrationsNote@language"?: readonly (List74 | null)[];
  readonly "IllustrationsNote@textformat"?: readonly (List34 | null)[];
  readonly AncillaryContent?: readonly AncillaryContent[];
  readonly Subject?: readonly Subject[];
  readonly NameAsSubject?: readonly NameAsSubject[];
  readonly AudienceCode?: readonly List28[];
  readonly Audience?: Audience | readonly Audience[];
  readonly AudienceRange?: AudienceRange | readonly AudienceRange[];
  readonly AudienceDescription?: readonly Markup[];
  readonly "AudienceDescription@language"?: readonly (List74 | null)[];
  readonly "AudienceDescription@textformat"?: readonly (List34 | null)[];
  readonly Complexity?: readonly Complexity[];
}

export interface CollateralDetail extends ExtraMembers {
  readonly TextContent?: readonly TextContent[];
  readonly CitedContent?: readonly CitedContent[];
  readonly SupportingResource?: readonly SupportingResource[];
  readonly Prize?: readonly Prize[];
}

export interface PromotionDetail extends ExtraMembers {
  readonly PromotionalEvent?: readonly PromotionalEvent[];
}

export interface ContentDetail extends ExtraMembers {
  readonly ContentItem?: readonly ContentItem[];
}

export interface PublishingDetail extends ExtraMembers {
  readonly Imprint?: readonly Imprint[];
  readonly Publisher?: readonly Publisher[];
  readonly CityOfPublication?: readonly string[];
  readonly "CityOfPublication@language"?: readonly (List74 | null)[];
  readonly CountryOfPublication?: List91;
  readonly ProductContact?: readonly ProductContact[];
  readonly PublishingStatus?: List64;
  readonly PublishingStatusNote?: readonly Markup[];
  readonly "PublishingStatusNote@language"?: readonly (List74 | null)[];
  readonly "PublishingStatusNote@textformat"?: readonly (List34 | null)[];
  readonly PublishingDate?: readonly PublishingDate[];
  readonly LatestReprintNumber?: PositiveInteger;
  readonly CopyrightStatement?: readonly CopyrightStatement[];
  readonly CopyrightStatementText?: readonly Markup[];
  readonly "CopyrightStatementText@language"?: readonly (List74 | null)[];
  readonly "CopyrightStatementText@textformat"?: readonly (List34 | null)[];
  readonly SalesRights?: readonly SalesRights[];
  readonly ROWSalesRightsType?: List46;
  readonly SalesRestriction?: readonly SalesRestriction[];
}

export interface RelatedMaterial extends ExtraMembers {
  readonly RelatedWork?: readonly RelatedWork[];
  readonly RelatedProduct?: readonly RelatedProduct[];
}

export interface ProductionDetail extends ExtraMembers {
  readonly ProductionManifest?: readonly ProductionManifest[];
}

export interface ProductSupply extends ExtraMembers {
  readonly MarketReference?: string;
  readonly Market?: readonly Market[];
  readonly MarketPublishingDetail?: MarketPublishingDetail;
  readonly SupplyDetail?: readonly SupplyDetail[];
}

export interface ImportFeed {
  readonly name: string;
  readonly sha256: string | null;
  readonly bytes: number;
  readonly sender: string | null;
  readonly sent: string | null;
  readonly messageNumber: string | null;
}

export interface ComplaintGroup {
  readonly severity: "rejected" | "warning";
  readonly kind: string;
  readonly text: string;
  readonly advice: string;
  readonly count: number;
  readonly examples: readonly {
    readonly isbn: string | null;
    readonly reference: string | null;
    readonly file: string;
    readonly line: number;
  }[];
}

export interface OriginImport {
  readonly number: number | null;
  readonly at: string;
  readonly feed: string | null;
  readonly sender: string | null;
}

export interface OriginChange extends OriginImport {
  readonly blocks: readonly string[] | null;
}

export interface ProductFormFeature extends ExtraMembers {
  readonly ProductFormFeatureType?: List79;
  readonly ProductFormFeatureValue?: string;
  readonly ProductFormFeatureDescription?: readonly string[];
  readonly "ProductFormFeatureDescription@language"?: readonly (List74 | null)[];
}

export interface Measure extends ExtraMembers {
  readonly MeasureType?: List48;
  readonly Measurement?: PositiveDecimal;
  readonly MeasureUnitCode?: List50;
}

export interface EpubUsageConstraint extends ExtraMembers {
  readonly EpubUsageType?: List145;
  readonly EpubUsageStatus?: List146;
  readonly EpubUsageLimit?: readonly EpubUsageLimit[];
}

export interface EpubLicense extends ExtraMembers {
  readonly EpubLicenseName?: readonly string[];
  readonly "EpubLicenseName@language"?: readonly (List74 | null)[];
  readonly EpubLicenseExpression?: readonly EpubLicenseExpression[];
  readonly EpubLicenseDate?: readonly EpubLicenseDate[];
}

/** ONIX expects a whole number from 1. The record has the value of the feed, also when it is another. */
export type PositiveInteger = string;

export interface ProductClassification extends ExtraMembers {
  readonly ProductClassificationType?: List9;
  readonly ProductClassificationTypeName?: string;
  readonly "ProductClassificationTypeName@language"?: List74;
  readonly ProductClassificationCode?: string;
  readonly Percent?: PercentDecimal;
}

export interface ProductPart extends ExtraMembers {
  readonly PrimaryPart?: Flag;
  readonly ProductIdentifier?: readonly ProductIdentifier[];
  readonly ProductForm?: List150;
  readonly ProductFormDetail?: List175 | readonly List175[];
  readonly ProductFormFeature?: readonly ProductFormFeature[];
  readonly ProductPackaging?: List80;
  readonly ProductFormDescription?: readonly string[];
  readonly "ProductFormDescription@language"?: readonly (List74 | null)[];
  readonly ProductContentType?: readonly List81[];
  readonly Measure?: readonly Measure[];
  readonly NumberOfItemsOfThisForm?: PositiveInteger;
  readonly NumberOfCopies?: PositiveInteger;
  readonly CountryOfManufacture?: List91;
}

export interface Collection extends ExtraMembers {
  readonly CollectionType?: List148;
  readonly CollectionFrequency?: List259;
  readonly SourceName?: string;
  readonly CollectionIdentifier?: readonly CollectionIdentifier[];
  readonly CollectionSequence?: readonly CollectionSequence[];
  readonly TitleDetail?: TitleDetail | readonly TitleDetail[];
  readonly Contributor?: Contributor | readonly Contributor[];
  readonly ContributorStatement?: readonly Markup[];
  readonly "ContributorStatement@language"?: readonly (List74 | null)[];
  readonly "ContributorStatement@textformat"?: readonly (List34 | null)[];
  readonly NoContributor?: Flag;
}

/** A flag: `[]` where it is set, otherwise absent. Content that a feed puts into it is the item. */
export type Flag = readonly string[];

export interface TitleDetail extends ExtraMembers {
  readonly TitleType?: List15;
  readonly TitleElement?: TitleElement | readonly TitleElement[];
  readonly TitleStatement?: Markup;
  readonly "TitleStatement@language"?: List74;
  readonly "TitleStatement@textformat"?: List34;
}

/** A date, usually YYYYMMDD: `@dateformat` beside it names another form. The record has the value of the feed, also when it is another. */
export type OnixDate = string;

export interface Contributor extends ExtraMembers, NameParts {
  readonly SequenceNumber?: PositiveInteger;
  readonly ContributorRole?: List17 | readonly List17[];
  readonly FromLanguage?: readonly List74[];
  readonly ToLanguage?: readonly List74[];
  readonly CorporateName?: string | readonly string[];
  readonly "CorporateName@collationkey"?: string | readonly (string | null)[];
  readonly "CorporateName@language"?: List74 | readonly (List74 | null)[];
  readonly "CorporateName@textscript"?: List121 | readonly (List121 | null)[];
  readonly UnnamedPersons?: List19;
  readonly AlternativeName?: readonly AlternativeName[];
  readonly ContributorDate?: readonly ContributorDate[];
  readonly ProfessionalAffiliation?: readonly ProfessionalAffiliation[];
  readonly Prize?: readonly Prize[];
  readonly BiographicalNote?: readonly Markup[];
  readonly "BiographicalNote@language"?: readonly (List74 | null)[];
  readonly "BiographicalNote@textformat"?: readonly (List34 | null)[];
  readonly Website?: readonly Website[];
  readonly ContributorDescription?: readonly Markup[];
  readonly "ContributorDescription@language"?: readonly (List74 | null)[];
  readonly "ContributorDescription@textformat"?: readonly (List34 | null)[];
  readonly ContributorPlace?: readonly ContributorPlace[];
}

/** May contain HTML markup and line feeds. Colophon does not sanitise it. */
export type Markup = string;

export interface Event extends ExtraMembers {
  readonly EventRole?: List20;
  readonly EventName?: readonly string[];
  readonly "EventName@language"?: readonly (List74 | null)[];
  readonly EventAcronym?: readonly string[];
  readonly "EventAcronym@language"?: readonly (List74 | null)[];
  readonly EventNumber?: PositiveInteger;
  readonly EventTheme?: readonly string[];
  readonly "EventTheme@language"?: readonly (List74 | null)[];
  readonly EventDate?: OnixDate;
  readonly "EventDate@dateformat"?: List55;
  readonly EventPlace?: readonly string[];
  readonly "EventPlace@language"?: readonly (List74 | null)[];
  readonly EventSponsor?: readonly EventSponsor[];
  readonly Website?: readonly Website[];
}

export interface Conference extends ExtraMembers {
  readonly ConferenceRole?: List20;
  readonly ConferenceName?: string;
  readonly "ConferenceName@language"?: List74;
  readonly ConferenceAcronym?: string;
  readonly "ConferenceAcronym@language"?: List74;
  readonly ConferenceNumber?: PositiveInteger;
  readonly ConferenceTheme?: Markup;
  readonly "ConferenceTheme@language"?: List74;
  readonly "ConferenceTheme@textformat"?: List34;
  readonly ConferenceDate?: OnixDate;
  readonly "ConferenceDate@dateformat"?: List55;
  readonly ConferencePlace?: string;
  readonly "ConferencePlace@language"?: List74;
  readonly ConferenceSponsor?: readonly ConferenceSponsor[];
  readonly Website?: readonly Website[];
}

export interface ReligiousText extends ExtraMembers {
  readonly Bible?: Bible;
  readonly ReligiousTextIdentifier?: List88;
  readonly ReligiousTextFeature?: readonly ReligiousTextFeature[];
}

export interface Language extends ExtraMembers {
  readonly LanguageRole?: List22;
  readonly LanguageCode?: List74;
  readonly CountryCode?: List91;
  readonly RegionCode?: List49;
  readonly ScriptCode?: List121;
}

export interface Extent extends ExtraMembers {
  readonly ExtentType?: List23;
  readonly ExtentValue?: PositiveDecimal;
  readonly ExtentValueRoman?: RomanNumeralString;
  readonly ExtentUnit?: List24;
}

/** ONIX expects a whole number from 0. The record has the value of the feed, also when it is another. */
export type PositiveIntegerOrZero = string;

export interface AncillaryContent extends ExtraMembers {
  readonly AncillaryContentType?: List25;
  readonly AncillaryContentDescription?: readonly Markup[];
  readonly "AncillaryContentDescription@language"?: readonly (List74 | null)[];
  readonly "AncillaryContentDescription@textformat"?: readonly (List34 | null)[];
  readonly Number?: PositiveIntegerOrZero;
}

export interface Subject extends ExtraMembers {
  readonly MainSubject: MainSubject;
  readonly SubjectSchemeIdentifier?: List27;
  readonly SubjectSchemeName?: string;
  readonly "SubjectSchemeName@language"?: List74;
  readonly SubjectSchemeVersion?: string;
  readonly SubjectCode?: string;
  readonly SubjectHeadingText?: string | readonly string[];
  readonly "SubjectHeadingText@language"?: List74 | readonly (List74 | null)[];
}

export interface NameAsSubject extends ExtraMembers, NameParts {
  readonly CorporateName?: readonly string[];
  readonly "CorporateName@collationkey"?: readonly (string | null)[];
  readonly "CorporateName@language"?: readonly (List74 | null)[];
  readonly "CorporateName@textscript"?: readonly (List121 | null)[];
  readonly AlternativeName?: readonly AlternativeName[];
  readonly SubjectDate?: readonly SubjectDate[];
  readonly ProfessionalAffiliation?: readonly ProfessionalAffiliation[];
}

export interface Audience extends ExtraMembers {
  readonly MainAudience?: Flag;
  readonly AudienceCodeType?: List29;
  readonly AudienceCodeTypeName?: string;
  readonly "AudienceCodeTypeName@language"?: List74;
  readonly AudienceCodeValue?: string;
  readonly AudienceHeadingText?: readonly string[];
  readonly "AudienceHeadingText@language"?: readonly (List74 | null)[];
}

export interface AudienceRange extends ExtraMembers {
  readonly AudienceRangeQualifier?: List30;
  readonly AudienceRangePrecision?: readonly List31[];
  readonly AudienceRangeValue?: readonly string[];
}

export interface Complexity extends ExtraMembers {
  readonly ComplexitySchemeIdentifier?: List32;
  readonly ComplexityCode?: string;
}

export interface TextContent extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly TextType?: List153;
  readonly ContentAudience?: List154 | readonly List154[];
  readonly Territory?: Territory;
  readonly Text?: Markup | readonly Markup[];
  readonly "Text@language"?: List74 | readonly (List74 | null)[];
  readonly "Text@textformat"?: List34 | readonly (List34 | null)[];
  readonly ReviewRating?: ReviewRating;
  readonly TextAuthor?: readonly string[];
  readonly "TextAuthor@language"?: readonly (List74 | null)[];
  readonly TextSourceCorporate?: string;
  readonly "TextSourceCorporate@language"?: List74;
  readonly TextSourceDescription?: readonly Markup[];
  readonly "TextSourceDescription@language"?: readonly (List74 | null)[];
  readonly "TextSourceDescription@textformat"?: readonly (List34 | null)[];
  readonly SourceTitle?: readonly string[];
  readonly "SourceTitle@language"?: readonly (List74 | null)[];
  readonly TextSourceLink?: readonly NonEmptyURI[];
  readonly "TextSourceLink@language"?: readonly (List74 | null)[];
  readonly EpubUsageConstraint?: readonly EpubUsageConstraint[];
  readonly EpubLicense?: readonly EpubLicense[];
  readonly ContentDate?: readonly ContentDate[];
}

export interface CitedContent extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly CitedContentType?: List156;
  readonly ContentAudience?: readonly List154[];
  readonly Territory?: Territory;
  readonly SourceType?: List157;
  readonly ReviewRating?: ReviewRating;
  readonly SourceTitle?: readonly string[];
  readonly "SourceTitle@language"?: readonly (List74 | null)[];
  readonly ListName?: readonly string[];
  readonly "ListName@language"?: readonly (List74 | null)[];
  readonly PositionOnList?: PositiveInteger;
  readonly CitationNote?: readonly Markup[];
  readonly "CitationNote@language"?: readonly (List74 | null)[];
  readonly "CitationNote@textformat"?: readonly (List34 | null)[];
  readonly ResourceLink?: readonly NonEmptyURI[];
  readonly "ResourceLink@language"?: readonly (List74 | null)[];
  readonly ContentDate?: readonly ContentDate[];
}

export interface SupportingResource extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly ResourceContentType?: List158;
  readonly ContentAudience?: readonly List154[];
  readonly Territory?: Territory;
  readonly ResourceMode?: List159;
  readonly ResourceFeature?: readonly ResourceFeature[];
  readonly ResourceVersion?: readonly ResourceVersion[];
}

export interface Prize extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly PrizeIdentifier?: readonly PrizeIdentifier[];
  readonly PrizeName?: readonly string[];
  readonly "PrizeName@language"?: readonly (List74 | null)[];
  readonly PrizeYear?: Year;
  readonly AwardingBody?: readonly string[];
  readonly "AwardingBody@collationkey"?: readonly (string | null)[];
  readonly "AwardingBody@language"?: readonly (List74 | null)[];
  readonly PrizeCountry?: List91;
  readonly PrizeRegion?: List49;
  readonly PrizeCode?: List41;
  readonly PrizeStatement?: readonly Markup[];
  readonly "PrizeStatement@language"?: readonly (List74 | null)[];
  readonly "PrizeStatement@textformat"?: readonly (List34 | null)[];
  readonly PrizeJury?: readonly Markup[];
  readonly "PrizeJury@language"?: readonly (List74 | null)[];
  readonly "PrizeJury@textformat"?: readonly (List34 | null)[];
}

export interface PromotionalEvent extends ExtraMembers {
  readonly EventIdentifier?: readonly EventIdentifier[];
  readonly EventType?: readonly List245[];
  readonly EventStatus?: List246;
  readonly ContentAudience?: readonly List154[];
  readonly EventName?: readonly string[];
  readonly "EventName@language"?: readonly (List74 | null)[];
  readonly ContributorReference?: readonly ContributorReference[];
  readonly Contributor?: Contributor | readonly Contributor[];
  readonly ContributorStatement?: readonly Markup[];
  readonly "ContributorStatement@language"?: readonly (List74 | null)[];
  readonly "ContributorStatement@textformat"?: readonly (List34 | null)[];
  readonly NoContributor?: Flag;
  readonly EventDescription?: readonly Markup[];
  readonly "EventDescription@language"?: readonly (List74 | null)[];
  readonly "EventDescription@textformat"?: readonly (List34 | null)[];
  readonly EventOccurrence?: readonly EventOccurrence[];
  readonly SupportingResource?: readonly SupportingResource[];
  readonly EventSponsor?: readonly EventSponsor[];
  readonly Website?: readonly Website[];
}

export interface ContentItem extends ExtraMembers {
  readonly LevelSequenceNumber?: MultiLevelNumber;
  readonly TextItem?: TextItem;
  readonly AVItem?: AVItem;
  readonly EpubUsageConstraint?: readonly EpubUsageConstraint[];
  readonly EpubLicense?: readonly EpubLicense[];
  readonly ComponentTypeName?: string;
  readonly "ComponentTypeName@language"?: List74;
  readonly ComponentNumber?: string;
  readonly TitleDetail?: TitleDetail | readonly TitleDetail[];
  readonly Contributor?: Contributor | readonly Contributor[];
  readonly ContributorStatement?: readonly Markup[];
  readonly "ContributorStatement@language"?: readonly (List74 | null)[];
  readonly "ContributorStatement@textformat"?: readonly (List34 | null)[];
  readonly NoContributor?: Flag;
  readonly Language?: Language | readonly Language[];
  readonly Subject?: readonly Subject[];
  readonly NameAsSubject?: readonly NameAsSubject[];
  readonly TextContent?: readonly TextContent[];
  readonly CitedContent?: readonly CitedContent[];
  readonly SupportingResource?: readonly SupportingResource[];
  readonly Publisher?: readonly Publisher[];
  readonly CopyrightStatement?: readonly CopyrightStatement[];
  readonly CopyrightStatementText?: readonly Markup[];
  readonly "CopyrightStatementText@language"?: readonly (List74 | null)[];
  readonly "CopyrightStatementText@textformat"?: readonly (List34 | null)[];
  readonly RelatedWork?: readonly RelatedWork[];
  readonly RelatedProduct?: readonly RelatedProduct[];
}

export interface Imprint extends ExtraMembers {
  readonly ImprintIdentifier?: readonly ImprintIdentifier[];
  readonly ImprintName?: string;
  readonly "ImprintName@collationkey"?: string;
  readonly "ImprintName@language"?: List74;
}

export interface Publisher extends ExtraMembers {
  readonly PublishingRole?: List45;
  readonly PublisherIdentifier?: readonly PublisherIdentifier[];
  readonly PublisherName?: readonly string[];
  readonly "PublisherName@collationkey"?: readonly (string | null)[];
  readonly "PublisherName@language"?: readonly (List74 | null)[];
  readonly "PublisherName@textscript"?: readonly (List121 | null)[];
  readonly Funding?: readonly Funding[];
  readonly Website?: readonly Website[];
}

export interface ProductContact extends ExtraMembers {
  readonly ProductContactRole?: List198;
  readonly ProductContactIdentifier?: readonly ProductContactIdentifier[];
  readonly ProductContactName?: string;
  readonly ContactName?: string;
  readonly TelephoneNumber?: readonly string[];
  readonly FaxNumber?: readonly string[];
  readonly EmailAddress?: readonly EmailString[];
  readonly StreetAddress?: string;
  readonly "StreetAddress@language"?: List74;
  readonly LocationName?: string;
  readonly "LocationName@language"?: List74;
  readonly PostalCode?: string;
  readonly RegionCode?: List49;
  readonly CountryCode?: List91;
}

export interface PublishingDate extends ExtraMembers {
  readonly PublishingDateRole?: List163;
  readonly DateFormat?: List55;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

export interface CopyrightStatement extends ExtraMembers {
  readonly CopyrightType?: List219;
  readonly CopyrightYear?: readonly OnixDate[];
  readonly "CopyrightYear@dateformat"?: readonly (List55 | null)[];
  readonly CopyrightOwner?: readonly CopyrightOwner[];
}

export interface SalesRights extends ExtraMembers {
  readonly SalesRightsType?: List46;
  readonly Territory?: Territory;
  readonly SalesRestriction?: readonly SalesRestriction[];
  readonly ProductIdentifier?: readonly ProductIdentifier[];
  readonly PublisherName?: readonly string[];
  readonly "PublisherName@collationkey"?: readonly (string | null)[];
  readonly "PublisherName@language"?: readonly (List74 | null)[];
  readonly "PublisherName@textscript"?: readonly (List121 | null)[];
}

export interface SalesRestriction extends ExtraMembers {
  readonly SalesRestrictionType?: List71;
  readonly SalesOutlet?: readonly SalesOutlet[];
  readonly SalesRestrictionNote?: readonly Markup[];
  readonly "SalesRestrictionNote@language"?: readonly (List74 | null)[];
  readonly "SalesRestrictionNote@textformat"?: readonly (List34 | null)[];
  readonly StartDate?: OnixDate;
  readonly "StartDate@dateformat"?: List55;
  readonly EndDate?: OnixDate;
  readonly "EndDate@dateformat"?: List55;
}

export interface RelatedWork extends ExtraMembers {
  readonly WorkRelationCode?: List164;
  readonly WorkIdentifier?: readonly WorkIdentifier[];
}

export interface RelatedProduct extends ExtraMembers {
  readonly ProductRelationCode?: readonly List51[];
  readonly ProductIdentifier?: readonly ProductIdentifier[];
  readonly ProductForm?: List150;
  readonly ProductFormDetail?: List175 | readonly List175[];
}

export interface ProductionManifest extends ExtraMembers {
  readonly ProductIdentifier?: readonly ProductIdentifier[];
  readonly CoverManifest?: CoverManifest;
  readonly BodyManifest?: BodyManifest;
  readonly InsertManifest?: readonly InsertManifest[];
  readonly SupplementManifest?: readonly SupplementManifest[];
}

export interface Market extends ExtraMembers {
  readonly Territory?: Territory;
  readonly SalesRestriction?: readonly SalesRestriction[];
}

export interface MarketPublishingDetail extends ExtraMembers {
  readonly PublisherRepresentative?: readonly PublisherRepresentative[];
  readonly ProductContact?: readonly ProductContact[];
  readonly MarketPublishingStatus?: List68;
  readonly MarketPublishingStatusNote?: readonly Markup[];
  readonly "MarketPublishingStatusNote@language"?: readonly (List74 | null)[];
  readonly "MarketPublishingStatusNote@textformat"?: readonly (List34 | null)[];
  readonly MarketDate?: readonly MarketDate[];
  readonly PromotionCampaign?: readonly Markup[];
  readonly "PromotionCampaign@language"?: readonly (List74 | null)[];
  readonly "PromotionCampaign@textformat"?: readonly (List34 | null)[];
  readonly PromotionContact?: Markup;
  readonly "PromotionContact@language"?: List74;
  readonly "PromotionContact@textformat"?: List34;
  readonly InitialPrintRun?: readonly Markup[];
  readonly "InitialPrintRun@language"?: readonly (List74 | null)[];
  readonly "InitialPrintRun@textformat"?: readonly (List34 | null)[];
  readonly ReprintDetail?: readonly Markup[];
  readonly "ReprintDetail@language"?: readonly (List74 | null)[];
  readonly "ReprintDetail@textformat"?: readonly (List34 | null)[];
  readonly CopiesSold?: readonly Markup[];
  readonly "CopiesSold@language"?: readonly (List74 | null)[];
  readonly "CopiesSold@textformat"?: readonly (List34 | null)[];
  readonly BookClubAdoption?: readonly Markup[];
  readonly "BookClubAdoption@language"?: readonly (List74 | null)[];
  readonly "BookClubAdoption@textformat"?: readonly (List34 | null)[];
}

export interface SupplyDetail extends ExtraMembers {
  readonly Supplier?: Supplier;
  readonly SupplyContact?: readonly SupplyContact[];
  readonly SupplierOwnCoding?: readonly SupplierOwnCoding[];
  readonly ReturnsConditions?: readonly ReturnsConditions[];
  readonly ProductAvailability?: List65;
  readonly SupplyDate?: readonly SupplyDate[];
  readonly OrderTime?: PositiveIntegerOrZero;
  readonly NewSupplier?: NewSupplier;
  readonly Stock?: readonly Stock[];
  readonly PackQuantity?: PositiveInteger;
  readonly PalletQuantity?: PositiveInteger;
  readonly OrderQuantityMinimum?: readonly PositiveInteger[];
  readonly OrderQuantityMultiple?: PositiveInteger;
  readonly UnpricedItemType?: List57;
  readonly Price?: readonly Price[];
  readonly Reissue?: Reissue;
}

/** ONIX expects a number above 0 with a decimal point, such as 9.90. The record has the value of the feed, also when it is another. */
export type PositiveDecimal = string;

export interface EpubUsageLimit extends ExtraMembers {
  readonly Quantity?: PositiveDecimalOrZero;
  readonly EpubUsageUnit?: List147;
}

export interface EpubLicenseExpression extends ExtraMembers {
  readonly EpubLicenseExpressionType?: List218;
  readonly EpubLicenseExpressionTypeName?: string;
  readonly "EpubLicenseExpressionTypeName@language"?: List74;
  readonly EpubLicenseExpressionLink?: NonEmptyURI;
}

export interface EpubLicenseDate extends ExtraMembers {
  readonly EpubLicenseDateRole?: List260;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

/** ONIX expects a number from 0 to 100, such as 5.5. The record has the value of the feed, also when it is another. */
export type PercentDecimal = string;

export interface CollectionIdentifier extends ExtraMembers {
  readonly CollectionElementLevel?: List149;
  readonly CollectionIDType?: List13;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface CollectionSequence extends ExtraMembers {
  readonly CollectionSequenceType?: List197;
  readonly CollectionSequenceTypeName?: string;
  readonly "CollectionSequenceTypeName@language"?: List74;
  readonly CollectionSequenceNumber?: MultiLevelNumberOrHyphen;
}

export interface TitleElement extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly TitleElementLevel?: List149;
  readonly PartNumber?: string;
  readonly "PartNumber@language"?: List74;
  readonly "PartNumber@textscript"?: List121;
  readonly YearOfAnnual?: YearOrYearRange;
  readonly TitlePrefix?: string;
  readonly "TitlePrefix@collationkey"?: string;
  readonly "TitlePrefix@language"?: List74;
  readonly "TitlePrefix@textcase"?: List14;
  readonly "TitlePrefix@textscript"?: List121;
  readonly NoPrefix?: Flag;
  readonly TitleWithoutPrefix?: string;
  readonly "TitleWithoutPrefix@collationkey"?: string;
  readonly "TitleWithoutPrefix@language"?: List74;
  readonly "TitleWithoutPrefix@textcase"?: List14;
  readonly "TitleWithoutPrefix@textscript"?: List121;
  readonly TitleText?: string;
  readonly "TitleText@collationkey"?: string;
  readonly "TitleText@language"?: List74;
  readonly "TitleText@textcase"?: List14;
  readonly "TitleText@textscript"?: List121;
  readonly Subtitle?: string;
  readonly "Subtitle@collationkey"?: string;
  readonly "Subtitle@language"?: List74;
  readonly "Subtitle@textcase"?: List14;
  readonly "Subtitle@textscript"?: List121;
}

export interface AlternativeName extends ExtraMembers, NameParts {
  readonly CorporateName?: readonly string[];
  readonly "CorporateName@collationkey"?: readonly (string | null)[];
  readonly "CorporateName@language"?: readonly (List74 | null)[];
  readonly "CorporateName@textscript"?: readonly (List121 | null)[];
}

export interface ContributorDate extends ExtraMembers {
  readonly ContributorDateRole?: List177;
  readonly DateFormat?: List55;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

export interface ProfessionalAffiliation extends ExtraMembers {
  readonly ProfessionalPosition?: readonly string[];
  readonly "ProfessionalPosition@language"?: readonly (List74 | null)[];
  readonly AffiliationIdentifier?: readonly AffiliationIdentifier[];
  readonly Affiliation?: string;
  readonly "Affiliation@language"?: List74;
}

export interface Website extends ExtraMembers {
  readonly WebsiteRole?: List73;
  readonly WebsiteDescription?: readonly Markup[];
  readonly "WebsiteDescription@language"?: readonly (List74 | null)[];
  readonly "WebsiteDescription@textformat"?: readonly (List34 | null)[];
  readonly WebsiteLink?: readonly NonEmptyURI[];
  readonly "WebsiteLink@language"?: readonly (List74 | null)[];
}

export interface ContributorPlace extends ExtraMembers {
  readonly ContributorPlaceRelator?: List151;
  readonly CountryCode?: List91;
  readonly RegionCode?: List49;
  readonly LocationName?: readonly string[];
  readonly "LocationName@language"?: readonly (List74 | null)[];
}

export interface EventSponsor extends ExtraMembers {
  readonly EventSponsorIdentifier?: readonly EventSponsorIdentifier[];
  readonly PersonName?: string;
  readonly "PersonName@collationkey"?: string;
  readonly "PersonName@language"?: List74;
  readonly "PersonName@textscript"?: List121;
  readonly CorporateName?: string;
  readonly "CorporateName@collationkey"?: string;
  readonly "CorporateName@language"?: List74;
  readonly "CorporateName@textscript"?: List121;
}

export interface ConferenceSponsor extends ExtraMembers {
  readonly ConferenceSponsorIdentifier?: readonly ConferenceSponsorIdentifier[];
  readonly PersonName?: string;
  readonly "PersonName@collationkey"?: string;
  readonly "PersonName@language"?: List74;
  readonly "PersonName@textscript"?: List121;
  readonly CorporateName?: string;
  readonly "CorporateName@collationkey"?: string;
  readonly "CorporateName@language"?: List74;
  readonly "CorporateName@textscript"?: List121;
}

export interface Bible extends ExtraMembers {
  readonly BibleContents?: readonly List82[];
  readonly BibleVersion?: readonly List83[];
  readonly StudyBibleType?: List84;
  readonly BiblePurpose?: readonly List85[];
  readonly BibleTextOrganization?: List86;
  readonly BibleReferenceLocation?: List87;
  readonly BibleTextFeature?: readonly List97[];
}

export interface ReligiousTextFeature extends ExtraMembers {
  readonly ReligiousTextFeatureType?: List89;
  readonly ReligiousTextFeatureCode?: List90;
  readonly ReligiousTextFeatureDescription?: readonly Markup[];
  readonly "ReligiousTextFeatureDescription@language"?: readonly (List74 | null)[];
  readonly "ReligiousTextFeatureDescription@textformat"?: readonly (List34 | null)[];
}

/** ONIX expects a Roman numeral. The record has the value of the feed, also when it is another. */
export type RomanNumeralString = string;

/** `["true"]` when it is the main subject of its scheme, otherwise `[]`. */
export type MainSubject = readonly "true"[];

export interface SubjectDate extends ExtraMembers {
  readonly SubjectDateRole?: List177;
  readonly DateFormat?: List55;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

export interface Territory extends ExtraMembers {
  readonly CountriesIncluded?: List91Codes;
  readonly RegionsIncluded?: List49Codes;
  readonly CountriesExcluded?: List91Codes;
  readonly RegionsExcluded?: List49Codes;
}

export interface ReviewRating extends ExtraMembers {
  readonly Rating?: PositiveDecimalOrZero;
  readonly RatingLimit?: PositiveIntegerOrZero;
  readonly RatingUnits?: readonly string[];
  readonly "RatingUnits@language"?: readonly (List74 | null)[];
}

/** ONIX expects a URI without spaces. The record has the value of the feed, also when it is another. */
export type NonEmptyURI = string;

export interface ContentDate extends ExtraMembers {
  readonly ContentDateRole?: List155;
  readonly DateFormat?: List55;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

export interface ResourceFeature extends ExtraMembers {
  readonly ResourceFeatureType?: List160;
  readonly FeatureValue?: string;
  readonly FeatureNote?: readonly Markup[];
  readonly "FeatureNote@language"?: readonly (List74 | null)[];
  readonly "FeatureNote@textformat"?: readonly (List34 | null)[];
}

export interface ResourceVersion extends ExtraMembers {
  readonly ResourceForm?: List161;
  readonly ResourceVersionFeature?: readonly ResourceVersionFeature[];
  readonly ResourceLink?: readonly NonEmptyURI[];
  readonly "ResourceLink@language"?: readonly (List74 | null)[];
  readonly EpubUsageConstraint?: readonly EpubUsageConstraint[];
  readonly EpubLicense?: readonly EpubLicense[];
  readonly ContentDate?: readonly ContentDate[];
}

export interface PrizeIdentifier extends ExtraMembers {
  readonly PrizeIDType?: List263;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

/** ONIX expects a year from 1000 to 2099. The record has the value of the feed, also when it is another. */
export type Year = string;

export interface EventIdentifier extends ExtraMembers {
  readonly EventIDType?: List244;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface ContributorReference extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly ContributorRole?: readonly List17[];
  readonly NameIdentifier?: readonly NameIdentifier[];
}

export interface EventOccurrence extends ExtraMembers {
  readonly EventIdentifier?: readonly EventIdentifier[];
  readonly OccurrenceDate?: readonly OccurrenceDate[];
  readonly EventStatus?: List246;
  readonly CountryCode?: List91;
  readonly RegionCode?: List49;
  readonly LocationName?: readonly string[];
  readonly "LocationName@language"?: readonly (List74 | null)[];
  readonly VenueName?: string;
  readonly "VenueName@language"?: List74;
  readonly StreetAddress?: string;
  readonly "StreetAddress@language"?: List74;
  readonly PostalCode?: string;
  readonly VenueNote?: readonly Markup[];
  readonly "VenueNote@language"?: readonly (List74 | null)[];
  readonly "VenueNote@textformat"?: readonly (List34 | null)[];
  readonly EventDescription?: readonly Markup[];
  readonly "EventDescription@language"?: readonly (List74 | null)[];
  readonly "EventDescription@textformat"?: readonly (List34 | null)[];
  readonly SupportingResource?: readonly SupportingResource[];
  readonly EventSponsor?: readonly EventSponsor[];
  readonly Website?: readonly Website[];
}

/** ONIX expects a number of one or more levels, such as 3.12.8. The record has the value of the feed, also when it is another. */
export type MultiLevelNumber = string;

export interface TextItem extends ExtraMembers {
  readonly TextItemType?: List42;
  readonly TextItemIdentifier?: readonly TextItemIdentifier[];
  readonly PageRun?: readonly PageRun[];
  readonly NumberOfPages?: PositiveInteger;
}

export interface AVItem extends ExtraMembers {
  readonly AVItemType?: List240;
  readonly AVItemIdentifier?: readonly AVItemIdentifier[];
  readonly TimeRun?: readonly TimeRun[];
  readonly AVDuration?: TimeOrDuration;
}

export interface ImprintIdentifier extends ExtraMembers {
  readonly ImprintIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface PublisherIdentifier extends ExtraMembers {
  readonly PublisherIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface Funding extends ExtraMembers {
  readonly FundingIdentifier?: readonly FundingIdentifier[];
}

export interface ProductContactIdentifier extends ExtraMembers {
  readonly ProductContactIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

/** ONIX expects an e-mail address. The record has the value of the feed, also when it is another. */
export type EmailString = string;

export interface CopyrightOwner extends ExtraMembers {
  readonly CopyrightOwnerIdentifier?: readonly CopyrightOwnerIdentifier[];
  readonly PersonName?: string;
  readonly "PersonName@collationkey"?: string;
  readonly "PersonName@language"?: List74;
  readonly "PersonName@textscript"?: List121;
  readonly CorporateName?: string;
  readonly "CorporateName@collationkey"?: string;
  readonly "CorporateName@language"?: List74;
  readonly "CorporateName@textscript"?: List121;
}

export interface SalesOutlet extends ExtraMembers {
  readonly SalesOutletIdentifier?: readonly SalesOutletIdentifier[];
  readonly SalesOutletName?: string;
  readonly "SalesOutletName@language"?: List74;
}

export interface WorkIdentifier extends ExtraMembers {
  readonly WorkIDType?: List16;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface CoverManifest extends ExtraMembers {
  readonly SpecificationBundleName?: readonly SpecificationBundleName[];
  readonly SpecificationDetail?: readonly List248[];
  readonly SpecificationFeature?: readonly SpecificationFeature[];
  readonly SpecificationDescription?: readonly string[];
  readonly "SpecificationDescription@language"?: readonly (List74 | null)[];
  readonly CoverResource?: readonly CoverResource[];
}

export interface BodyManifest extends ExtraMembers {
  readonly SpecificationBundleName?: readonly SpecificationBundleName[];
  readonly SpecificationDetail?: readonly List248[];
  readonly SpecificationFeature?: readonly SpecificationFeature[];
  readonly SpecificationDescription?: readonly string[];
  readonly "SpecificationDescription@language"?: readonly (List74 | null)[];
  readonly BodyResource?: readonly BodyResource[];
}

export interface InsertManifest extends ExtraMembers {
  readonly SpecificationBundleName?: readonly SpecificationBundleName[];
  readonly SpecificationDetail?: readonly List248[];
  readonly SpecificationFeature?: readonly SpecificationFeature[];
  readonly SpecificationDescription?: readonly string[];
  readonly "SpecificationDescription@language"?: readonly (List74 | null)[];
  readonly InsertPoint?: InsertPoint;
  readonly InsertResource?: readonly InsertResource[];
}

export interface SupplementManifest extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly SalesOutlet?: readonly SalesOutlet[];
  readonly ProductIdentifier?: readonly ProductIdentifier[];
  readonly ProductForm?: List150;
  readonly ProductFormDetail?: List175 | readonly List175[];
  readonly ProductFormDescription?: readonly string[];
  readonly "ProductFormDescription@language"?: readonly (List74 | null)[];
  readonly Measure?: readonly Measure[];
  readonly CoverManifest?: CoverManifest;
  readonly BodyManifest?: BodyManifest;
  readonly InsertManifest?: readonly InsertManifest[];
  readonly NoSupplement?: Flag;
}

export interface PublisherRepresentative extends ExtraMembers {
  readonly AgentRole?: List69;
  readonly AgentIdentifier?: readonly AgentIdentifier[];
  readonly AgentName?: string;
  readonly "AgentName@collationkey"?: string;
  readonly "AgentName@language"?: List74;
  readonly TelephoneNumber?: readonly string[];
  readonly FaxNumber?: readonly string[];
  readonly EmailAddress?: readonly EmailString[];
  readonly Website?: readonly Website[];
}

export interface MarketDate extends ExtraMembers {
  readonly MarketDateRole?: List163;
  readonly DateFormat?: List55;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

export interface Supplier extends ExtraMembers {
  readonly SupplierRole?: List93;
  readonly SupplierIdentifier?: readonly SupplierIdentifier[];
  readonly SupplierName?: string;
  readonly "SupplierName@collationkey"?: string;
  readonly "SupplierName@language"?: List74;
  readonly TelephoneNumber?: readonly string[];
  readonly FaxNumber?: readonly string[];
  readonly EmailAddress?: readonly EmailString[];
  readonly Website?: readonly Website[];
}

export interface SupplyContact extends ExtraMembers {
  readonly SupplyContactRole?: List239;
  readonly SupplyContactIdentifier?: readonly SupplyContactIdentifier[];
  readonly SupplyContactName?: string;
  readonly ContactName?: string;
  readonly TelephoneNumber?: readonly string[];
  readonly FaxNumber?: readonly string[];
  readonly EmailAddress?: readonly EmailString[];
  readonly StreetAddress?: string;
  readonly "StreetAddress@language"?: List74;
  readonly LocationName?: string;
  readonly "LocationName@language"?: List74;
  readonly PostalCode?: string;
  readonly RegionCode?: List49;
  readonly CountryCode?: List91;
}

export interface SupplierOwnCoding extends ExtraMembers {
  readonly SupplierCodeType?: List165;
  readonly SupplierCodeTypeName?: string;
  readonly "SupplierCodeTypeName@language"?: List74;
  readonly SupplierCodeValue?: string;
}

export interface ReturnsConditions extends ExtraMembers {
  readonly ReturnsCodeType?: List53;
  readonly ReturnsCodeTypeName?: string;
  readonly "ReturnsCodeTypeName@language"?: List74;
  readonly ReturnsCode?: string;
  readonly ReturnsNote?: readonly string[];
  readonly "ReturnsNote@language"?: readonly (List74 | null)[];
}

export interface SupplyDate extends ExtraMembers {
  readonly SupplyDateRole?: List166;
  readonly DateFormat?: List55;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

export interface NewSupplier extends ExtraMembers {
  readonly SupplierIdentifier?: readonly SupplierIdentifier[];
  readonly SupplierName?: string;
  readonly "SupplierName@collationkey"?: string;
  readonly "SupplierName@language"?: List74;
  readonly TelephoneNumber?: readonly string[];
  readonly FaxNumber?: readonly string[];
  readonly EmailAddress?: readonly EmailString[];
  readonly Website?: readonly Website[];
}

export interface Stock extends ExtraMembers {
  readonly LocationIdentifier?: readonly LocationIdentifier[];
  readonly LocationName?: readonly string[];
  readonly "LocationName@language"?: readonly (List74 | null)[];
  readonly StockQuantityCoded?: readonly StockQuantityCoded[];
  readonly OnHand?: Integer;
  readonly Proximity?: readonly List215[];
  readonly Reserved?: PositiveIntegerOrZero;
  readonly OnOrder?: PositiveIntegerOrZero;
  readonly CBO?: PositiveIntegerOrZero;
  readonly OnOrderDetail?: readonly OnOrderDetail[];
  readonly Velocity?: readonly Velocity[];
}

export interface Price extends ExtraMembers {
  readonly PriceIdentifier?: readonly PriceIdentifier[];
  readonly PriceType?: List58;
  readonly PriceQualifier?: List59;
  readonly EpubTechnicalProtection?: readonly List144[];
  readonly PriceConstraint?: readonly PriceConstraint[];
  readonly EpubLicense?: EpubLicense;
  readonly PriceTypeDescription?: readonly string[];
  readonly "PriceTypeDescription@language"?: readonly (List74 | null)[];
  readonly PricePer?: List60;
  readonly PriceCondition?: readonly PriceCondition[];
  readonly MinimumOrderQuantity?: PositiveInteger;
  readonly BatchBonus?: readonly BatchBonus[];
  readonly DiscountCoded?: readonly DiscountCoded[];
  readonly Discount?: readonly Discount[];
  readonly PriceStatus?: List61;
  readonly PriceAmount?: PositiveDecimal;
  readonly PriceCoded?: PriceCoded;
  readonly Tax?: readonly Tax[];
  readonly TaxExempt?: Flag;
  readonly UnpricedItemType?: List57;
  readonly CurrencyCode?: List96;
  readonly Territory?: Territory;
  readonly CurrencyZone?: List172;
  readonly ComparisonProductPrice?: readonly ComparisonProductPrice[];
  readonly PriceDate?: readonly PriceDate[];
  readonly PrintedOnProduct?: List174;
  readonly PositionOnProduct?: List142;
}

export interface Reissue extends ExtraMembers {
  readonly ReissueDate?: OnixDate;
  readonly "ReissueDate@dateformat"?: List55;
  readonly ReissueDescription?: Markup;
  readonly "ReissueDescription@language"?: List74;
  readonly "ReissueDescription@textformat"?: List34;
  readonly Price?: readonly Price[];
  readonly SupportingResource?: readonly SupportingResource[];
}

/** ONIX expects a number from 0 with a decimal point, such as 9.90. The record has the value of the feed, also when it is another. */
export type PositiveDecimalOrZero = string;

/** ONIX expects a number of one or more levels, such as 3.-.8. The record has the value of the feed, also when it is another. */
export type MultiLevelNumberOrHyphen = string;

/** ONIX expects a year from 1000 to 2099, or two with a hyphen between them. The record has the value of the feed, also when it is another. */
export type YearOrYearRange = string;

export interface AffiliationIdentifier extends ExtraMembers {
  readonly AffiliationIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface EventSponsorIdentifier extends ExtraMembers {
  readonly EventSponsorIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface ConferenceSponsorIdentifier extends ExtraMembers {
  readonly ConferenceSponsorIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface ResourceVersionFeature extends ExtraMembers {
  readonly ResourceVersionFeatureType?: List162;
  readonly FeatureValue?: string;
  readonly FeatureNote?: readonly Markup[];
  readonly "FeatureNote@language"?: readonly (List74 | null)[];
  readonly "FeatureNote@textformat"?: readonly (List34 | null)[];
}

export interface OccurrenceDate extends ExtraMembers {
  readonly OccurrenceDateRole?: List247;
  readonly DateFormat?: List55;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

export interface TextItemIdentifier extends ExtraMembers {
  readonly TextItemIDType?: List43;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface PageRun extends ExtraMembers {
  readonly FirstPageNumber?: string;
  readonly LastPageNumber?: string;
}

export interface AVItemIdentifier extends ExtraMembers {
  readonly AVItemIDType?: List241;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface TimeRun extends ExtraMembers {
  readonly StartTime?: TimeOrDuration;
  readonly EndTime?: TimeOrDuration;
}

/** ONIX expects a duration of the form HHHMMSS. The record has the value of the feed, also when it is another. */
export type TimeOrDuration = string;

export interface FundingIdentifier extends ExtraMembers {
  readonly FundingIDType?: List228;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface CopyrightOwnerIdentifier extends ExtraMembers {
  readonly CopyrightOwnerIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface SalesOutletIdentifier extends ExtraMembers {
  readonly SalesOutletIDType?: List102;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface SpecificationBundleName extends ExtraMembers {
  readonly SpecificationBundleNameTypeName?: string;
  readonly "SpecificationBundleNameTypeName@language"?: List74;
  readonly SpecificationBundleNameValue?: string;
}

export interface SpecificationFeature extends ExtraMembers {
  readonly SpecificationFeatureType?: List249;
  readonly SpecificationFeatureValue?: string;
  readonly SpecificationFeatureDescription?: readonly string[];
  readonly "SpecificationFeatureDescription@language"?: readonly (List74 | null)[];
}

export interface CoverResource extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly SalesOutlet?: readonly SalesOutlet[];
  readonly ResourceIdentifier?: readonly ResourceIdentifier[];
  readonly ResourceRole?: List251;
  readonly ResourceFileDetail?: readonly List252[];
  readonly ResourceFileFeature?: readonly ResourceFileFeature[];
  readonly ResourceFileDescription?: readonly string[];
  readonly "ResourceFileDescription@language"?: readonly (List74 | null)[];
  readonly ResourceFileContentDescription?: readonly string[];
  readonly "ResourceFileContentDescription@language"?: readonly (List74 | null)[];
  readonly ResourceFileLink?: readonly NonEmptyURI[];
  readonly ResourceFileDate?: readonly ResourceFileDate[];
  readonly NoResource?: Flag;
}

export interface BodyResource extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly ResourceIdentifier?: readonly ResourceIdentifier[];
  readonly ResourceRole?: List251;
  readonly ResourceFileDetail?: readonly List252[];
  readonly ResourceFileFeature?: readonly ResourceFileFeature[];
  readonly ResourceFileDescription?: readonly string[];
  readonly "ResourceFileDescription@language"?: readonly (List74 | null)[];
  readonly ResourceFileContentDescription?: readonly string[];
  readonly "ResourceFileContentDescription@language"?: readonly (List74 | null)[];
  readonly ResourceFileLink?: readonly NonEmptyURI[];
  readonly ResourceFileDate?: readonly ResourceFileDate[];
}

export interface InsertPoint extends ExtraMembers {
  readonly InsertPointType?: List255;
  readonly InsertPointValue?: string;
}

export interface InsertResource extends ExtraMembers {
  readonly SequenceNumber?: PositiveInteger;
  readonly SalesOutlet?: readonly SalesOutlet[];
  readonly ResourceIdentifier?: readonly ResourceIdentifier[];
  readonly ResourceRole?: List251;
  readonly ResourceFileDetail?: readonly List252[];
  readonly ResourceFileFeature?: readonly ResourceFileFeature[];
  readonly ResourceFileDescription?: readonly string[];
  readonly "ResourceFileDescription@language"?: readonly (List74 | null)[];
  readonly ResourceFileContentDescription?: readonly string[];
  readonly "ResourceFileContentDescription@language"?: readonly (List74 | null)[];
  readonly ResourceFileLink?: readonly NonEmptyURI[];
  readonly ResourceFileDate?: readonly ResourceFileDate[];
  readonly NoResource?: Flag;
}

export interface AgentIdentifier extends ExtraMembers {
  readonly AgentIDType?: List92;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface SupplierIdentifier extends ExtraMembers {
  readonly SupplierIDType?: List92;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface SupplyContactIdentifier extends ExtraMembers {
  readonly SupplyContactIDType?: List44;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface LocationIdentifier extends ExtraMembers {
  readonly LocationIDType?: List92;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface StockQuantityCoded extends ExtraMembers {
  readonly StockQuantityCodeType?: List70;
  readonly StockQuantityCodeTypeName?: string;
  readonly "StockQuantityCodeTypeName@language"?: List74;
  readonly StockQuantityCode?: string;
}

/** ONIX expects a whole number. The record has the value of the feed, also when it is another. */
export type Integer = string;

export interface OnOrderDetail extends ExtraMembers {
  readonly OnOrder?: PositiveIntegerOrZero;
  readonly Proximity?: List215;
  readonly ExpectedDate?: OnixDate;
  readonly "ExpectedDate@dateformat"?: List55;
}

export interface Velocity extends ExtraMembers {
  readonly VelocityMetric?: List216;
  readonly Rate?: Integer;
  readonly Proximity?: List215;
}

export interface PriceIdentifier extends ExtraMembers {
  readonly PriceIDType?: List217;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface PriceConstraint extends ExtraMembers {
  readonly PriceConstraintType?: List230;
  readonly PriceConstraintStatus?: List146;
  readonly PriceConstraintLimit?: readonly PriceConstraintLimit[];
}

export interface PriceCondition extends ExtraMembers {
  readonly PriceConditionType?: List167;
  readonly PriceConditionQuantity?: readonly PriceConditionQuantity[];
  readonly ProductIdentifier?: readonly ProductIdentifier[];
}

export interface BatchBonus extends ExtraMembers {
  readonly BatchQuantity?: PositiveInteger;
  readonly FreeQuantity?: PositiveInteger;
}

export interface DiscountCoded extends ExtraMembers {
  readonly DiscountCodeType?: List100;
  readonly DiscountCodeTypeName?: string;
  readonly "DiscountCodeTypeName@language"?: List74;
  readonly DiscountCode?: string;
}

export interface Discount extends ExtraMembers {
  readonly DiscountType?: List170;
  readonly Quantity?: PositiveDecimalOrZero;
  readonly ToQuantity?: PositiveDecimalOrZero;
  readonly DiscountPercent?: PercentDecimal;
  readonly DiscountAmount?: PositiveDecimalOrZero;
}

export interface PriceCoded extends ExtraMembers {
  readonly PriceCodeType?: List179;
  readonly PriceCodeTypeName?: string;
  readonly "PriceCodeTypeName@language"?: List74;
  readonly PriceCode?: string;
}

export interface Tax extends ExtraMembers {
  readonly ProductIdentifier?: readonly ProductIdentifier[];
  readonly PricePartDescription?: readonly string[];
  readonly "PricePartDescription@language"?: readonly (List74 | null)[];
  readonly TaxType?: List171;
  readonly TaxRateCode?: List62;
  readonly TaxRatePercent?: PercentDecimal;
  readonly TaxableAmount?: PositiveDecimal;
  readonly TaxAmount?: PositiveDecimalOrZero;
}

export interface ComparisonProductPrice extends ExtraMembers {
  readonly ProductIdentifier?: readonly ProductIdentifier[];
  readonly PriceType?: List58;
  readonly PriceAmount?: PositiveDecimal;
  readonly CurrencyCode?: List96;
}

export interface PriceDate extends ExtraMembers {
  readonly PriceDateRole?: List173;
  readonly DateFormat?: List55;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

export interface ResourceIdentifier extends ExtraMembers {
  readonly ResourceIDType?: List250;
  readonly IDTypeName?: string;
  readonly "IDTypeName@language"?: List74;
  readonly IDValue?: string;
}

export interface ResourceFileFeature extends ExtraMembers {
  readonly ResourceFileFeatureType?: List253;
  readonly ResourceFileFeatureValue?: string;
  readonly ResourceFileFeatureDescription?: readonly string[];
  readonly "ResourceFileFeatureDescription@language"?: readonly (List74 | null)[];
}

export interface ResourceFileDate extends ExtraMembers {
  readonly ResourceFileDateRole?: List254;
  readonly DateFormat?: List55;
  readonly Date?: OnixDate;
  readonly "Date@dateformat"?: List55;
}

export interface PriceConstraintLimit extends ExtraMembers {
  readonly Quantity?: PositiveDecimalOrZero;
  readonly PriceConstraintUnit?: List147;
}

export interface PriceConditionQuantity extends ExtraMembers {
  readonly PriceConditionQuantityType?: List168;
  readonly Quantity?: PositiveDecimalOrZero;
  readonly QuantityUnit?: List169;
}

export interface SearchQuery {
  /** Words that the book must have, in any field; case and accents are ignored. `"a phrase"`, `prefix*`, `-without`, or an ISBN in any form. */
  readonly q?: string | undefined;
  /** `last`: the last word of `q` is still being typed, and counts as the beginning of a word as well, from two letters on, in titles, names, imprints and series; digits from four on as the beginning of an ISBN. */
  readonly prefix?: "last" | undefined;
  /** `off`: a query that finds nothing is not corrected. Otherwise near words are tried, and `X-Search-Corrected` has the query that was used. */
  readonly spelling?: "off" | undefined;
  /** The slug of the imprint as `/api/imprints` has it, or its name. */
  readonly imprint?: string | readonly string[] | undefined;
  /** The language of the text: a code of ONIX list 74, in three letters. */
  readonly language?: string | readonly string[] | undefined;
  /** The form of the product: a code of ONIX list 150. */
  readonly form?: string | readonly string[] | undefined;
  /** A subject code; narrower codes, which begin with it, count too. `93:FBA` is of one scheme of ONIX list 27. */
  readonly subject?: string | readonly string[] | undefined;
  /** The name of a contributor as the summary has it; case, accents and punctuation are ignored. */
  readonly contributor?: string | readonly string[] | undefined;
  /** The title of the collection as the summary has it; case, accents and punctuation are ignored. */
  readonly series?: string | readonly string[] | undefined;
  /** The audience: a code of ONIX list 28. */
  readonly audience?: string | readonly string[] | undefined;
  /** The best availability of all markets or, with `market`, that of the market: a code of ONIX list 65. */
  readonly availability?: string | readonly string[] | undefined;
  /** A country in which the book is sold: a code of ONIX list 91. With `availability`, that of this market. */
  readonly market?: string | readonly string[] | undefined;
  /** The publishing status: a code of ONIX list 64. */
  readonly status?: string | readonly string[] | undefined;
  /** The band of a consumer price: a currency and where the band begins, such as `EUR 15`, as `/api/facets` has them. */
  readonly price?: string | readonly string[] | undefined;
  /** The first day of publication, as `YYYYMMDD` or `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  /** The last day of publication, as `YYYYMMDD` or `YYYY-MM-DD`. */
  readonly to?: string | undefined;
  /** Only books without these things, which shops need: one or more of title, contributor, form, subject, description, cover, price, availability, date, audience, separated by commas. */
  readonly lacks?: string | undefined;
  /** The order. Default: `relevance`, or `newest` without `q`. `title`: at most 10,000 books. */
  readonly sort?: "relevance" | "newest" | "oldest" | "title" | undefined;
  /** `record`: the records instead of the summaries. Default: `summary`. */
  readonly view?: "record" | "summary" | undefined;
  /** `work`: one book for each work of the page, the first in the order. Its member `editions` has the ISBNs of the others on the page, if there are any. `limit`, `Link` and `X-Total-Count` count books, not works, and a work can be on several pages. */
  readonly group?: "work" | undefined;
  /** Only these members of each summary, separated by commas: `isbn,title,prices`. Needs `view=summary`, in JSON or NDJSON. */
  readonly fields?: string | undefined;
  /** `eng` or `spa`: words beside the codes of each summary, such as `formLabel`. Needs `view=summary`, in JSON or NDJSON. */
  readonly labels?: "eng" | "spa" | undefined;
  /** `1`: each summary has `highlights`, the texts with words of `q` and where they stand. In JSON or NDJSON. */
  readonly highlight?: "1" | undefined;
  /** The most books of a page, 1 to 1000. Default: 20. */
  readonly limit?: number | undefined;
  /** Where the page begins, as the `Link` of the page before has it. Valid for the same query, filters and sort only. */
  readonly cursor?: string | undefined;
  /** The format of the response, whatever `Accept` says. Without it, `Accept` decides; without a wish there, it is JSON. Errors are always JSON. */
  readonly format?: "json" | "ndjson" | "xml" | "csv" | undefined;
  /** With XML: short tags (`b203`) instead of reference names (`TitleText`). Default: `false`. */
  readonly shorttags?: "true" | "false" | undefined;
}

/** Person / organization name type: a code of ONIX list 18. `name_types` of `/api/translations` has its label. */
export type List18 = string;
/** Language – based on ISO 639-2/B: a code of ONIX list 74. `languages` of `/api/translations` has its label. */
export type List74 = string;
/** Text script – based on ISO 15924: a code of ONIX list 121. `scripts` of `/api/translations` has its label. */
export type List121 = string;
/** Gender – based on ISO 5218: a code of ONIX list 229. `genders` of `/api/translations` has its label. */
export type List229 = string;
/** Notification or update type: a code of ONIX list 1. `notification_types` of `/api/translations` has its label. */
export type List1 = string;
/** Record source type: a code of ONIX list 3. `record_source_types` of `/api/translations` has its label. */
export type List3 = string;
/** Name identifier type: a code of ONIX list 44. `name_identifier_types` of `/api/translations` has its label. */
export type List44 = string;
/** Product identifier type: a code of ONIX list 5. `product_identifier_types` of `/api/translations` has its label. */
export type List5 = string;
/** Barcode indicator: a code of ONIX list 141. `barcode_types` of `/api/translations` has its label. */
export type List141 = string;
/** Position on product: a code of ONIX list 142. `positions_on_product` of `/api/translations` has its label. */
export type List142 = string;
/** Product composition: a code of ONIX list 2. `product_compositions` of `/api/translations` has its label. */
export type List2 = string;
/** Product form: a code of ONIX list 150. `product_forms` of `/api/translations` has its label. */
export type List150 = string;
/** Product form detail: a code of ONIX list 175. `product_form_details` of `/api/translations` has its label. */
export type List175 = string;
/** Product packaging type: a code of ONIX list 80. `product_packagings` of `/api/translations` has its label. */
export type List80 = string;
/** Trade category: a code of ONIX list 12. `trade_categories` of `/api/translations` has its label. */
export type List12 = string;
/** Product content type: a code of ONIX list 81. `product_content_types` of `/api/translations` has its label. */
export type List81 = string;
/** Country – based on ISO 3166-1: a code of ONIX list 91. `countries` of `/api/translations` has its label. */
export type List91 = string;
/** E-publication technical protection: a code of ONIX list 144. `technical_protections` of `/api/translations` has its label. */
export type List144 = string;
/** Thesis type: a code of ONIX list 72. `thesis_types` of `/api/translations` has its label. */
export type List72 = string;
/** Date format: a code of ONIX list 55. `date_formats` of `/api/translations` has its label. */
export type List55 = string;
/** Text format: a code of ONIX list 34. `text_formats` of `/api/translations` has its label. */
export type List34 = string;
/** Edition type: a code of ONIX list 21. `edition_types` of `/api/translations` has its label. */
export type List21 = string;
/** Illustrated / not illustrated: a code of ONIX list 152. `illustrated` of `/api/translations` has its label. */
export type List152 = string;
/** Audience type: a code of ONIX list 28. `audience_codes` of `/api/translations` has its label. */
export type List28 = string;
/** Publishing status: a code of ONIX list 64. `publishing_status` of `/api/translations` has its label. */
export type List64 = string;
/** Sales rights type: a code of ONIX list 46. `sales_rights_types` of `/api/translations` has its label. */
export type List46 = string;
/** Product form feature type: a code of ONIX list 79. `product_form_feature_types` of `/api/translations` has its label. */
export type List79 = string;
/** Measure type: a code of ONIX list 48. `measure_types` of `/api/translations` has its label. */
export type List48 = string;
/** Measure unit: a code of ONIX list 50. `measure_units` of `/api/translations` has its label. */
export type List50 = string;
/** Usage type: a code of ONIX list 145. `usage_types` of `/api/translations` has its label. */
export type List145 = string;
/** Usage status: a code of ONIX list 146. `usage_status` of `/api/translations` has its label. */
export type List146 = string;
/** Product classification type: a code of ONIX list 9. `product_classification_types` of `/api/translations` has its label. */
export type List9 = string;
/** Collection type: a code of ONIX list 148. `collection_types` of `/api/translations` has its label. */
export type List148 = string;
/** Collection frequency code: a code of ONIX list 259. `collection_frequencies` of `/api/translations` has its label. */
export type List259 = string;
/** Title type: a code of ONIX list 15. `title_types` of `/api/translations` has its label. */
export type List15 = string;
/** Contributor role code: a code of ONIX list 17. `contributor_roles` of `/api/translations` has its label. */
export type List17 = string;
/** Unnamed person(s): a code of ONIX list 19. `unnamed_persons` of `/api/translations` has its label. */
export type List19 = string;
/** Event role: a code of ONIX list 20. `event_roles` of `/api/translations` has its label. */
export type List20 = string;
/** A code of ONIX list 88, which has no codes yet. */
export type List88 = string;
/** Language role: a code of ONIX list 22. `language_roles` of `/api/translations` has its label. */
export type List22 = string;
/** Region – based on ISO 3166-2: a code of ONIX list 49. `regions` of `/api/translations` has its label. */
export type List49 = string;
/** Extent type: a code of ONIX list 23. `extent_types` of `/api/translations` has its label. */
export type List23 = string;
/** Extent unit: a code of ONIX list 24. `extent_units` of `/api/translations` has its label. */
export type List24 = string;
/** Illustration and other content type: a code of ONIX list 25. `ancillary_content_types` of `/api/translations` has its label. */
export type List25 = string;
/** Subject scheme identifier: a code of ONIX list 27. `subject_schemes` of `/api/translations` has its label. */
export type List27 = string;
/** Audience code type: a code of ONIX list 29. `audience_code_types` of `/api/translations` has its label. */
export type List29 = string;
/** Audience range qualifier: a code of ONIX list 30. `audience_range_qualifiers` of `/api/translations` has its label. */
export type List30 = string;
/** Audience range precision: a code of ONIX list 31. `audience_range_precisions` of `/api/translations` has its label. */
export type List31 = string;
/** Complexity scheme identifier: a code of ONIX list 32. `complexity_schemes` of `/api/translations` has its label. */
export type List32 = string;
/** Text type: a code of ONIX list 153. `text_types` of `/api/translations` has its label. */
export type List153 = string;
/** Content audience: a code of ONIX list 154. `content_audiences` of `/api/translations` has its label. */
export type List154 = string;
/** Cited content type: a code of ONIX list 156. `cited_content_types` of `/api/translations` has its label. */
export type List156 = string;
/** Content source type: a code of ONIX list 157. `source_types` of `/api/translations` has its label. */
export type List157 = string;
/** Resource content type: a code of ONIX list 158. `resource_content_types` of `/api/translations` has its label. */
export type List158 = string;
/** Resource mode: a code of ONIX list 159. `resource_modes` of `/api/translations` has its label. */
export type List159 = string;
/** Prize or award achievement: a code of ONIX list 41. `prize_codes` of `/api/translations` has its label. */
export type List41 = string;
/** Event type: a code of ONIX list 245. `event_types` of `/api/translations` has its label. */
export type List245 = string;
/** Event status: a code of ONIX list 246. `event_status` of `/api/translations` has its label. */
export type List246 = string;
/** Publishing role: a code of ONIX list 45. `publishing_roles` of `/api/translations` has its label. */
export type List45 = string;
/** Product contact role: a code of ONIX list 198. `product_contact_roles` of `/api/translations` has its label. */
export type List198 = string;
/** Publishing date role: a code of ONIX list 163. `publishing_date_roles` of `/api/translations` has its label. */
export type List163 = string;
/** Rights type: a code of ONIX list 219. `copyright_types` of `/api/translations` has its label. */
export type List219 = string;
/** Sales restriction type: a code of ONIX list 71. `sales_restriction_types` of `/api/translations` has its label. */
export type List71 = string;
/** Work relation: a code of ONIX list 164. `work_relations` of `/api/translations` has its label. */
export type List164 = string;
/** Product relation: a code of ONIX list 51. `product_relations` of `/api/translations` has its label. */
export type List51 = string;
/** Market publishing status: a code of ONIX list 68. `market_publishing_status` of `/api/translations` has its label. */
export type List68 = string;
/** Product availability: a code of ONIX list 65. `product_availability` of `/api/translations` has its label. */
export type List65 = string;
/** Unpriced item type: a code of ONIX list 57. `unpriced_item_types` of `/api/translations` has its label. */
export type List57 = string;
/** Unit of usage: a code of ONIX list 147. `usage_units` of `/api/translations` has its label. */
export type List147 = string;
/** License expression type: a code of ONIX list 218. `license_expression_types` of `/api/translations` has its label. */
export type List218 = string;
/** Epublication license date role: a code of ONIX list 260. `license_date_roles` of `/api/translations` has its label. */
export type List260 = string;
/** Title element level: a code of ONIX list 149. `title_element_levels` of `/api/translations` has its label. */
export type List149 = string;
/** Collection identifier type: a code of ONIX list 13. `collection_identifier_types` of `/api/translations` has its label. */
export type List13 = string;
/** Collection sequence type: a code of ONIX list 197. `collection_sequence_types` of `/api/translations` has its label. */
export type List197 = string;
/** Text case flag: a code of ONIX list 14. `text_cases` of `/api/translations` has its label. */
export type List14 = string;
/** Person / organization date role: a code of ONIX list 177. `contributor_date_roles` of `/api/translations` has its label. */
export type List177 = string;
/** Website role: a code of ONIX list 73. `website_roles` of `/api/translations` has its label. */
export type List73 = string;
/** Contributor place relator: a code of ONIX list 151. `contributor_place_relators` of `/api/translations` has its label. */
export type List151 = string;
/** Bible contents: a code of ONIX list 82. `bible_contents` of `/api/translations` has its label. */
export type List82 = string;
/** Bible version: a code of ONIX list 83. `bible_versions` of `/api/translations` has its label. */
export type List83 = string;
/** Study Bible type: a code of ONIX list 84. `study_bible_types` of `/api/translations` has its label. */
export type List84 = string;
/** Bible purpose: a code of ONIX list 85. `bible_purposes` of `/api/translations` has its label. */
export type List85 = string;
/** Bible text organization: a code of ONIX list 86. `bible_text_organizations` of `/api/translations` has its label. */
export type List86 = string;
/** Bible reference location: a code of ONIX list 87. `bible_reference_locations` of `/api/translations` has its label. */
export type List87 = string;
/** Bible text feature: a code of ONIX list 97. `bible_text_features` of `/api/translations` has its label. */
export type List97 = string;
/** Religious text feature type: a code of ONIX list 89. `religious_text_feature_types` of `/api/translations` has its label. */
export type List89 = string;
/** Religious text feature: a code of ONIX list 90. `religious_text_features` of `/api/translations` has its label. */
export type List90 = string;
/** Codes of ONIX list 91, separated by spaces. */
export type List91Codes = string;
/** Codes of ONIX list 49, separated by spaces. */
export type List49Codes = string;
/** Content date role: a code of ONIX list 155. `content_date_roles` of `/api/translations` has its label. */
export type List155 = string;
/** Resource feature type: a code of ONIX list 160. `resource_feature_types` of `/api/translations` has its label. */
export type List160 = string;
/** Resource form: a code of ONIX list 161. `resource_forms` of `/api/translations` has its label. */
export type List161 = string;
/** Prize identifier type: a code of ONIX list 263. `prize_identifier_types` of `/api/translations` has its label. */
export type List263 = string;
/** Event identifier type: a code of ONIX list 244. `event_identifier_types` of `/api/translations` has its label. */
export type List244 = string;
/** Text item type: a code of ONIX list 42. `text_item_types` of `/api/translations` has its label. */
export type List42 = string;
/** AV Item type code: a code of ONIX list 240. `av_item_types` of `/api/translations` has its label. */
export type List240 = string;
/** Work identifier type: a code of ONIX list 16. `work_identifier_types` of `/api/translations` has its label. */
export type List16 = string;
/** Specification detail code: a code of ONIX list 248. `specification_details` of `/api/translations` has its label. */
export type List248 = string;
/** Agent role: a code of ONIX list 69. `agent_roles` of `/api/translations` has its label. */
export type List69 = string;
/** Supplier role: a code of ONIX list 93. `supplier_roles` of `/api/translations` has its label. */
export type List93 = string;
/** Supply contact role: a code of ONIX list 239. `supply_contact_roles` of `/api/translations` has its label. */
export type List239 = string;
/** Supplier own code type: a code of ONIX list 165. `supplier_code_types` of `/api/translations` has its label. */
export type List165 = string;
/** Returns conditions code type: a code of ONIX list 53. `returns_code_types` of `/api/translations` has its label. */
export type List53 = string;
/** Supply date role: a code of ONIX list 166. `supply_date_roles` of `/api/translations` has its label. */
export type List166 = string;
/** Proximity: a code of ONIX list 215. `proximities` of `/api/translations` has its label. */
export type List215 = string;
/** Price type: a code of ONIX list 58. `price_types` of `/api/translations` has its label. */
export type List58 = string;
/** Price type qualifier: a code of ONIX list 59. `price_qualifiers` of `/api/translations` has its label. */
export type List59 = string;
/** Unit of pricing: a code of ONIX list 60. `pricing_units` of `/api/translations` has its label. */
export type List60 = string;
/** Price status: a code of ONIX list 61. `price_status` of `/api/translations` has its label. */
export type List61 = string;
/** Currency code – based on ISO 4217: a code of ONIX list 96. `currencies` of `/api/translations` has its label. */
export type List96 = string;
/** Currency zone: a code of ONIX list 172. `currency_zones` of `/api/translations` has its label. */
export type List172 = string;
/** Printed on product: a code of ONIX list 174. `printed_on_product` of `/api/translations` has its label. */
export type List174 = string;
/** Resource version feature type: a code of ONIX list 162. `resource_version_feature_types` of `/api/translations` has its label. */
export type List162 = string;
/** Event occurrence date role: a code of ONIX list 247. `event_occurrence_date_roles` of `/api/translations` has its label. */
export type List247 = string;
/** Text item identifier type: a code of ONIX list 43. `text_item_identifier_types` of `/api/translations` has its label. */
export type List43 = string;
/** AV Item Identifier type: a code of ONIX list 241. `av_item_identifier_types` of `/api/translations` has its label. */
export type List241 = string;
/** Grant identifier type: a code of ONIX list 228. `funding_identifier_types` of `/api/translations` has its label. */
export type List228 = string;
/** Sales outlet identifier type: a code of ONIX list 102. `sales_outlet_identifier_types` of `/api/translations` has its label. */
export type List102 = string;
/** Specification feature type: a code of ONIX list 249. `specification_feature_types` of `/api/translations` has its label. */
export type List249 = string;
/** Resource role code: a code of ONIX list 251. `resource_roles` of `/api/translations` has its label. */
export type List251 = string;
/** Resource file detail code: a code of ONIX list 252. `resource_file_details` of `/api/translations` has its label. */
export type List252 = string;
/** Insert point type: a code of ONIX list 255. `insert_point_types` of `/api/translations` has its label. */
export type List255 = string;
/** Supplier identifier type: a code of ONIX list 92. `supplier_identifier_types` of `/api/translations` has its label. */
export type List92 = string;
/** Stock quantity code type: a code of ONIX list 70. `stock_quantity_code_types` of `/api/translations` has its label. */
export type List70 = string;
/** Velocity metric: a code of ONIX list 216. `velocity_metrics` of `/api/translations` has its label. */
export type List216 = string;
/** Price identifier type: a code of ONIX list 217. `price_identifier_types` of `/api/translations` has its label. */
export type List217 = string;
/** Price constraint type: a code of ONIX list 230. `price_constraint_types` of `/api/translations` has its label. */
export type List230 = string;
/** Price condition type: a code of ONIX list 167. `price_condition_types` of `/api/translations` has its label. */
export type List167 = string;
/** Discount code type: a code of ONIX list 100. `discount_code_types` of `/api/translations` has its label. */
export type List100 = string;
/** Discount type: a code of ONIX list 170. `discount_types` of `/api/translations` has its label. */
export type List170 = string;
/** Price code type: a code of ONIX list 179. `price_code_types` of `/api/translations` has its label. */
export type List179 = string;
/** Tax type: a code of ONIX list 171. `tax_types` of `/api/translations` has its label. */
export type List171 = string;
/** Tax rate type: a code of ONIX list 62. `tax_rates` of `/api/translations` has its label. */
export type List62 = string;
/** Price date role: a code of ONIX list 173. `price_date_roles` of `/api/translations` has its label. */
export type List173 = string;
/** Resource identifier type: a code of ONIX list 250. `resource_identifier_types` of `/api/translations` has its label. */
export type List250 = string;
/** Resource file feature type: a code of ONIX list 253. `resource_file_feature_types` of `/api/translations` has its label. */
export type List253 = string;
/** Resource file date role code: a code of ONIX list 254. `resource_file_date_roles` of `/api/translations` has its label. */
export type List254 = string;
/** Price condition quantity type: a code of ONIX list 168. `price_condition_quantity_types` of `/api/translations` has its label. */
export type List168 = string;
/** Quantity unit: a code of ONIX list 169. `quantity_units` of `/api/translations` has its label. */
export type List169 = string;
