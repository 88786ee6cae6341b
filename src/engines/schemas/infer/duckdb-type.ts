import { MAX_DEPTH, SchemaFault } from '../fault.ts'

/** What the text of a DuckDB type says, such as `STRUCT(a INTEGER, b VARCHAR[])`. */
export type DuckdbType =
  /** In capitals, words divided by one space. */
  | { readonly kind: 'simple'; readonly name: string; readonly numbers: readonly number[] }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly items: DuckdbType; readonly length: number | undefined }
  | { readonly kind: 'map'; readonly keys: DuckdbType; readonly values: DuckdbType }
  | { readonly kind: 'struct'; readonly members: readonly DuckdbMember[] }
  | { readonly kind: 'union'; readonly members: readonly DuckdbMember[] }

export interface DuckdbMember {
  /** Undefined in what `row(…)` makes. */
  readonly name: string | undefined
  readonly type: DuckdbType
}

/** Undefined where the text is none that DuckDB would print. */
export function readDuckdbType(text: string): DuckdbType | undefined {
  const reader = new Reader(tokensOf(text))
  const type = reader.type(0)
  return reader.isAtEnd ? type : undefined
}

type Token = { readonly kind: 'word' | 'name' | 'text' | 'mark' | 'bad'; readonly text: string }

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const [, quoted, literal, word, mark, bad] of text.matchAll(
    /"((?:[^"]|"")*)"|'((?:[^']|'')*)'|([\p{L}\p{N}_$]+)|([(),[\]])|(\S)/gu
  )) {
    if (quoted !== undefined) tokens.push({ kind: 'name', text: quoted.replaceAll('""', '"') })
    else if (literal !== undefined) tokens.push({ kind: 'text', text: literal.replaceAll("''", "'") })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark })
    else tokens.push({ kind: 'bad', text: bad ?? '' })
  }
  return tokens
}

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  type(depth: number): DuckdbType | undefined {
    if (depth > MAX_DEPTH)
      throw new SchemaFault('too_complex', `A column's type is nested over ${MAX_DEPTH} levels deep`)
    let type = this.#base(depth)
    for (let levels = depth; type !== undefined && this.#take('['); levels++) {
      if (levels > MAX_DEPTH) throw new SchemaFault('too_complex', `A column has lists in over ${MAX_DEPTH} levels`)
      const length = this.#number()
      if (!this.#take(']')) return undefined
      type = { kind: 'list', items: type, length }
    }
    return type
  }

  #base(depth: number): DuckdbType | undefined {
    const first = this.#tokens[this.#at]
    if (first?.kind === 'name') {
      this.#at++
      return { kind: 'simple', name: first.text, numbers: [] }
    }
    const words: string[] = []
    for (let next = first; next?.kind === 'word'; next = this.#tokens[this.#at]) {
      words.push(next.text.toUpperCase())
      this.#at++
    }
    const name = words.join(' ')
    if (name === '') return undefined
    if (!this.#take('(')) return { kind: 'simple', name, numbers: [] }
    if (name === 'ENUM') return this.#enum()
    if (name === 'STRUCT' || name === 'UNION' || name === 'MAP') return this.#nested(name, depth)
    return this.#simple(name)
  }

  #simple(name: string): DuckdbType | undefined {
    const numbers: number[] = []
    for (let first = true; !this.#take(')'); first = false) {
      if (!first && !this.#take(',')) return undefined
      const number = this.#number()
      if (number === undefined) return undefined
      numbers.push(number)
    }
    return { kind: 'simple', name, numbers }
  }

  #enum(): DuckdbType | undefined {
    const values: string[] = []
    for (let first = true; !this.#take(')'); first = false) {
      if (!first && !this.#take(',')) return undefined
      const next = this.#tokens[this.#at++]
      if (next?.kind !== 'text') return undefined
      values.push(next.text)
    }
    return { kind: 'enum', values }
  }

  #nested(name: 'STRUCT' | 'UNION' | 'MAP', depth: number): DuckdbType | undefined {
    const members: DuckdbMember[] = []
    for (let first = true; !this.#take(')'); first = false) {
      if (!first && !this.#take(',')) return undefined
      const label = name === 'MAP' ? undefined : this.#label()
      const type = this.type(depth + 1)
      if (type === undefined) return undefined
      members.push({ name: label, type })
    }
    if (name !== 'MAP') return { kind: name === 'STRUCT' ? 'struct' : 'union', members }
    const [keys, values, ...rest] = members
    if (keys === undefined || values === undefined || rest.length > 0) return undefined
    return { kind: 'map', keys: keys.type, values: values.type }
  }

  /** A name stands before a type; alone it is the type. */
  #label(): string | undefined {
    const [first, second] = this.#tokens.slice(this.#at, this.#at + 2)
    if (first === undefined || (first.kind !== 'word' && first.kind !== 'name')) return undefined
    if (second?.kind !== 'word' && second?.kind !== 'name') return undefined
    this.#at++
    return first.text
  }

  #take(mark: string): boolean {
    const next = this.#tokens[this.#at]
    if (next?.kind !== 'mark' || next.text !== mark) return false
    this.#at++
    return true
  }

  #number(): number | undefined {
    const next = this.#tokens[this.#at]
    if (next?.kind !== 'word' || !/^[0-9]{1,9}$/.test(next.text)) return undefined
    this.#at++
    return Number(next.text)
  }
}
