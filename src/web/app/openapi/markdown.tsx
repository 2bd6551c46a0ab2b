/** The Markdown of the document: paragraphs, and code between backticks. It uses nothing else. */

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
  return (
    <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
