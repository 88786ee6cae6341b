export type Dialect = 'postgres' | 'mysql' | 'mssql'

export type TokenKind = 'space' | 'comment' | 'string' | 'name' | 'word' | 'number' | 'mention' | 'mark'

/** A piece of SQL; those of a text, put one behind the other, are the text. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

type Form = readonly [TokenKind, RegExp]

const MENTION: Form = ['mention', /\$\{\w[^}]{0,200}\}|\[\[\w[^\]]{0,200}\]\]|\$\w+/y]

const COMMON: readonly Form[] = [
  ['space', /\s+/y],
  ['comment', /--[^\n]*/y],
  ['comment', /\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/y],
  MENTION,
  ['word', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['number', /\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+/iy],
  ['mark', /::|<=|>=|<>|!=|\|\||!~~?\*?|~~?\*?|->>?|[^\s\w]/uy]
]

/** Quotes differ between databases: what is a name to one is a text to another. */
const QUOTES: Readonly<Record<Dialect, readonly Form[]>> = {
  postgres: [
    ['string', /'(?:[^']|'')*'/y],
    ['string', /\$\$.*?\$\$/sy],
    ['name', /"(?:[^"]|"")+"/y]
  ],
  mysql: [
    ['comment', /#[^\n]*/y],
    ['string', /'(?:[^'\\]|''|\\.)*'/sy],
    ['string', /"(?:[^"\\]|""|\\.)*"/sy],
    ['name', /`(?:[^`]|``)+`/y]
  ],
  mssql: [
    ['string', /N?'(?:[^']|'')*'/y],
    ['name', /"(?:[^"]|"")+"/y],
    ['name', /\[(?!\[)[^\]]{1,128}\]/y]
  ]
}

/** Takes SQL apart, so that nothing within texts and comments is taken for SQL. */
export function tokensOf(sql: string, dialect: Dialect): Token[] {
  const forms = [...QUOTES[dialect], ...COMMON]
  const tokens: Token[] = []
  for (let at = 0; at < sql.length; ) {
    const token = tokenAt(sql, at, forms)
    tokens.push(token)
    at += token.text.length
  }
  return tokens
}

function tokenAt(sql: string, at: number, forms: readonly Form[]): Token {
  for (const [kind, form] of forms) {
    form.lastIndex = at
    const [text] = form.exec(sql) ?? []
    if (text) return { kind, text }
  }
  // What no form knows, such as a quote that is never closed, stands for itself.
  return { kind: 'mark', text: String.fromCodePoint(sql.codePointAt(at) as number) }
}

/** What a text of SQL says, without its quotes. */
export function saidBy({ text }: Token, dialect: Dialect): string {
  const quote = text.at(-1) as string
  if (quote === '$') return text.slice(2, -2)
  const inner = text.slice(text.indexOf(quote) + 1, -1).replaceAll(quote + quote, quote)
  return dialect === 'mysql' ? inner.replaceAll(/\\(.)/gs, (_, char: string) => ESCAPED[char] ?? char) : inner
}

/** Before these, and before wildcards of LIKE, a backslash of MySQL means something else than the character itself. */
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '', '%': '\\%', _: '\\_' }

/** A text as SQL of ours. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** What a quoted name says. */
export function nameIn({ text }: Token): string {
  const quote = text.at(-1) as string
  return text.slice(1, -1).replaceAll(quote + quote, quote)
}

export const isWord = (token: Token | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text.toLowerCase())

export const isMark = (token: Token | undefined, mark: string): boolean => token?.kind === 'mark' && token.text === mark
