/** The names, in lowercase, of the languages whose code blocks every preview shows as text. */
export const codeLanguages: ReadonlySet<string> = new Set(
  (
    'ada apache applescript asm assembly astro awk bash bat batch bicep c c# c++ clj clojure cmake cmd coffee coffeescript ' +
    'conf console cpp cs csharp cshtml css csv cuda cxx cython d dart delphi diff docker dockerfile dotenv elixir elm env ' +
    'erb erl erlang ex exs f# f90 fish fortran fs fsharp gitignore gleam glsl go golang gql gradle graphql groovy h haml ' +
    'handlebars haskell hbs hcl hlsl hpp hs html http ini j2 java javascript jinja jinja2 jl js json json5 jsonc jsonl jsx ' +
    'julia kotlin kt kts less liquid lisp log lua m make makefile markdown matlab md mdx mm mustache nasm nginx nim nix ' +
    'objc objective-c objectivec ocaml odin pascal patch perl php pl plaintext plsql postgres postgresql powershell proto ' +
    'protobuf ps1 pug puppet py pycon python python3 r racket razor rb regex rst ruby rs rust sass scala scheme scss sed sh ' +
    'shell shell-session shellscript solidity sql sqlite stylus svelte swift systemd tcl terraform tex text tf toml ts tsx ' +
    'twig txt typescript v vb vba verilog vhdl vim vue wasm wat x86asm xml yaml yml zig zsh'
  ).split(' '),
);
