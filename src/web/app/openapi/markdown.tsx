/** The Markdown of the document: paragraphs, links, and code between backticks. It uses nothing else. */

export function Markdown({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/\s*\n\n\s*/).map((paragraph) => (
        <p key={paragraph}>
          <Inline text={paragraph} />
        </p>
      ))}
    </>
  );
}

export function Inline({ text }: { readonly text: string }) {
  // Texts, labels and addresses in turn.
  const parts = text.split(/\[([^\]]+)\]\(([^)\s]+)\)/);
  return (
    <>
      {parts.map((part, index) => {
        if (index % 3 === 0) return <Code key={index} text={part} />;
        if (index % 3 === 2) return null;
        return (
          <a key={index} href={parts[index + 1]!}>
            <Code text={part} />
          </a>
        );
      })}
    </>
  );
}

function Code({ text }: { readonly text: string }) {
  return (
    <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
