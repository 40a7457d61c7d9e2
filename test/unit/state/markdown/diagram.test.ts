import { describe, expect, it } from 'vitest';
import { diagramDocument, isSelfContained } from '../../../../src/state/markdown/diagram.ts';

describe('a diagram is self-contained', () => {
  it.each([
    'graph TD\n  A[Start] --> B{Is it?}\n  B <--> C\n  style A fill:#f9f,stroke:#333;\n  classDef big font-size:20px',
    'sequenceDiagram\n  Browser->>Guard: GET /account (old cookie)\n  Guard-->>Browser: 302 /login\n  Note over A: data: 5',
    'classDiagram\n  class Shape~int~\n  <<interface>> Shape\n  Shape <|-- Circle\n  Shape : +draw(x) void',
    'erDiagram\n  CUSTOMER ||--o{ ORDER : places',
    'flowchart LR\n  A["First line<br/>second line"] --- B@{ shape: diamond, label: "Download image" }\n  B --> C["a & b\\nc"]',
    'stateDiagram-v2\n  [*] --> Idle\n  Idle --> [*]',
    'graph TD %% a comment with a link\n  A --> B',
  ])('if it loads nothing: %j', (diagram) => {
    expect(isSelfContained(diagram)).toBe(true);
  });

  it.each([
    'graph TD\n  A@{ img: "https://evil.example/a.png", label: "A" }',
    'graph TD\n  A@{ img: "/a.png" }',
    'graph TD\n  A@{ "\\x69mg": "x" }',
    'graph TD\n  A@{ shape: *x }',
    'graph TD\n  A@{ label: "https:#47;#47;evil.example" }',
    'graph TD\n  A@{\n    IMG: "x"\n  }',
    'graph TD\n  A[See //evil.example]',
    'graph TD\n  A[See \\\\evil.example]',
    'graph TD\n  style A fill:url(/a.png)',
    'graph TD\n  style A fill:URL (/a.png)',
    'graph TD\n  style A background:image-set("a.png" 1x)',
    'graph TD\n  A --> B\n  click A href "a"',
    'graph TD\n  A --> B\n  CLICK A call run()',
    'sequenceDiagram\n  link Alice: Dashboard @ a',
    'sequenceDiagram\n  links Alice: {}',
    'classDiagram\n  callback Shape "run"',
    'graph TD\n  A["<img src=a>"]',
    'graph TD\n  A["</svg>"]',
    'graph TD\n  A["<!-- a -->"]',
    'graph TD\n  A["&lt;img src=a&gt;"]',
    'graph TD\n  A["&#60;img"]',
    '%%{init: {"themeCSS": "*{}"}}%%\ngraph TD',
    '---\nconfig:\n  theme: base\n---\ngraph TD',
    `graph TD\n  A[${'a'.repeat(50_000)}]`,
  ])('unless it could load something: %j', (diagram) => {
    expect(isSelfContained(diagram)).toBe(false);
  });
});

describe('the document of a diagram', () => {
  it('is a fence that the diagram cannot close', () => {
    expect(diagramDocument('graph TD\n```\n![a](b)')).toBe('````mermaid\ngraph TD\n```\n![a](b)\n````\n');
  });
});
