/** The fields that nothing above shows, as a tree of elements that open and close. */
import { useState } from "preact/hooks";
import type { Language } from "../../../../client/labels.ts";
import { useTexts } from "../../shared/core/texts.ts";
import { nameInWords } from "../record/element-names.ts";
import type { TreeNode } from "../record/tree.ts";
import { TEXTS } from "../texts.ts";
import { Section, Values } from "../ui/shown.tsx";
import type { BookView } from "../view/book-view.ts";

export function Everything({ view, language }: { view: BookView; language: Language }) {
  const texts = useTexts(TEXTS);
  const [isWhole, setIsWhole] = useState(false);
  const nodes = isWhole ? view.everything : view.remaining;
  return (
    <Section id="fields" title={texts.everything}>
      <label class="switch">
        <input
          type="checkbox"
          checked={isWhole}
          onChange={(event) => setIsWhole(event.currentTarget.checked)}
        />
        <span>{texts.showWhole}</span>
      </label>
      {nodes.length === 0 ? (
        <p class="muted">{texts.nothingLeft}</p>
      ) : (
        <Nodes nodes={nodes} language={language} isOpen />
      )}
    </Section>
  );
}

interface NodesProps {
  readonly nodes: readonly TreeNode[];
  readonly language: Language;
  readonly isOpen?: boolean;
}

function Nodes({ nodes, language, isOpen = false }: NodesProps) {
  return (
    <ul class="tree">
      {nodes.map((node, index) => (
        <li key={index}>
          {node.children.length > 0 ? (
            <Branch node={node} language={language} isOpen={isOpen} />
          ) : (
            <Leaf node={node} language={language} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The children of a closed branch are not in the document: a record can have 200,000 elements. */
function Branch({ node, language, isOpen }: { node: TreeNode; language: Language; isOpen: boolean }) {
  const [isShown, setIsShown] = useState(isOpen);
  return (
    <details open={isShown} onToggle={(event) => setIsShown(event.currentTarget.open)}>
      <summary>
        <Name node={node} language={language} />
      </summary>
      {isShown && <Nodes nodes={node.children} language={language} />}
    </details>
  );
}

function Leaf({ node, language }: { node: TreeNode; language: Language }) {
  const texts = useTexts(TEXTS);
  return (
    <div class="tree-leaf">
      <Name node={node} language={language} />
      <span class="tree-value">
        {node.values.length > 0 ? <Values values={node.values} /> : <span class="muted">{texts.empty}</span>}
      </span>
    </div>
  );
}

function Name({ node, language }: { node: TreeNode; language: Language }) {
  return (
    <span class="tree-name" title={node.name}>
      {nameInWords(node.name, language)}
      {node.position !== undefined && <span class="muted"> {node.position}</span>}
    </span>
  );
}
