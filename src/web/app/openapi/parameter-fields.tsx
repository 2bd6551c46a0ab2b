/** The fields for the parameters of an operation. A value that the document forbids is sent, so that errors can be seen. */
import { useTexts } from "../shared/core/texts.ts";
import type { Operation, Parameter } from "./document.ts";
import { Inline } from "./markdown.tsx";
import type { Values } from "./request.ts";
import { OPENAPI } from "./texts.ts";

interface FieldsProps {
  readonly operation: Operation;
  readonly values: Values;
  /** Values of the catalog. Those of optional parameters are shown where nothing is typed. */
  readonly examples: Readonly<Record<string, string | undefined>>;
  /** The parameters that the last attempt to send lacked. */
  readonly missing: readonly string[];
  readonly onChange: (name: string, value: string) => void;
}

export function ParameterFields({ operation, values, examples, missing, onChange }: FieldsProps) {
  const texts = useTexts(OPENAPI);
  if (operation.parameters.length === 0) return <p class="muted">{texts.noParameters}</p>;
  return (
    <div>
      {operation.parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          id={`${operation.operationId}-${parameter.name}`}
          parameter={parameter}
          value={values[parameter.name] ?? ""}
          example={examples[parameter.name]}
          isMissing={missing.includes(parameter.name)}
          onChange={(value) => onChange(parameter.name, value)}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly id: string;
  readonly parameter: Parameter;
  readonly value: string;
  readonly example: string | undefined;
  readonly isMissing: boolean;
  readonly onChange: (value: string) => void;
}

function ParameterField({ id, parameter, value, example, isMissing, onChange }: FieldProps) {
  const texts = useTexts(OPENAPI);
  const { name, description, schema, required } = parameter;
  const common = {
    id,
    name,
    value,
    "aria-describedby": `${id}-about`,
    "aria-required": required,
    "aria-invalid": isMissing,
  };
  return (
    <div class="parameter">
      <label for={id}>
        <code>{name}</code>
        <span class="muted">{required ? texts.required : parameter.in}</span>
      </label>
      <div>
        {schema.enum ? (
          <select {...common} class="field" onChange={(event) => onChange(event.currentTarget.value)}>
            <option value="">–</option>
            {schema.enum.map((choice) => (
              <option key={String(choice)} value={String(choice)}>
                {String(choice)}
              </option>
            ))}
          </select>
        ) : (
          <input
            {...common}
            class="field"
            type="text"
            placeholder={example}
            inputMode={schema.type === "integer" ? "numeric" : "text"}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )}
        <p class="about" id={`${id}-about`}>
          {isMissing && <strong class="problem">{texts.needsValue} </strong>}
          <Inline text={description} />
        </p>
      </div>
    </div>
  );
}
