import type { Difference, Rule, SchemaType, Who } from './format.ts'

/** What the words in braces of a sentence stand for; `{writer}` and `{reader}` are the names of the two sides. */
export type Words = Readonly<Record<string, (difference: Difference, who: Who) => string>>

interface Row<Sentence extends string = string> {
  readonly breaks: boolean
  readonly assumes?: string
  readonly sentence: Sentence
}

/** A change by which data can be refused, or read wrongly. */
export const breaks = <const S extends string>(sentence: S): Row<S> => ({ breaks: true, sentence })

/** A change by which data stay what they are. */
export const keeps = <const S extends string>(sentence: S): Row<S> => ({ breaks: false, sentence })

/** A change by which data stay what they are as long as something holds. */
export const keepsIf = <const S extends string>(assumes: string, sentence: S): Row<S> => ({
  breaks: false,
  assumes,
  sentence
})

type WordsIn<S extends string> = S extends `${string}{${infer Word}}${infer Rest}` ? Word | WordsIn<Rest> : never

/** The rows themselves where their sentences have known words only, so that a misspelt one does not compile. */
type Checked<Rows extends Readonly<Record<string, Row>>, Known> = {
  [Code in keyof Rows]: WordsIn<Rows[Code]['sentence']> extends Known ? Rows[Code] : never
}

/** The rules of a format, by their code without the name of the format. */
export function tableOf<const W extends Words, const Rows extends Readonly<Record<string, Row>>>(
  type: SchemaType,
  words: W,
  rows: Rows & Checked<Rows, keyof W | keyof Who>
): { readonly [Code in keyof Rows]: Rule } {
  const rules = Object.entries<Row>(rows).map(([code, row]) => [code, toRule(`${type}.${code}`, words, row)])
  return Object.fromEntries(rules)
}

function toRule(code: Rule['code'], words: Words, row: Row): Rule {
  const message = (difference: Difference, who: Who) =>
    row.sentence.replaceAll(/\{([^}]+)\}/g, (_, word: string) =>
      word === 'writer' || word === 'reader' ? who[word] : (words[word]?.(difference, who) ?? '')
    )
  return { code, ...row, message }
}
