/**
 * What shows that a text is mathematics, weakest first: one number, letter, or product of letters; an expression of
 * those; a subscript or superscript; a command of TeX. `none` is anything that isn't mathematics, or isn't certain to
 * be.
 */
export type Evidence = 'none' | 'value' | 'expression' | 'script' | 'command';

/**
 * Looks for mathematics in the source of a formula, and errs on the side of text: what could be code, a price, or prose
 * is `none`. So is what a renderer of TeX would leave out or couldn't draw: comments, unbalanced braces, and unknown
 * commands. Reads the source once.
 */
export function findMathematics(source: string, isBlock: boolean): Evidence {
  return new MathReader(source, isBlock).read();
}

const spaced = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Commands of TeX that appear in formulas. Those that hide a part of their source aren't among them. */
const commands = spaced(
  'alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho ' +
    'sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ' +
    'omicron digamma aleph beth hbar hslash ell imath jmath Re Im wp partial nabla infty emptyset varnothing ' +
    'forall exists nexists neg lnot land lor wedge vee top bot vdash dashv models Vdash vDash therefore because ' +
    'in notin ni subset subseteq subsetneq supset supseteq supsetneq cup cap setminus sqcup sqcap uplus bigcup bigcap ' +
    'bigsqcup bigvee bigwedge bigoplus bigotimes biguplus complement ' +
    'sum prod coprod int iint iiint oint oiint idotsint intop lim limsup liminf varlimsup varliminf sup inf max min ' +
    'arg argmax argmin deg det dim exp gcd hom ker lg ln log Pr sin cos tan cot sec csc arcsin arccos arctan sinh cosh ' +
    'tanh coth mod bmod pmod pod operatorname operatorname* frac dfrac tfrac cfrac binom dbinom tbinom choose over ' +
    'atop genfrac sqrt overline underline overbrace underbrace overset underset stackrel overrightarrow ' +
    'overleftarrow underrightarrow overleftrightarrow xrightarrow xleftarrow xRightarrow hat widehat tilde widetilde ' +
    'bar vec dot ddot dddot acute grave breve check mathring cancel bcancel xcancel sout boxed fbox not ' +
    'pm mp times div cdot cdotp ast star circ bullet oplus ominus otimes oslash odot dagger ddagger amalg wr ' +
    'leq le geq ge neq ne lt gt ll gg lll ggg leqslant geqslant lesssim gtrsim prec succ preceq succeq sim simeq ' +
    'approx approxeq cong equiv propto asymp doteq triangleq coloneqq eqqcolon parallel nparallel perp mid nmid ' +
    'nleq ngeq nless ngtr nsubseteq smile frown bowtie ltimes rtimes lessgtr ' +
    'to gets mapsto longmapsto rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow iff implies ' +
    'impliedby longrightarrow longleftarrow Longrightarrow Longleftarrow Longleftrightarrow longleftrightarrow ' +
    'uparrow downarrow updownarrow Uparrow Downarrow nearrow searrow swarrow nwarrow hookrightarrow hookleftarrow ' +
    'rightharpoonup rightharpoondown leftharpoonup rightleftharpoons leadsto rightsquigarrow twoheadrightarrow ' +
    'rightarrowtail upharpoonright restriction ' +
    'ldots cdots vdots ddots dots dotsc dotsb dotsm dotsi prime backprime angle measuredangle sphericalangle triangle ' +
    'triangledown square Box blacksquare Diamond diamond lozenge clubsuit heartsuit spadesuit diamondsuit flat natural ' +
    'sharp surd checkmark degree ' +
    'left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm Bigm langle rangle lfloor ' +
    'rfloor lceil rceil lbrace rbrace lbrack rbrack lvert rvert lVert rVert vert Vert backslash ulcorner urcorner ' +
    'colon quad qquad enspace thinspace displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits ' +
    'substack smash text textbf textit textrm textsf texttt textnormal hbox mathrm mathbf mathit mathsf mathtt ' +
    'mathbb mathcal mathfrak mathscr boldsymbol bm bold mathnormal mathop mathbin mathrel mathord mathopen mathclose ' +
    'mathpunct rm bf it sf tt begin end tag hline color textcolor colorbox hspace kern mkern ce pu ' +
    'Alpha Beta Epsilon Zeta Eta Iota Kappa Mu Nu Omicron Rho Tau Chi varGamma varDelta ' +
    'ket bra braket Ket Bra norm abs Tr tr rank sgn pmb underbar overparen overgroup widecheck utilde xmapsto ' +
    'xleftrightarrow xhookrightarrow nonumber notag varkappa mho eth Bbbk Finv bigstar blacktriangle blacklozenge ' +
    'bigcirc bigodot bigtriangleup boxdot boxplus boxtimes dotplus intercal barwedge veebar curlyvee dag ddag ' +
    'triangleright triangleleft trianglelefteq vartriangle lhd rhd unlhd Subset nsubset subseteqq supseteqq ' +
    'subsetneqq nsupseteq sqsubset sqsupset sqsubseteq sqsupseteq Cap Cup between pitchfork multimap backsim eqsim ' +
    'precsim succsim preccurlyeq succcurlyeq lessapprox gtrapprox lessdot gtrdot varpropto thickapprox thicksim ' +
    'Doteq risingdotseq eqcirc ncong nsim nvdash nvDash nVdash nrightarrow nleftarrow nRightarrow rightrightarrows ' +
    'leftrightarrows rightleftarrows upuparrows leftharpoondown curvearrowright circlearrowleft Lleftarrow ' +
    'Updownarrow dashrightarrow llbracket rrbracket varprojlim varinjlim projlim injlim iiiint mathellipsis',
);

