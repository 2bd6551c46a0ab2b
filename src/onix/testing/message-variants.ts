/** One message with every construct that is hard to read, written in all the ways that senders use. */
import { elementByTag } from "../element-table.ts";

const HEADER = `<Header>
    <Sender>
      <SenderIdentifier><SenderIDType>06</SenderIDType><IDValue>8400000000006</IDValue></SenderIdentifier>
      <SenderName> Ediciones del Molino </SenderName>
    </Sender>
    <SentDateTime>20240229T1200Z</SentDateTime>
    <DefaultLanguageOfText>spa</DefaultLanguageOfText>
  </Header>`;

const PRODUCTS = `<Product datestamp="20240228" sourcename="Molino &amp; C&iacute;a">
    <RecordReference>molino-1</RecordReference>
    <NotificationType>03</NotificationType>
    <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9788400000004</IDValue></ProductIdentifier>
    <DescriptiveDetail>
      <ProductComposition>00</ProductComposition><ProductForm>BC</ProductForm>
      <NoCollection/>
      <TitleDetail>
        <TitleType>01</TitleType>
        <TitleElement><TitleElementLevel>01</TitleElementLevel>
          <TitleText language="spa"
                     textcase="01">El ni&ntilde;o &#xe9;l &#38; ella</TitleText></TitleElement>
      </TitleDetail>
      <Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole>
        <PersonName>Ren<!-- not a break -->é Müll<?no break?>er</PersonName>
        <BiographicalNote textformat="05"><p>Born in <b class="a b" xml:lang="fr">Orléans</b>,<br/>lives.</p></BiographicalNote>
      </Contributor>
      <NoEdition></NoEdition>
      <Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier><SubjectCode>FBA</SubjectCode></Subject>
    </DescriptiveDetail>
    <CollateralDetail>
      <TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience>
        <Text textformat="02"><![CDATA[<p>A <i>first</i> ]] line &amp; a]]]]><![CDATA[> second</p>]]></Text>
      </TextContent>
      <TextContent><TextType>02</TextType><ContentAudience>00</ContentAudience>
        <Text>  Two
lines, tab	and &lt;i&gt;escaped&lt;/i&gt;&nbsp;markup </Text>
      </TextContent>
    </CollateralDetail>
    <PublishingDetail>
      <Imprint><ImprintName>Península</ImprintName></Imprint>
      <PublishingDate><PublishingDateRole>01</PublishingDateRole><Date dateformat="00">20240301</Date></PublishingDate>
    </PublishingDetail>
    <FutureBlock kind='"x"'><Inner>future</Inner></FutureBlock>
  </Product>
  <Product><RecordReference>molino-2</RecordReference><NotificationType>05</NotificationType>
    <DeletionText>gone</DeletionText></Product>`;

export type NamespaceStyle = "none" | "default" | "prefix";

export interface VariantOptions {
  readonly release: "3.0" | "3.1";
  readonly tags: "reference" | "short" | "mixed";
  readonly namespace: NamespaceStyle;
  readonly doctype?: boolean;
  readonly declaration?: string;
}

/** Writes the message with the given version, tags and namespace style. */
export function messageVariant(writing: VariantOptions): string {
  const { release, tags, namespace, doctype = false, declaration = "" } = writing;
  const set = tags === "short" ? "short" : "reference";
  const uri = `http://ns.editeur.org/onix/${release}/${set}`;
  const xmlns = { none: "", default: ` xmlns="${uri}"`, prefix: ` xmlns:o="${uri}"` }[namespace];
  const body = `<ONIXMessage release="${release}"${xmlns}>\n  ${HEADER}\n  ${PRODUCTS}\n</ONIXMessage>`;
  const dtd = doctype
    ? `<!DOCTYPE ${tags === "short" ? "ONIXmessage" : "ONIXMessage"} SYSTEM "http://localhost:1/never.dtd" [<!ENTITY x "y">]>\n`
    : "";
  return `${declaration}${dtd}${replaceTags(body, tags, namespace === "prefix" ? "o:" : "")}\n`;
}

/** Replaces the names of ONIX elements, which begin with a capital, unlike those of XHTML. */
function replaceTags(body: string, tags: VariantOptions["tags"], prefix: string): string {
  let count = 0;
  const tagOf = new Map<string, string>();
  return body.replace(/<(\/?)([A-Z]\w*)/g, (_, slash: string, name: string) => {
    const short = elementByTag(name)?.short ?? name;
    if (!tagOf.has(name)) {
      tagOf.set(name, tags === "short" || (tags === "mixed" && count++ % 2 === 1) ? short : name);
    }
    return `<${slash}${prefix}${tagOf.get(name)}`;
  });
}