/** Commands whose argument isn't mathematics: text, names of environments, colors, and lengths. */
const textCommands = spaced(
  'text textbf textit textrm textsf texttt textnormal hbox mathrm mathbf mathit mathsf mathtt operatorname begin ' +
    'end tag color textcolor colorbox hspace ce pu',
);

/** Functions whose names are often written without a backslash. */
const functions = spaced(
  'sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan exp log ln lg max min sup inf lim det dim ker gcd lcm ' +
    'mod deg arg argmax argmin sgn sign sqrt abs floor ceil var Var cov Cov std erf rank tr Tr diag span softmax ' +
    'sigmoid relu ReLU GELU poly polylog loglog vec Pr',
);

/** Short words and abbreviations, such as `is` and `db`, which aren't products of variables. */
const shortWords = spaced(
  'am an as at be by do go he if in is it me my no of ok on or so to up us we vs id db fn os js ts and are but can for ' +
    'has not per the was you all any via its from with then than that this when where each into over only plus',
);

/** Signs and pairs of signs that appear in code and not in formulas. */
const code =
  /^\(\(|["`#?@]|[=!<>+*/|&:-]{3}|==|!=|&&|->|=>|=~|\+\+|--|::|\*\*|\/[/*]|<<|>>|[+*/|&-]=|~\/|\.\.\/|\s\|\|\s|(?:^|[^.\\])\.[A-Za-z_]|\b0x[\da-f]/i;

/** Signs that begin or continue an expression. */
const operators = /[-+=<>/*|!~:,\u00b7\u00d7\u00f7\u00b1\u2026\u22ef\p{Sm}]/u;
const relations = /[=<>\u2264\u2265\u2248\u2260\u2261~]/u;
/** Letters and signs for values, other than those of ASCII. */
const symbols = /[\p{Script=Greek}\p{No}\u2100-\u214f\u{1d400}-\u{1d7ff}\u00b0\u2032\u2033\u221e\u2205\u2202\u2207]/u;

const nextToken = /\\([A-Za-z]+\*?)|\\[^]|[A-Za-z]+|\d+(?:[.,]\d+)*|\s+|[^]/uy;

/** The kind of a token; `start` is the kind before the first token. */
type Kind = 'start' | 'word' | 'number' | 'value' | 'open' | 'close' | 'operator' | 'script' | 'command' | 'other';

const operands: ReadonlySet<Kind> = new Set(['word', 'number', 'value', 'close']);

/** Reads the source of a formula, token by token. */
class MathReader {
  readonly #source: string;
  readonly #isBlock: boolean;
  /** The open braces: whether each one belongs to a subscript or superscript. */
  readonly #braces: boolean[] = [];
  #at = 0;
  #before: Kind = 'start';
  #last = '';
  #hasSpace = false;
  #brackets = 0;
  #hasBrackets = false;
  #environments = 0;
  #bars = 0;
  #operands = 0;
  #hasOperation = false;
  #hasRelation = false;
  #hasScript = false;
  #hasCommand = false;
  /** The number of words that can be names of variables in code, but not in a formula without commands. */
  #names = 0;
  #acronyms = 0;
  /** Whether there is something that only a formula with commands may contain. */
  #hasOddity = false;
  /** Whether the previous word is one of prose, which isn't next to an operand in a formula. */
  #isProse = false;

  constructor(source: string, isBlock: boolean) {
    this.#source = source;
    this.#isBlock = isBlock;
  }

  read(): Evidence {
    while (this.#at < this.#source.length) {
      nextToken.lastIndex = this.#at;
      const [token = '', command] = nextToken.exec(this.#source) ?? [];
      this.#at += token.length;
      if (/^\s/.test(token)) {
        this.#hasSpace = true;
        if (!this.#isBlock && token.includes('\n')) this.#hasOddity = true;
        continue;
      }
      const kind = command === undefined ? this.#sign(token) : this.#command(command);
      if (kind === undefined) return 'none';
      if (!/^[A-Za-z]/.test(token)) this.#isProse = false;
      this.#before = kind;
      this.#last = token;
      this.#hasSpace = false;
    }
    return this.#evidence();
  }

  #evidence(): Evidence {
    if (this.#braces.length > 0 || this.#environments !== 0 || this.#before === 'script') return 'none';
    if (this.#hasCommand) return this.#hasEnd() && !/=~|=>|==|&&|::/.test(this.#source) ? 'command' : 'none';
    if (this.#bars % 2 !== 0) return 'none';
    if (this.#hasOddity || this.#brackets !== 0 || !this.#hasEnd() || code.test(this.#source)) return 'none';
    if (this.#hasScript && this.#names === 0) return 'script';
    const isNamed = this.#names > 0 && !(this.#hasRelation && (this.#isBlock || this.#names === this.#acronyms));
    if (this.#operands === 0 || isNamed) return 'none';
    if (this.#hasOperation) return 'expression';
    if (this.#hasBrackets) return 'none';
    return this.#operands === 1 ? 'value' : this.#isBlock && this.#names === 0 ? 'expression' : 'none';
  }

  /**
   * Whether a formula can end here. The text between the dollar signs of two variables or prices often ends with an
   * operator.
   */
  #hasEnd(): boolean {
    if (/^[.,;]/.test(this.#last)) return this.#hasCommand || this.#isBlock;
    return this.#before !== 'operator' || /^(?:\\?\||!)$/.test(this.#last) || this.#operands === 0;
  }

  /** Reads a command of TeX. Undefined if the source isn't a formula, for example because the command isn't known. */
  #command(name: string): Kind | undefined {
    if (!commands.has(name) && !commands.has(name.replace('*', ''))) return undefined;
    this.#hasCommand = true;
    if (name === 'begin') this.#environments += 1;
    if (name === 'end') this.#environments -= 1;
    if (textCommands.has(name.replace('*', ''))) return this.#skipText() ? 'command' : undefined;
    if (/^(?:left|right|middle|[bB]igg?[lrm]?)$/.test(name)) this.#skipDelimiter();
    return this.#hasSpace && shortWords.has(this.#last) ? undefined : 'command';
  }

  /** Skips a group of text. Returns false if the group isn't balanced, or if a renderer would leave out some of it. */
  #skipText(): boolean {
    const group = /\s*(?:\[[^\]]*\]\s*)?\{/y;
    group.lastIndex = this.#at;
    if (!group.test(this.#source)) return true;
    this.#at = group.lastIndex;
    for (let depth = 1; depth > 0; this.#at += 1) {
      const sign = this.#source[this.#at];
      if (sign === undefined || sign === '%' || sign === '#') return false;
      if (sign === '\\') this.#at += 1;
      else if (sign === '{') depth += 1;
      else if (sign === '}') depth -= 1;
    }
    return true;
  }

  #skipDelimiter(): void {
    const delimiter = /\s*(?:\\[|{}]|[()[\]|./<>])/y;
    delimiter.lastIndex = this.#at;
    if (delimiter.test(this.#source)) this.#at = delimiter.lastIndex;
  }

  #sign(token: string): Kind | undefined {
    const [first = ''] = token;
    if (first === '\\') return this.#escape(token);
    if (/[A-Za-z]/.test(token)) return this.#word(token);
    if (/\d/.test(token)) return this.#number(token);
    // Every other token is one sign.
    if (/[{}]/.test(token)) return this.#brace(token);
    if (/[()[\]]/.test(token)) return this.#bracket(token);
    if (token === '_' || token === '^') return this.#script();
    if (token === "'") return this.#prime();
    if (/[%#$"`@?]/.test(token)) return undefined;
    if (token === '&') return this.#environments > 0 ? 'operator' : undefined;
    if (token === ';') return this.#semicolon();
    if (token === '.') return this.#point();
    if (operators.test(token)) return this.#operator(token);
    if (symbols.test(token)) return this.#operand('value');
    // Other letters and signs.
    this.#hasOddity = true;
    return 'other';
  }

  /**
   * Reads a command of one sign: a space or an escaped sign. Undefined for others, such as escapes of regular
   * expressions.
   */
  #escape(token: string): Kind | undefined {
    const sign = token.charAt(1);
    if (sign === '\\') {
      if (!this.#isBlock) this.#hasOddity = true;
      return 'operator';
    }
    if (sign === '{' || sign === '}') {
      this.#hasOperation = true;
      return this.#bracket(sign === '{' ? '(' : ')');
    }
    if (sign === '|') return this.#operator('|');
    if (/[$%&#_]/.test(sign)) {
      this.#hasOperation = true;
      return this.#operand('value');
    }
    return /[,;:! >]/.test(sign) ? this.#before : undefined;
  }

  #operand(kind: Kind, isUnit = false): Kind {
    if (operands.has(this.#before) && (!this.#hasSpace || (isUnit && this.#before === 'number')))
      this.#hasOperation = true;
    this.#operands += 1;
    return kind;
  }

  #word(word: string): Kind | undefined {
    if (this.#isContraction(word)) return undefined;
    if (this.#isFlag(word)) this.#hasOddity = true;
    const isFunction = functions.has(word);
    const isShort = shortWords.has(word);
    const isWord = isShort || (word.length > 2 && !isFunction && !isFigure(word));
    const isAfterOperand = operands.has(this.#before) || (isShort && this.#before === 'command');
    if (this.#hasSpace && (this.#isProse || isWord) && isAfterOperand) return undefined;
    this.#isProse = isWord;
    if (isWord && this.#braces.at(-1) !== true) this.#countName(word);
    if (isFunction) {
      const isApplied = /^ ?[([\dA-Za-z\\^_]/.test(this.#source.slice(this.#at, this.#at + 2));
      if (isApplied) this.#hasOperation = true;
      this.#operands += 1;
      return 'value';
    }
    if (word === this.#source && (isShort || /^[A-Z][a-z]$/.test(word))) return undefined;
    return this.#operand('word', word.length === 2);
  }

  #countName(word: string): void {
    if (/^(?:am|an|as|at|by|my)$/.test(word)) return;
    this.#names += 1;
    if (/^(?:[A-Z]{3,5}|[a-z][A-Z]{1,2})$/.test(word)) this.#acronyms += 1;
  }

  /** Whether a word can be a flag of a command, as in `-n x`. In a formula, an operator follows a negative value. */
  #isFlag(word: string): boolean {
    const before = this.#source.charAt(this.#at - word.length - 2);
    if (this.#last !== '-' || !/^[\s(]?$/.test(before)) return false;
    return /^\s+(?![-+=]|[<>*/\p{Sm}]\s)\S/u.test(this.#source.slice(this.#at, this.#at + 8));
  }

  /** Whether a word ends a contraction, such as `don't`. */
  #isContraction(word: string): boolean {
    const start = this.#at - word.length;
    return this.#last === "'" && /[a-z]{2}'/i.test(this.#source.slice(Math.max(0, start - 3), start));
  }

  #number(token: string): Kind | undefined {
    if (/\.\d+\./.test(token) || (this.#isProse && this.#hasSpace)) return undefined;
    return this.#operand('number');
  }

  #brace(token: string): Kind | undefined {
    if (token === '{') {
      // Code often begins with a variable in braces.
      if (this.#before === 'start') this.#hasOddity = true;
      this.#braces.push(this.#before === 'script' || this.#braces.at(-1) === true);
      return 'open';
    }
    return this.#braces.pop() === undefined || this.#before === 'script' ? undefined : 'close';
  }

  #bracket(token: string): Kind {
    const isOpen = token === '(' || token === '[';
    const isPrimed = this.#before === 'close' && this.#last === "'";
    const isApplied = this.#before === 'word' || isPrimed || /\p{Script=Greek}/u.test(this.#last);
    if (isOpen && isApplied && !this.#hasSpace) this.#hasOperation = true;
    this.#brackets += isOpen ? 1 : -1;
    this.#hasBrackets = true;
    if (this.#brackets < 0) this.#hasOddity = true;
    return isOpen ? 'open' : 'close';
  }

  /** Reads a sign of a subscript or superscript. It needs a base and a short script; names in code have longer ones. */
  #script(): Kind | undefined {
    const next = /[{\dA-Za-z\\*+'\-\p{Script=Greek}\u221e]/u.test(this.#source.charAt(this.#at));
    if (!next) return undefined;
    const sign = this.#source.charAt(this.#at - 1);
    const script = /^(?:[A-Za-z]+|\d+)/.exec(this.#source.slice(this.#at, this.#at + 20))?.[0] ?? '';
    const isLong = script.length > (sign === '^' ? 2 : 1) && !/^\d/.test(script);
    const isName = sign === '_' && script !== '' && /^[A-Za-z]{2,}$/.test(this.#last) && !this.#hasIndex(script);
    const hasBase = (this.#before !== 'start' && this.#before !== 'operator') || this.#last.endsWith('|');
    if (isLong || isName || (!hasBase && (sign === '_' || this.#before === 'operator'))) this.#hasOddity = true;
    this.#hasScript = true;
    return 'script';
  }

  /** Whether the previous word can have a subscript: a function, or the symbol of a chemical compound. */
  #hasIndex(script: string): boolean {
    return functions.has(this.#last) || (/^\d$/.test(script) && /^[A-Z][A-Za-z]$/.test(this.#last));
  }

  #prime(): Kind | undefined {
    const isAfterValue = operands.has(this.#before) || this.#before === 'command';
    const isScript = this.#before === 'script';
    return (isAfterValue && !this.#hasSpace) || isScript ? 'close' : undefined;
  }

  #semicolon(): Kind | undefined {
    return this.#brackets > 0 || this.#braces.length > 0 || this.#hasCommand ? 'operator' : undefined;
  }

  #point(): Kind {
    const rest = this.#source.slice(this.#at - 1, this.#at + 2);
    const isEllipsis = rest === '...' || this.#last === '.';
    const isDecimal = /^\.\d/.test(rest) && !operands.has(this.#before);
    if (!isEllipsis && !isDecimal && this.#at < this.#source.length) this.#hasOddity = true;
    return isEllipsis ? 'value' : 'other';
  }

  #operator(token: string): Kind | undefined {
    if (this.#before === 'script') return 'close';
    if (token === '|' && this.#brackets === 0 && this.#braces.length === 0) this.#bars += 1;
    if (/[*/:,!]/.test(token) && this.#before === 'start') this.#hasOddity = true;
    if (token === '/' && this.#hasSpace && /[A-Za-z.]/.test(this.#source.charAt(this.#at))) this.#hasOddity = true;
    this.#hasOperation = true;
    if (relations.test(token)) this.#hasRelation = true;
    return 'operator';
  }
}

/** Whether letters name a figure of geometry by its corners, such as ABC or PQRS. */
function isFigure(word: string): boolean {
  if (!/^[A-Z]{3,4}$/.test(word)) return false;
  for (let place = 1; place < word.length; place += 1) {
    const step = word.charCodeAt(place) - word.charCodeAt(place - 1);
    if (step < 1 || step > 2) return false;
  }
  return true;
}
